import type { Clock, Scope } from '@cloudstack-ccm/base';
import type { NodeView } from '@cloudstack-ccm/cloud-controllers';
import { IncompleteListError, NotFoundError, type VirtualMachine } from '@cloudstack-ccm/cloudstack-client';
import type { Inventory } from '../inventory/inventory.ts';
import type { MachineSnapshot } from '../inventory/machine-snapshot.ts';
import { SingleQuestions } from '../inventory/single-questions.ts';
import { match, namesOf, type Match } from './match.ts';
import { readProviderId } from './provider-id.ts';

/** A list of this age is as good as an answer of its own. */
const FRESH_MS = 10_000;

/** So many single questions within that time; more nodes than that are served from one list. */
const SINGLE_QUESTIONS = 5;

type Cloud = Pick<Inventory, 'machines' | 'machinesAgeMs' | 'machineById' | 'machinesByName' | 'invalidateMachines'>;

/**
 * Finds the machine of one node at a time. A few nodes are asked for one by one, which is cheapest in a large cloud;
 * when many are wanted within a short time, they share one list.
 */
export class MachineFinder {
  readonly #inventory: Cloud;
  readonly #questions: SingleQuestions;

  constructor(inventory: Cloud, clock: Clock) {
    this.#inventory = inventory;
    this.#questions = new SingleQuestions(clock, SINGLE_QUESTIONS, FRESH_MS);
  }

  /**
   * @param wanted how many nodes are looked for at about this time
   * @throws the client's errors when the cloud cannot be asked
   */
  async find(scope: Scope, node: NodeView, wanted = 1): Promise<Match> {
    const age = this.#inventory.machinesAgeMs();
    const listed = age !== undefined && age < FRESH_MS;
    const singly = !listed && wanted <= SINGLE_QUESTIONS && this.#questions.take();
    return singly ? this.#ask(scope, node) : this.#findInList(scope, node);
  }

  async #findInList(scope: Scope, node: NodeView): Promise<Match> {
    const machines = await this.#list(scope);
    if (!machines) return this.#ask(scope, node);
    const found = match(node, machines);
    // An administrator's list spans all accounts. The keys' own account may know only one of the namesakes.
    if (found.kind === 'ambiguous') return this.#ask(scope, node);
    return found.kind === 'missing' && this.#questions.take() ? this.#askForYounger(scope, node) : found;
  }

  /** Undefined when so much comes and goes that the list cannot be read whole, and a single question is left. */
  async #list(scope: Scope): Promise<MachineSnapshot | undefined> {
    try {
      return await this.#inventory.machines(scope, FRESH_MS);
    } catch (error) {
      if (error instanceof IncompleteListError && this.#questions.take()) return undefined;
      throw error;
    }
  }

  /** The machine of a node that has just joined may be younger than the list; load balancers then need a new list too. */
  async #askForYounger(scope: Scope, node: NodeView): Promise<Match> {
    const found = await this.#ask(scope, node);
    if (found.kind === 'found') this.#inventory.invalidateMachines();
    return found;
  }

  async #ask(scope: Scope, node: NodeView): Promise<Match> {
    const providerId = readProviderId(node.providerId);
    const byId = providerId.kind === 'machine';
    const found = byId ? await this.#byId(scope, providerId.id) : await this.#byNames(scope, node);
    // Display names can only be searched in the list, which all share.
    const list = byId || found.length > 0 ? undefined : await this.#inventory.machines(scope, FRESH_MS);
    return match(node, {
      byId: () => found[0],
      byName: (name) => found.filter((machine) => machine.name.toLowerCase() === name.toLowerCase()),
      byDisplayName: (name) => list?.byDisplayName(name) ?? [],
    });
  }

  async #byId(scope: Scope, id: string): Promise<readonly VirtualMachine[]> {
    try {
      const machine = await this.#inventory.machineById(scope, id);
      return machine ? [machine] : [];
    } catch (error) {
      if (error instanceof NotFoundError) return [];
      throw error;
    }
  }

  async #byNames(scope: Scope, node: NodeView): Promise<readonly VirtualMachine[]> {
    for (const listAll of [false, true]) {
      for (const name of namesOf(node)) {
        const found = await this.#inventory.machinesByName(scope, name, listAll);
        if (found.length > 0) return found;
      }
    }
    return [];
  }
}
