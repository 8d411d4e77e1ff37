import type { Scope } from './scope.ts';
import type { Clock } from './clock.ts';

/** A budget of calls: `perSecond` on average, `burst` at once. Waiters are served in order. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #updated: number;

  /** @param perSecond tokens that come back each second; 0 or less means no limit. */
  constructor(clock: Clock, perSecond: number, burst: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#burst = Math.max(1, burst);
    this.#tokens = this.#burst;
    this.#updated = clock.monotonic();
  }

  /**
   * Takes a token now, on credit if need be, and tells when it becomes valid.
   * @returns milliseconds to wait before using it; 0 when one was at hand.
   */
  reserve(): number {
    if (this.#perSecond <= 0) return 0;
    const now = this.#clock.monotonic();
    const earned = ((now - this.#updated) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#burst, this.#tokens + earned) - 1;
    this.#updated = now;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#perSecond) * 1000;
  }

  /** Gives back a token whose user went away before using it. */
  refund(): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + 1);
  }

  /** Waits for a token. @throws the scope's reason if it is cancelled first; the token is then given back. */
  async take(scope: Scope): Promise<void> {
    const delay = this.reserve();
    if (delay === 0) return;
    try {
      await scope.sleep(delay);
    } catch (cancelled) {
      this.refund();
      throw cancelled;
    }
  }
}
