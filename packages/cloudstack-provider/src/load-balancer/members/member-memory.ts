import type { Clock } from '@cloudstack-ccm/base';
import type { Action } from '../plan/actions.ts';
import type { Member } from './members.ts';

interface Known {
  readonly members: readonly Member[];
  /** Monotonic. */
  readonly readAt: number;
}

/** Longest time for which what was read is believed, whatever we have done since. */
const BELIEVED_MS = 60 * 60_000;

/**
 * The members of rules, as they were read, with what we have changed since. CloudStack lists members only rule by rule,
 * so this is what makes a look at a thousand unchanged Services cheap. See docs/adr/0013.
 */
export class MemberMemory {
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Undefined when they are not known, or have not been read for long. */
  recall(ruleId: string): readonly Member[] | undefined {
    this.#forgetOld();
    return this.#known.get(ruleId)?.members;
  }

  remember(ruleId: string, members: readonly Member[]): void {
    // Put at the end, so that the oldest come first.
    this.#known.delete(ruleId);
    this.#known.set(ruleId, { members, readAt: this.#clock.monotonic() });
    this.#forgetOld();
  }

  forget(ruleId: string): void {
    this.#known.delete(ruleId);
  }

  /** Draws the consequences of an action on the rule of that id. One that failed may have done anything. */
  learn(action: Action, result: 'done' | 'failed', ruleId: string): void {
    if (result === 'failed' || action.kind === 'delete-rule' || choosesAddresses(action)) this.forget(ruleId);
    else if (action.kind === 'create-rule') this.remember(ruleId, []);
    else if (action.kind === 'add-members') this.#change(ruleId, (members) => [...members, ...action.members]);
    else if (action.kind === 'remove-members') {
      const gone = new Set(action.members.map(({ machineId }) => machineId));
      this.#change(ruleId, (members) => members.filter(({ machineId }) => !gone.has(machineId)));
    }
  }

  clear(): void {
    this.#known.clear();
  }

  get size(): number {
    return this.#known.size;
  }

  #forgetOld(): void {
    for (const [id, { readAt }] of this.#known) {
      if (this.#clock.monotonic() - readAt < BELIEVED_MS) return;
      this.#known.delete(id);
    }
  }

  #change(ruleId: string, change: (members: readonly Member[]) => readonly Member[]): void {
    const known = this.#known.get(ruleId);
    if (known) this.#known.set(ruleId, { ...known, members: change(known.members) });
  }
}

/** What is left of a member of which some addresses come or go is better read. */
function choosesAddresses(action: Action): boolean {
  return 'members' in action && action.members.some(({ addresses }) => addresses !== undefined);
}
