import type { Informer, Node } from '@cloudstack-ccm/kubernetes';

import type { NodeView } from '../cloud.ts';
import { stableNodes } from './stable-nodes.ts';

/**
 * Who belongs to load balancers at one time: provider IDs by node name. Equal sets are one object, so that hundreds of
 * Services remember thousands of nodes at no cost.
 */
export type NodeSet = ReadonlyMap<string, string>;

export interface Members {
  readonly nodes: readonly NodeView[];
  readonly set: NodeSet;
}

export class NodeSets {
  readonly #lister: Informer<Node>['lister'];
  #last: NodeSet = new Map();

  constructor(lister: Informer<Node>['lister']) {
    this.#lister = lister;
  }

  /** As the lister has them now. */
  current(): Members {
    const nodes = stableNodes(this.#lister.list());
    const set = new Map(nodes.map(({ name, providerId }) => [name, providerId]));
    if (!sameSet(this.#last, set)) this.#last = set;
    return { nodes, set: this.#last };
  }
}

export function sameSet(left: NodeSet, right: NodeSet): boolean {
  if (left === right) return true;
  return left.size === right.size && [...right].every(([name, providerId]) => left.get(name) === providerId);
}
