import type { Clock } from '@cloudstack-ccm/base';

/** Answers that hold for a while. When it is full the oldest goes, so nobody can fill the memory by asking. */
export class ExpiringCache<T> {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #entries = new Map<string, { readonly value: T; readonly until: number }>();

  constructor(clock: Clock, limit = 1024) {
    this.#clock = clock;
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.until > this.#clock.monotonic()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: T, ttlMs: number): void {
    if (ttlMs <= 0) return;
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: this.#clock.monotonic() + ttlMs });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#limit && oldest !== undefined) this.#entries.delete(oldest);
  }
}
