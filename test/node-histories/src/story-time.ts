import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Clock, Timer } from '@cloudstack-ccm/base';
import { OpenRequests } from './open-requests.ts';

interface Alarm {
  readonly due: number;
  readonly order: number;
  readonly ring: () => void;
}

/** Turns of the event loop after which everything that was under way has arrived. */
const QUIET_TURNS = 6;

/** An answer that is not there after so many turns without progress, and some real time, never comes. */
const HOPELESS_TURNS = 150;
const PATIENCE_MS = 2;

const requests = new OpenRequests();

/**
 * The time of one history. It goes on only when nothing can happen without it: real sockets then take no time, and a
 * deadline passes only where an answer never comes.
 */
export class StoryTime implements Clock {
  readonly #alarms = new Set<Alarm>();
  readonly #patienceMs: number;
  #elapsed = 0;
  #order = 0;

  /** @param patienceMs how long an answer may take in real time, without anything else going on */
  constructor(patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
  }

  now(): number {
    return Date.UTC(2026, 0, 1) + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    const alarm = { due: this.#elapsed + Math.max(0, delayMs), order: this.#order++, ring: callback };
    this.#alarms.add(alarm);
    return { cancel: () => void this.#alarms.delete(alarm) };
  }

  /** Lets so many milliseconds pass. */
  async pass(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    await this.settle();
    for (let alarm = this.#next(end); alarm; alarm = this.#next(end)) {
      this.#alarms.delete(alarm);
      this.#elapsed = Math.max(this.#elapsed, alarm.due);
      alarm.ring();
      await this.settle();
    }
    this.#elapsed = end;
  }

  /** Lets time pass until the work has ended. */
  async until(work: Promise<unknown>): Promise<void> {
    const end = { reached: false };
    const reach = (): void => void (end.reached = true);
    const settled = work.then(reach, reach);
    await this.settle();
    for (let turn = 0; turn < 10_000 && !end.reached; turn++) {
      const alarm = this.#next(Infinity);
      if (alarm) {
        this.#alarms.delete(alarm);
        this.#elapsed = Math.max(this.#elapsed, alarm.due);
        alarm.ring();
      }
      await this.settle();
    }
    if (!end.reached) throw new Error('work did not end, however long it was waited for');
    await settled;
  }

  /** Returns when nothing more happens without time passing. */
  async settle(): Promise<void> {
    let quiet = 0;
    let waited = 0;
    let begun = requests.begun;
    let open = requests.size;
    while (quiet < QUIET_TURNS) {
      await setImmediate();
      const moved = begun !== requests.begun || open !== requests.size;
      begun = requests.begun;
      open = requests.size;
      waited = moved ? 0 : waited + 1;
      quiet = moved || open > 0 ? 0 : quiet + 1;
      if (waited < HOPELESS_TURNS || open === 0) continue;
      await setTimeout(this.#patienceMs);
      if (open === requests.size && begun === requests.begun) requests.giveUp();
      waited = 0;
    }
  }

  #next(end: number): Alarm | undefined {
    let first: Alarm | undefined;
    for (const alarm of this.#alarms) {
      if (alarm.due > end) continue;
      if (!first || alarm.due < first.due || (alarm.due === first.due && alarm.order < first.order)) first = alarm;
    }
    return first;
  }
}
