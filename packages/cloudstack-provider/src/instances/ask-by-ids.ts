import { asError, type Scope } from '@cloudstack-ccm/base';
import { NotFoundError, type VirtualMachine } from '@cloudstack-ccm/cloudstack-client';
import type { Inventory } from '../inventory/inventory.ts';

/** What was answered for an id: the machine, that it is not there, or why it could not be told. */
export type Answer = VirtualMachine | 'absent' | Error;

/** Ids in one call. More would not fit into the URL that servers take. */
const IDS_PER_CALL = 150;

/** Calls in one pass. What is left over is asked in a later one. */
const MOST_CALLS = 5;

/**
 * Asks for many machines by id with few calls. An id that the installation has never had makes CloudStack refuse the
 * whole call; its text names that id, which is then left out.
 */
export class AskByIds {
  readonly #scope: Scope;
  readonly #inventory: Pick<Inventory, 'machinesByIds'>;
  readonly #answers = new Map<string, Answer>();
  #calls = 0;

  constructor(scope: Scope, inventory: Pick<Inventory, 'machinesByIds'>) {
    this.#scope = scope;
    this.#inventory = inventory;
  }

  /** @returns an answer for each id that was asked for; one without an answer was not asked for */
  async ask(ids: readonly string[]): Promise<ReadonlyMap<string, Answer>> {
    for (let start = 0; start < ids.length; start += IDS_PER_CALL) {
      await this.#askBatch(ids.slice(start, start + IDS_PER_CALL));
    }
    return this.#answers;
  }

  async #askBatch(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    if (this.#calls++ >= MOST_CALLS) return this.#all(ids, new Error('too many machines to ask for in one pass'));
    try {
      const found = await this.#inventory.machinesByIds(this.#scope, ids);
      const byId = new Map(found.map((machine) => [machine.id.toLowerCase(), machine]));
      for (const id of ids) this.#answers.set(id, byId.get(id) ?? 'absent');
    } catch (error) {
      const rejected = error instanceof NotFoundError ? ids.filter((id) => error.text.includes(`value=${id} `)) : [];
      const left = ids.filter((id) => !rejected.includes(id));
      this.#all(rejected.length > 0 ? rejected : ids, asError(error));
      if (rejected.length > 0) await this.#askBatch(left);
    }
  }

  #all(ids: readonly string[], answer: Answer): void {
    for (const id of ids) this.#answers.set(id, answer);
  }
}
