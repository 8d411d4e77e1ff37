import type { Clock } from '@cloudstack-ccm/base';

/**
 * Tells few from many. A few things are asked for one by one, which is cheapest in a large cloud; when many are wanted
 * within a short time, they should share one list.
 */
export class SingleQuestions {
  readonly #clock: Clock;
  readonly #count: number;
  readonly #windowMs: number;
  #asked: readonly number[] = [];

  /** @param count so many are few, within `windowMs` */
  constructor(clock: Clock, count: number, windowMs: number) {
    this.#clock = clock;
    this.#count = count;
    this.#windowMs = windowMs;
  }

  /** True, and counted, if one more may be asked for singly now. */
  take(): boolean {
    const now = this.#clock.monotonic();
    this.#asked = this.#asked.filter((at) => now - at < this.#windowMs);
    if (this.#asked.length >= this.#count) return false;
    this.#asked = [...this.#asked, now];
    return true;
  }
}
