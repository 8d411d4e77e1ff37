import { describe, it } from 'node:test';
import { completed } from '@cloudstack-ccm/cloudstack-client';
import { Scope } from '@cloudstack-ccm/base';
import type { LoadBalancerStatus, NodeView } from '@cloudstack-ccm/cloud-controllers';
import type { Cloud } from './cloud.ts';
import type { TestService } from './service.ts';
import { inPlace, opened, openedByAcl, PLACES, type Place } from './worlds.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

/**
 * Plays promises in every kind of network, on every release that has it. What differs is data of the place.
 * @param promises by a sentence that begins with the numbers of the original requirements
 */
export function everywhere(promises: Readonly<Record<string, (at: Stand) => Promise<void>>>): void {
  for (const place of PLACES) {
    describe(`in ${place.where}, on CloudStack ${place.version}`, () => {
      const cloud = inPlace(place);
      for (const [sentence, keep] of Object.entries(promises)) it(sentence, () => keep(new Stand(place, cloud())));
    });
  }
}

/** A place, and a controller in it that has just started, each time anew. */
export class Stand {
  readonly place: Place;
  readonly cloud: Cloud;

  constructor(place: Place, cloud: Cloud) {
    this.place = place;
    this.cloud = cloud;
  }

  get nodes(): readonly NodeView[] {
    return this.cloud.nodes(...NODES);
  }

  get network() {
    const network = this.cloud.simulator.state.networks.find(({ name }) => name.startsWith('net-'));
    if (!network) throw new Error('the place has no network');
    return network;
  }

  ensure(service: TestService, nodes = this.nodes): Promise<LoadBalancerStatus> {
    return this.cloud.controller().ensure(service, nodes);
  }

  delete(service: TestService): Promise<void> {
    return this.cloud.controller().delete(service);
  }

  /** All rules in words, one a line. */
  get rules(): string {
    return this.cloud.rules().join('\n');
  }

  /** What is open, as `<port> <sources>`. */
  get opened(): readonly string[] {
    return opened(this.cloud);
  }

  /** What is open by means that this place does not have: nothing, ever. */
  get openedOtherwise(): readonly string[] {
    return this.place.access === 'acl' ? this.cloud.firewall() : openedByAcl(this.cloud);
  }

  /** Rules, openings and addresses. */
  get left(): readonly (readonly string[])[] {
    return [this.cloud.rules(), this.opened, this.cloud.addresses()];
  }

  /** An address that the user takes by hand. */
  async takeAddress(): Promise<string> {
    using scope = Scope.root();
    const where = this.place.associates === 'vpcid' ? { vpcId: this.network.vpcId } : { networkId: this.network.id };
    return (await completed(scope, this.cloud.client.associateIpAddress(scope, where))).ipAddress;
  }

  /** Commands that change something, without marks, while work is done. */
  async writesOf(work: () => Promise<unknown>): Promise<readonly string[]> {
    const before = this.cloud.lastWrite;
    await work();
    return this.cloud.writesSince(before).filter((command) => command !== 'createTags');
  }

  /** Parameters of the calls of a command so far. */
  sent(command: string): readonly Readonly<Record<string, string>>[] {
    return this.cloud
      .callsSince(0)
      .filter((call) => call.command === command)
      .map(({ parameters }) => parameters);
  }
}
