import { messageOf, type Logger, type Scope } from '@cloudstack-ccm/base';
import { mergePatch, type Informer, type Node } from '@cloudstack-ccm/kubernetes';

import type { InstanceMetadata, Instances } from '../cloud.ts';
import type { FencedResource } from '../fence.ts';
import { forEachParallel } from '../parallel.ts';
import type { AddressUpdater } from './address-updater.ts';
import { addressNotices } from './address-notices.ts';
import { readAppliedLabels, writeAppliedLabels } from './applied-labels.ts';
import { planLabels } from './labels.ts';
import type { NodeEvents } from './node-events.ts';
import { nodeView } from './node-view.ts';
import { hasTaintKey } from './taints.ts';
import { UNINITIALIZED_TAINT } from './well-known.ts';

export interface AddressLoopOptions {
  readonly nodes: FencedResource<Node>;
  readonly lister: Informer<Node>['lister'];
  readonly instances: Instances;
  readonly addresses: AddressUpdater;
  readonly events: NodeEvents;
  readonly log: Logger;
  /** Nodes at a time. */
  readonly workers: number;
}

/** One time that all nodes are looked at. */
interface Round {
  readonly scope: Scope;
  readonly told: Map<string, string>;
  readonly wanted: number;
}

/**
 * Compares all initialised nodes with the cloud: addresses, and the labels of type, zone and region, which a resize or
 * a migration changes.
 */
export class AddressLoop {
  readonly #options: AddressLoopOptions;
  /** What each node was told last, so that a lasting state is not told in each round. Made anew in each. */
  #told: ReadonlyMap<string, string> = new Map();

  constructor(options: AddressLoopOptions) {
    this.#options = options;
  }

  /** One round over all nodes. Errors are logged. */
  async round(scope: Scope): Promise<void> {
    const { lister, workers } = this.#options;
    const told = new Map<string, string>();
    const nodes = lister.list().filter(({ spec }) => !hasTaintKey(spec.taints, UNINITIALIZED_TAINT));
    await forEachParallel(nodes, workers, (node) => this.#visit({ scope, told, wanted: nodes.length }, node));
    this.#told = told;
  }

  async #visit({ scope, told, wanted }: Round, node: Node): Promise<void> {
    const metadata = await this.#metadata(scope, node, wanted);
    if (!metadata) return this.#remember(node, told);
    this.#tell(node, metadata, told);
    await this.#options.addresses.updateOrLog(scope, node, metadata);
    await this.#refreshLabels(scope, node, metadata);
  }

  async #metadata(scope: Scope, node: Node, wanted: number): Promise<InstanceMetadata | undefined> {
    try {
      return await this.#options.instances.metadata(scope, nodeView(node), wanted);
    } catch (thrown) {
      scope.throwIfCancelled();
      const text = `Error getting instance metadata for node addresses: ${messageOf(thrown)}`;
      this.#options.log.error(text, thrown, { node: node.metadata.name });
      return undefined;
    }
  }

  /** A round in which nothing was learnt of a node is no reason to tell everything again after it. */
  #remember({ metadata: { name } }: Node, told: Map<string, string>): void {
    const text = this.#told.get(name);
    if (text !== undefined) told.set(name, text);
  }

  #tell(node: Node, metadata: InstanceMetadata, told: Map<string, string>): void {
    const notices = [...metadata.notices, ...addressNotices(node, metadata)];
    const text = JSON.stringify(notices);
    told.set(node.metadata.name, text);
    if (this.#told.get(node.metadata.name) === text) return;
    this.#options.events.forget(node);
    this.#options.events.notices(node, notices);
  }

  async #refreshLabels(scope: Scope, { metadata: node }: Node, metadata: InstanceMetadata): Promise<void> {
    const { name, labels: present, annotations: known } = node;
    const applied = readAppliedLabels(known);
    const { changes: labels, record } = planLabels({ metadata, present, applied, overrule: false });
    const annotations = writeAppliedLabels(record, known);
    if (Object.keys(labels).length === 0 && Object.keys(annotations).length === 0) return;
    try {
      await this.#options.nodes.patch(scope, { name }, mergePatch({ metadata: { labels, annotations } }));
    } catch (thrown) {
      scope.throwIfCancelled();
      this.#options.log.error('Failed to refresh the labels of a node', thrown, { node: name, labels });
    }
  }
}
