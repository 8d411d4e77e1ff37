import type { Scope } from './scope.ts';

/**
 * At most `width` holders per key at a time; later ones wait in order. A key that nobody holds or waits for takes no
 * memory.
 */
export class KeyedLock<K = string> {
  readonly #width: number;
  readonly #keys = new Map<K, { holders: number; readonly waiters: Set<() => void> }>();

  constructor(width = 1) {
    this.#width = width;
  }

  /** Keys that are held now. */
  get size(): number {
    return this.#keys.size;
  }

  /** True if the key can be had without waiting. */
  isFree(key: K): boolean {
    return (this.#keys.get(key)?.holders ?? 0) < this.#width;
  }

  /** Runs `work` while holding the key. @throws the scope's reason if it is cancelled while waiting. */
  async run<T>(scope: Scope, key: K, work: () => Promise<T>): Promise<T> {
    await this.#acquire(scope, key);
    try {
      return await work();
    } finally {
      this.#release(key);
    }
  }

  async #acquire(scope: Scope, key: K): Promise<void> {
    scope.throwIfCancelled();
    const entry = this.#keys.get(key) ?? { holders: 0, waiters: new Set() };
    this.#keys.set(key, entry);
    if (entry.holders < this.#width) {
      entry.holders++;
      return;
    }
    await scope.race((resolve) => {
      const waiter = (): void => resolve();
      entry.waiters.add(waiter);
      return () => entry.waiters.delete(waiter);
    });
  }

  /** Hands the place to the next waiter, so that no newcomer overtakes it. */
  #release(key: K): void {
    const entry = this.#keys.get(key);
    if (!entry) return;
    const [next] = entry.waiters;
    if (next) {
      entry.waiters.delete(next);
      next();
      return;
    }
    entry.holders--;
    if (entry.holders === 0) this.#keys.delete(key);
  }
}
