import type { Clock, Timer } from './clock.ts';

interface Pending {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock for tests: time stands still until `advance` is called. */
export class FakeClock implements Clock {
  #elapsed = 0;
  #order = 0;
  readonly #start: number;
  readonly #pending = new Set<Pending>();

  /** @param start wall time in milliseconds since the epoch at which the clock stands first. */
  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#start = start;
  }

  now(): number {
    return this.#start + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    const pending = { due: this.#elapsed + Math.max(0, delayMs), order: this.#order++, callback };
    this.#pending.add(pending);
    return { cancel: () => void this.#pending.delete(pending) };
  }

  /** Number of timers that wait: lets a test see that something has gone to sleep. */
  get timers(): number {
    return this.#pending.size;
  }

  /** Lets `ms` milliseconds pass, firing timers in order and giving promises a chance to run after each. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    await settle();
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#pending.delete(next);
      this.#elapsed = next.due;
      next.callback();
      await settle();
    }
    this.#elapsed = end;
  }

  #next(end: number): Pending | undefined {
    let first: Pending | undefined;
    for (const pending of this.#pending) {
      if (pending.due > end) continue;
      if (!first || pending.due < first.due || (pending.due === first.due && pending.order < first.order)) {
        first = pending;
      }
    }
    return first;
  }
}

/** Waits until the promise jobs that are ready now, and those they cause, have run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
