import type { Informer, Node } from '@cloudstack-ccm/kubernetes';

import type { NodeView, ReadyNodes } from '../cloud.ts';
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
  /** Hundreds of Services may wait with their nodes in hand: as long as no node has changed, it is one list. */
  #seen: readonly Node[] = [];
  #last: Members = { nodes: [], set: new Map() };

  constructor(lister: Informer<Node>['lister']) {
    this.#lister = lister;
  }

  /** As the lister has them now. */
  current(): Members {
    const seen = this.#lister.list();
    if (sameItems(this.#seen, seen)) return this.#last;
    const nodes = stableNodes(seen);
    const set = new Map(nodes.map(({ name, providerId }) => [name, providerId]));
    this.#seen = seen;
    this.#last = { nodes, set: sameSet(this.#last.set, set) ? this.#last.set : set };
    return this.#last;
  }
}

/** Of the nodes, those that a Service chooses; all when it does not choose. */
export function chosen({ nodes, set }: Members, filter: ((node: NodeView) => boolean) | undefined): NodeSet {
  return filter ? new Map(nodes.filter(filter).map(({ name, providerId }) => [name, providerId])) : set;
}

/** Of the nodes, those that a Service asks for by its ready endpoints; all while those are not known. */
export function withEndpoints(set: NodeSet, readyNodes: ReadyNodes | undefined): NodeSet {
  if (readyNodes?.kind !== 'known') return set;
  return new Map([...set].filter(([name]) => readyNodes.names.has(name)));
}

export function sameSet(left: NodeSet, right: NodeSet): boolean {
  if (left === right) return true;
  return left.size === right.size && [...right].every(([name, providerId]) => left.get(name) === providerId);
}

function sameItems<T>(left: readonly T[], right: readonly T[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}
