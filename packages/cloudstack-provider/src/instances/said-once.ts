import type { Clock } from '@cloudstack-ccm/base';

/** What has not come up for so long is forgotten, and would be said again. */
const FORGET_MS = 60 * 60_000;

/** Remembers what was said, so that a state that lasts is not told in each pass. */
export class SaidOnce {
  readonly #clock: Clock;
  readonly #seen = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True the first time it is asked about this key. */
  first(key: string): boolean {
    const now = this.#clock.monotonic();
    for (const [old, at] of this.#seen) {
      if (now - at < FORGET_MS) break;
      this.#seen.delete(old);
    }
    const first = !this.#seen.has(key);
    // Back to the end: the map stays in the order in which keys came up last.
    this.#seen.delete(key);
    this.#seen.set(key, now);
    return first;
  }

  get size(): number {
    return this.#seen.size;
  }
}
