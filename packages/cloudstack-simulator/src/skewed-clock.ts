import type { Clock, Timer } from '@cloudstack-ccm/base';

/** A clock whose wall time can be wrong, as that of a server without time synchronisation. Durations stay right. */
export class SkewedClock implements Clock {
  readonly #clock: Clock;
  /** Milliseconds that the wall time is ahead; behind, if negative. */
  skewMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now() + this.skewMs;
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    return this.#clock.setTimer(delayMs, callback);
  }
}
