import { messageOf, type Logger, type Scope } from '@cloudstack-ccm/base';
import { addressesPatch, type Node } from '@cloudstack-ccm/kubernetes';

import type { InstanceMetadata } from '../cloud.ts';
import type { FencedResource } from '../fence.ts';
import { nextAddresses } from './addresses.ts';
import { PROVIDED_NODE_IP } from './well-known.ts';

/** Keeps the addresses in a node's status as the cloud has them. */
export class AddressUpdater {
  readonly #nodes: FencedResource<Node>;
  readonly #log: Logger;

  constructor(nodes: FencedResource<Node>, log: Logger) {
    this.#nodes = nodes;
    this.#log = log;
  }

  /** An error is only logged: the next round of the address loop tries again. */
  async updateOrLog(scope: Scope, node: Node, metadata: InstanceMetadata): Promise<void> {
    const { name } = node.metadata;
    try {
      await this.#update(scope, node, metadata);
    } catch (thrown) {
      if (scope.cancelled) throw thrown;
      this.#log.error(`Failed to update node addresses for node "${name}": ${messageOf(thrown)}`, thrown, {
        node: name,
      });
    }
  }

  async #update(scope: Scope, { metadata, status }: Node, { addresses }: InstanceMetadata): Promise<void> {
    const next = nextAddresses({
      offered: addresses,
      current: status.addresses,
      providedNodeIp: metadata.annotations[PROVIDED_NODE_IP],
    });
    if (next) await this.#nodes.patchStatus(scope, metadata, addressesPatch(next));
  }
}
