import type { Scope, Timer } from '@cloudstack-ccm/base';

/** Cancels a scope when nothing has happened for too long. */
export class Watchdog {
  readonly #scope: Scope;
  readonly #idleMs: number;
  readonly #reason: () => Error;
  #lastSign: number;
  #timer: Timer;

  /** @param reason what the scope is then cancelled with. */
  constructor(scope: Scope, idleMs: number, reason: () => Error) {
    this.#scope = scope;
    this.#idleMs = idleMs;
    this.#reason = reason;
    this.#lastSign = scope.clock.monotonic();
    this.#timer = this.#arm(idleMs);
  }

  /** Something has happened. Cheap: the timer is only moved when it goes off. */
  sign(): void {
    this.#lastSign = this.#scope.clock.monotonic();
  }

  stop(): void {
    this.#timer.cancel();
  }

  #arm(ms: number): Timer {
    return this.#scope.clock.setTimer(ms, () => {
      const left = this.#lastSign + this.#idleMs - this.#scope.clock.monotonic();
      if (left > 0) this.#timer = this.#arm(left);
      else this.#scope.cancel(this.#reason());
    });
  }
}
