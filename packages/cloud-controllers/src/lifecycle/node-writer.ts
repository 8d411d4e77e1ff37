import type { Logger, Scope } from '@cloudstack-ccm/base';
import { retryOnConflict, StatusError, taintsPatch, type Node, type Taint } from '@cloudstack-ccm/kubernetes';

import type { FencedResource } from '../fence.ts';
import { isReady } from '../nodes/node-view.ts';
import { hasTaint, withoutTaint, withTaint } from '../nodes/taints.ts';
import { SHUTDOWN_TAINT } from '../nodes/well-known.ts';
import type { LifecycleEvents } from './lifecycle-events.ts';

/**
 * What the lifecycle controller does to nodes. Each change first reads the node again: a node that has become ready, or
 * was made anew under the same name, is left alone.
 */
export class NodeWriter {
  readonly #nodes: FencedResource<Node>;
  readonly #events: LifecycleEvents;
  readonly #log: Logger;

  constructor(nodes: FencedResource<Node>, events: LifecycleEvents, log: Logger) {
    this.#nodes = nodes;
    this.#events = events;
    this.#log = log;
  }

  /** @returns true if the node was deleted. Failures are told, and tried again in the next pass. */
  async delete(scope: Scope, known: Node): Promise<boolean> {
    const node = await this.#current(scope, known);
    if (!node || isReady(node)) return false;
    this.#events.deleting(node);
    const { uid, resourceVersion } = node.metadata;
    try {
      await this.#nodes.delete(scope, node.metadata, { uid, resourceVersion });
      return true;
    } catch (thrown) {
      scope.throwIfCancelled();
      if (thrown instanceof StatusError && thrown.isNotFound) return true;
      this.#log.error('Failed to delete a node', thrown, { node: node.metadata.name });
      this.#events.deletingFailed(node, thrown);
      return false;
    }
  }

  async markShutDown(scope: Scope, known: Node): Promise<void> {
    await this.#changeTaints(scope, known, (node) => {
      if (isReady(node) || hasTaint(node.spec.taints, SHUTDOWN_TAINT)) return undefined;
      return withTaint(node.spec.taints, SHUTDOWN_TAINT);
    });
  }

  async markRunning(scope: Scope, known: Node): Promise<void> {
    await this.#changeTaints(scope, known, (node) => {
      if (!isReady(node) || !hasTaint(node.spec.taints, SHUTDOWN_TAINT)) return undefined;
      return withoutTaint(node.spec.taints, SHUTDOWN_TAINT);
    });
  }

  /** @param change gives the new list; undefined for no change. */
  async #changeTaints(scope: Scope, known: Node, change: (node: Node) => readonly Taint[] | undefined): Promise<void> {
    try {
      await retryOnConflict(scope, async () => {
        const node = await this.#current(scope, known);
        const taints = node && change(node);
        if (!taints) return;
        await this.#nodes.patch(scope, node.metadata, taintsPatch(node.metadata.resourceVersion, taints));
      });
    } catch (thrown) {
      scope.throwIfCancelled();
      this.#log.error('error patching node taints', thrown, { node: known.metadata.name });
    }
  }

  /** The same node as it is now; undefined when it is gone, or another one has its name. */
  async #current(scope: Scope, { metadata: { name, uid } }: Node): Promise<Node | undefined> {
    try {
      const node = await this.#nodes.get(scope, { name });
      return node.metadata.uid === uid ? node : undefined;
    } catch (thrown) {
      if (thrown instanceof StatusError && thrown.isNotFound) return undefined;
      throw thrown;
    }
  }
}
