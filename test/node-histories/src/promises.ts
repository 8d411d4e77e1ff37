import { USER_AGENT } from './controller.ts';
import type { Stage } from './happenings/happening.ts';
import { SHUTDOWN, type NodeNow } from './nodes.ts';
import { machineIdOf } from './provider-ids.ts';

/** A promise that a history saw broken. */
export class BrokenPromise extends Error {}

/** Watches over what must hold at every moment of a history. */
export class Promises {
  readonly #stage: Stage;
  readonly #providerIds = new Map<string, string>();
  readonly #tainted = new Set<string>();
  #seen = 0;
  /** Nodes that the controller deleted. */
  deletions = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** @throws BrokenPromise */
  check(): void {
    this.#checkWrites();
    for (const node of this.#stage.nodes.list()) {
      this.#checkProviderId(node);
      this.#checkTaint(node);
    }
  }

  #checkWrites(): void {
    const { entries } = this.#stage.nodes.simulator.writeLog;
    for (const entry of entries.slice(this.#seen)) {
      if (entry.resource !== 'nodes' || !entry.userAgent.startsWith(USER_AGENT)) continue;
      if (entry.verb === 'delete' && entry.changed) this.#checkDeletion(entry.name, entry.body);
      if (entry.body.includes('providerID') && entry.status === 422) {
        throw new BrokenPromise(`it tried to overwrite the provider ID of ${entry.name}: ${entry.body}`);
      }
    }
    this.#seen = entries.length;
  }

  #checkDeletion(name: string, body: string): void {
    this.deletions++;
    const uid = /"uid":"([^"]+)"/.exec(body)?.[1] ?? '';
    const providerId = this.#providerIds.get(uid) ?? '';
    if (providerId.startsWith('kind:')) throw new BrokenPromise(`it deleted ${name}, which is another system's`);
    if (!this.#stage.nodes.wasSilentLately(uid)) {
      throw new BrokenPromise(`it deleted ${name}, which was ready all the time`);
    }
    const machine = machineIdOf(providerId);
    if (machine === '') throw new BrokenPromise(`it deleted ${name} (${uid}), of whose machine nothing is known`);
    if (!this.#stage.machines.wasDeadLately(machine)) {
      throw new BrokenPromise(
        `it deleted ${name}, whose machine ${machine} lives: ${this.#stage.machines.state(machine)}`,
      );
    }
  }

  #checkProviderId({ name, uid, providerId }: NodeNow): void {
    const before = this.#providerIds.get(uid);
    if (before !== undefined && before !== '' && before !== providerId) {
      throw new BrokenPromise(`the provider ID of ${name} was ${before} and is ${providerId}`);
    }
    this.#providerIds.set(uid, providerId);
  }

  #checkTaint({ name, uid, providerId, taints }: NodeNow): void {
    const has = taints.includes(SHUTDOWN);
    const machine = machineIdOf(providerId) || (this.#stage.nodes.machineOf(uid)?.id ?? '');
    if (has && !this.#tainted.has(uid) && !this.#stage.machines.wasStoppedLately(machine)) {
      throw new BrokenPromise(`${name} is marked as shut down, and its machine was not stopped`);
    }
    if (has) this.#tainted.add(uid);
    else this.#tainted.delete(uid);
  }
}
