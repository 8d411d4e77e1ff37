import { asError, messageOf, type Clock, type Logger, type Scope } from '@cloudstack-ccm/base';
import { mergePatch, retryOnConflict, StatusError, type Node } from '@cloudstack-ccm/kubernetes';

import type { InstanceMetadata, Instances } from '../cloud.ts';
import { MissingProviderIdError, SyncError } from '../errors.ts';
import type { FencedResource } from '../fence.ts';
import { addressNotices } from './address-notices.ts';
import type { AddressUpdater } from './address-updater.ts';
import { initializationPatch, planInitialization } from './initialization.ts';
import type { NodeEvents } from './node-events.ts';
import type { NodeMetrics } from './node-metrics.ts';
import { nodeView } from './node-view.ts';
import { ProvidedNodeIpError } from './provided-node-ip.ts';
import { hasTaintKey } from './taints.ts';
import { UNINITIALIZED_TAINT } from './well-known.ts';

/** As often as the framework tries, for nodes are written by many while they join. */
const CONFLICT_RETRIES = { tries: 20, baseMs: 50 };

export interface NodeInitializerOptions {
  readonly nodes: FencedResource<Node>;
  readonly instances: Instances;
  readonly addresses: AddressUpdater;
  readonly events: NodeEvents;
  /** How many other nodes wait for their turn. */
  readonly waiting: () => number;
  readonly metrics: NodeMetrics;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Gives a node that has just joined what the cloud knows of it, and takes the taint off that kept pods away. */
export class NodeInitializer {
  readonly #options: NodeInitializerOptions;

  constructor(options: NodeInitializerOptions) {
    this.#options = options;
  }

  /** @throws SyncError when the node stays uninitialised and is to be tried again. */
  async initialize(scope: Scope, node: Node): Promise<void> {
    try {
      await this.#initialize(scope, node);
    } catch (thrown) {
      if (!scope.cancelled) this.#options.events.initializationFailed(node, messageOf(thrown));
      throw thrown;
    }
  }

  async #initialize(scope: Scope, node: Node): Promise<void> {
    const { events, metrics, addresses } = this.#options;
    const metadata = await this.#metadata(scope, node);
    if (!metadata) return;
    events.notices(node, metadata.notices);
    const initialized = await this.#apply(scope, node, metadata);
    if (!initialized) return;
    events.notices(node, addressNotices(node, metadata));
    metrics.taintRemovalDelay.observe(this.#age(node));
    await addresses.updateOrLog(scope, initialized, metadata);
    events.synced(node);
    metrics.initialSyncDelay.observe(this.#age(node));
  }

  async #metadata(scope: Scope, node: Node): Promise<InstanceMetadata | undefined> {
    const { name } = node.metadata;
    try {
      const metadata = await this.#options.instances.metadata(scope, nodeView(node), 1 + this.#options.waiting());
      if (metadata?.pending !== undefined) throw new Error(metadata.pending);
      if (metadata?.providerId === '' && node.spec.providerID === '') throw new MissingProviderIdError(name);
      return metadata;
    } catch (thrown) {
      throw new SyncError(`failed to get instance metadata for node ${name}`, thrown);
    }
  }

  /** @returns undefined when there is nothing to initialise any more. */
  async #apply(scope: Scope, known: Node, metadata: InstanceMetadata): Promise<Node | undefined> {
    const { nodes } = this.#options;
    let node: Node | undefined = known;
    try {
      return await retryOnConflict(
        scope,
        async () => {
          node ??= await nodes.get(scope, known.metadata);
          const current = node;
          // After a conflict what we know is old.
          node = undefined;
          // Another node that has the name now may be another machine: it is looked up in a sync of its own.
          if (current.metadata.uid !== known.metadata.uid) return undefined;
          return await this.#write(scope, current, metadata);
        },
        CONFLICT_RETRIES,
      );
    } catch (thrown) {
      if (thrown instanceof StatusError && thrown.isNotFound) return undefined;
      throw thrown;
    }
  }

  async #write(scope: Scope, node: Node, metadata: InstanceMetadata): Promise<Node | undefined> {
    if (!hasTaintKey(node.spec.taints, UNINITIALIZED_TAINT)) return undefined;
    const plan = this.#plan(node, metadata);
    for (const warning of plan.warnings) this.#options.log.warn(warning, { node: node.metadata.name });
    return await this.#options.nodes.patch(scope, node.metadata, mergePatch(initializationPatch(node, plan)));
  }

  #plan(node: Node, metadata: InstanceMetadata): ReturnType<typeof planInitialization> {
    try {
      return planInitialization(node, metadata);
    } catch (thrown) {
      const offered = metadata.addresses.map(({ type, address }) => `${type} ${address}`).join(', ') || 'none';
      const hint = thrown instanceof ProvidedNodeIpError ? `; addresses in the cloud: ${offered}` : '';
      throw new SyncError(
        'failed to get node modifiers from cloud provider',
        new Error(asError(thrown).message + hint, { cause: thrown }),
      );
    }
  }

  #age({ metadata }: Node): number {
    return (this.#options.clock.now() - Date.parse(metadata.creationTimestamp)) / 1000;
  }
}
