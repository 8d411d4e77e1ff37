import { Backoff, type Clock } from '@cloudstack-ccm/base';

/** A watch that held for this long was healthy: the next failure starts small again. */
const RESET_MS = 120_000;

/** client-go's pauses between failed lists and watches: 0.8 s, doubling up to 30 s, and up to as much again at random. */
export class WatchBackoff {
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  #lastFailure = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#backoff = new Backoff({ baseMs: 800, capMs: 30_000, jitter: 1, random });
  }

  /** The pause after one more failure, in milliseconds. */
  next(): number {
    const now = this.#clock.monotonic();
    if (now - this.#lastFailure > RESET_MS) this.#backoff.reset();
    this.#lastFailure = now;
    return this.#backoff.next();
  }
}
