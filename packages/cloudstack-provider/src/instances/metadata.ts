import type { Clock, Logger, Scope } from '@cloudstack-ccm/base';
import type { InstanceMetadata, NodeView, Notice } from '@cloudstack-ccm/cloud-controllers';
import type { VirtualMachine } from '@cloudstack-ccm/cloudstack-client';
import type { NodeOptions } from '../cloud-config/node-options.ts';
import { additionalLabelsOf } from './additional-labels.ts';
import { addressesOf } from './addresses.ts';
import { NodeUnresolvedError } from './errors.ts';
import type { MachineFinder } from './finder.ts';
import { instanceType, labelValue } from './label-values.ts';
import { readProviderId, writeProviderId } from './provider-id.ts';
import { SaidOnce } from './said-once.ts';

interface DescriberOptions {
  readonly finder: Pick<MachineFinder, 'find'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** The configured region; undefined makes each machine's zone its region. */
  readonly region: () => string | undefined;
  /** Which addresses and labels nodes get. */
  readonly nodes: () => NodeOptions;
}

/** Says what the cloud knows of a node's machine. */
export class InstanceDescriber {
  readonly #options: DescriberOptions;
  readonly #foreign: SaidOnce;
  readonly #hostless: SaidOnce;

  constructor(options: DescriberOptions) {
    this.#options = options;
    this.#foreign = new SaidOnce(options.clock);
    this.#hostless = new SaidOnce(options.clock);
  }

  /**
   * @returns undefined for a node of another system whose name no machine has
   * @throws NodeUnresolvedError, and the client's errors
   */
  async describe(scope: Scope, node: NodeView, wanted?: number): Promise<InstanceMetadata | undefined> {
    const found = await this.#options.finder.find(scope, node, wanted);
    const foreign = readProviderId(node.providerId).kind === 'foreign';
    if (foreign) this.#tellForeign(node);
    if (found.kind === 'found') return this.#describeMachine(found.vm);
    if (foreign && found.kind === 'missing') return undefined;
    throw new NodeUnresolvedError(node.name, found.reason);
  }

  #describeMachine(machine: VirtualMachine): InstanceMetadata {
    const options = this.#options.nodes();
    if (options.hostLabel && machine.state === 'Running' && machine.hypervisorName === undefined) this.#tellHostless();
    const { addresses, lack } = addressesOf(machine, options);
    const { notices, ...placement } = describePlacement(machine, this.#options.region());
    const { labels: additionalLabels, notices: more } = additionalLabelsOf(machine, options);
    const starting = `virtual machine ${machine.name} is starting: its node waits until it runs`;
    const pending = lack ?? (machine.state === 'Starting' ? starting : undefined);
    const lacking: readonly Notice[] =
      lack === undefined
        ? []
        : [{ type: 'Warning', reason: 'NoAddress', message: `No addresses for this node: ${lack}` }];
    return {
      providerId: writeProviderId(machine.id),
      ...placement,
      addresses: lack === undefined ? addresses : [],
      additionalLabels,
      notices: [...notices, ...more, ...lacking],
      ...(pending !== undefined && { pending }),
    };
  }

  #tellHostless(): void {
    if (!this.#hostless.first('node-host-label')) return;
    this.#options.log.warn(
      'node-host-label has no effect: only keys of a root administrator see the hosts of machines',
    );
  }

  #tellForeign({ name, uid, providerId }: NodeView): void {
    if (!this.#foreign.first(uid)) return;
    this.#options.log.info('Provider ID belongs to another system: it is kept, and the node is never deleted', {
      node: name,
      providerId,
    });
  }
}

function describePlacement(
  { zoneName, serviceOfferingName = '' }: VirtualMachine,
  region: string | undefined,
): Pick<InstanceMetadata, 'instanceType' | 'zone' | 'region' | 'notices'> {
  return {
    instanceType: instanceType(serviceOfferingName),
    zone: labelValue(zoneName),
    region: labelValue(region ?? zoneName),
    notices: [
      ...unlabelled('zone', zoneName, labelValue(zoneName)),
      ...(region === undefined ? [] : unlabelled('region', region, labelValue(region))),
      ...unlabelled('service offering', serviceOfferingName, instanceType(serviceOfferingName)),
    ],
  };
}

function unlabelled(what: string, name: string, value: string): readonly Notice[] {
  if (name === '' || value !== '') return [];
  const message = `No label for the ${what} "${name}": none of its characters may stand in a label. Give it a name with ASCII letters or digits.`;
  return [{ type: 'Warning', reason: 'NameNotALabel', message }];
}
