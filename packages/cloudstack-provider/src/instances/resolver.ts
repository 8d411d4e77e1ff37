import type { Scope } from '@cloudstack-ccm/base';
import type { NodeView } from '@cloudstack-ccm/cloud-controllers';
import type { VirtualMachine } from '@cloudstack-ccm/cloudstack-client';
import type { Inventory } from '../inventory/inventory.ts';
import { match, type Match } from './match.ts';

/** Nodes with their machines. Every node asked for is in one of the two lists. */
export interface Resolution {
  readonly resolved: readonly { readonly node: NodeView; readonly vm: VirtualMachine }[];
  /** `reason` is a sentence that names the node. A node that did not resolve is no reason to remove anything. */
  readonly unresolved: readonly { readonly node: NodeView; readonly reason: string }[];
}

/** A machine that is missing from a list of this age is looked for once more. */
const DOUBTFUL_AGE_MS = 10_000;

/** Which virtual machine is which node: the one answer for nodes and load balancers alike. */
export class Resolver {
  readonly #inventory: Inventory;

  constructor(inventory: Inventory) {
    this.#inventory = inventory;
  }

  /**
   * Finds the machines of many nodes in the shared list. When one is missing, the list is read once more unless it is
   * new, so that a node that has just joined is found.
   * @throws the client's errors when the machines cannot be listed
   */
  async resolve(scope: Scope, nodes: readonly NodeView[]): Promise<Resolution> {
    const first = await this.#matchAll(scope, nodes);
    if (!first.some(({ found }) => found.kind === 'missing')) return divide(first);
    return divide(await this.#matchAll(scope, nodes, DOUBTFUL_AGE_MS));
  }

  async #matchAll(scope: Scope, nodes: readonly NodeView[], maxAgeMs?: number): Promise<readonly Matched[]> {
    const machines = await this.#inventory.machines(scope, maxAgeMs);
    return nodes.map((node) => ({ node, found: match(node, machines) }));
  }
}

interface Matched {
  readonly node: NodeView;
  readonly found: Match;
}

function divide(matched: readonly Matched[]): Resolution {
  return {
    resolved: matched.flatMap(({ node, found }) => (found.kind === 'found' ? [{ node, vm: found.vm }] : [])),
    unresolved: matched.flatMap(({ node, found }) => (found.kind === 'found' ? [] : [{ node, reason: found.reason }])),
  };
}
