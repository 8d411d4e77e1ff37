import { backoffDelay, type Clock, type Metrics, systemClock, type Timer, TokenBucket } from '@cloudstack-ccm/base';
import { WorkQueueMetrics } from './work-queue-metrics.ts';

export interface WorkQueueOptions {
  /** The `name` label of its metrics. */
  readonly name: string;
  /** Default: the system's clock. */
  readonly clock?: Clock;
  /** Default: not measured. */
  readonly metrics?: Metrics;
  /** Pause after a key's first failure in milliseconds; it doubles with each one. Default 5. */
  readonly baseDelayMs?: number;
  /** Longest pause of a key in milliseconds. Default 1,000,000. */
  readonly maxDelayMs?: number;
  /** Rate-limited adds per second over all keys. Default: no such limit. */
  readonly qps?: number;
  /** Rate-limited adds at once. Default 100; counts only with `qps`. */
  readonly burst?: number;
}

/**
 * Keys that wait for work, with client-go's semantics: a key waits at most once, is in work at most once, and one
 * that is added while in work runs again afterwards.
 */
export class WorkQueue {
  readonly name: string;
  readonly #clock: Clock;
  readonly #delays: { readonly baseMs: number; readonly capMs: number };
  readonly #bucket: TokenBucket | undefined;
  readonly #metrics: WorkQueueMetrics;
  /** Waiting, in order. */
  readonly #ready = new Set<string>();
  /** Every key that must still be worked on, whether it waits or is in work now. */
  readonly #dirty = new Set<string>();
  readonly #processing = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #delayed = new Map<string, { readonly due: number; readonly timer: Timer }>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  readonly #idle: (() => void)[] = [];
  #shuttingDown = false;

  constructor(options: WorkQueueOptions) {
    this.name = options.name;
    this.#clock = options.clock ?? systemClock;
    this.#delays = { baseMs: options.baseDelayMs ?? 5, capMs: options.maxDelayMs ?? 1_000_000 };
    if (options.qps !== undefined) this.#bucket = new TokenBucket(this.#clock, options.qps, options.burst ?? 100);
    this.#metrics = new WorkQueueMetrics(options.name, this.#clock, options.metrics);
  }

  /** Keys that wait now, those put off for later not counted. */
  get length(): number {
    return this.#ready.size;
  }

  get shuttingDown(): boolean {
    return this.#shuttingDown;
  }

  /** Puts the key in line, unless it waits already. */
  add(key: string): void {
    if (this.#shuttingDown || this.#dirty.has(key)) return;
    this.#dirty.add(key);
    this.#metrics.added(key);
    if (!this.#processing.has(key)) this.#offer(key);
    this.#measureDepth();
  }

  /** Adds the key in `delayMs` milliseconds. If it is put off already, the earlier time holds. */
  addAfter(key: string, delayMs: number): void {
    if (this.#shuttingDown) return;
    this.#metrics.retried();
    if (delayMs <= 0) return this.add(key);
    const due = this.#clock.monotonic() + delayMs;
    const known = this.#delayed.get(key);
    if (known && known.due <= due) return;
    known?.timer.cancel();
    const timer = this.#clock.setTimer(delayMs, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { due, timer });
  }

  /** Adds the key after a pause that doubles with each call until `forget`. */
  addRateLimited(key: string): void {
    if (this.#shuttingDown) return;
    const failures = this.failures(key);
    this.#failures.set(key, failures + 1);
    this.addAfter(key, Math.max(backoffDelay(this.#delays, failures), this.#bucket?.reserve() ?? 0));
  }

  /** Clears the key's count of failures. It changes nothing about whether the key waits. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** Rate-limited adds since the last `forget`. */
  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** The next key to work on; call `done` when it is worked off. Undefined once the queue is shut down and empty. */
  get(): Promise<string | undefined> {
    const [key] = this.#ready;
    if (key !== undefined) {
      this.#ready.delete(key);
      return Promise.resolve(this.#take(key));
    }
    if (this.#shuttingDown) return Promise.resolve(undefined);
    return new Promise((resolve) => this.#takers.push(resolve));
  }

  /** The work on the key has ended, well or badly. */
  done(key: string): void {
    if (!this.#processing.delete(key)) return;
    this.#metrics.finished(key);
    if (this.#dirty.has(key)) this.#offer(key);
    this.#measureDepth();
    this.#tellIfIdle();
  }

  /** Takes no more keys and drops those put off for later. What waits is still handed out. */
  shutDown(): void {
    this.#shuttingDown = true;
    for (const { timer } of this.#delayed.values()) timer.cancel();
    this.#delayed.clear();
    for (const taker of this.#takers.splice(0)) taker(undefined);
    this.#failures.clear();
    this.#tellIfIdle();
  }

  /** Shuts down, and resolves when every key that waited or was in work is done. */
  async drain(): Promise<void> {
    this.shutDown();
    if (this.#processing.size + this.#ready.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #offer(key: string): void {
    const taker = this.#takers.shift();
    if (taker) taker(this.#take(key));
    else this.#ready.add(key);
  }

  #take(key: string): string {
    this.#dirty.delete(key);
    this.#processing.add(key);
    this.#metrics.taken(key);
    this.#measureDepth();
    return key;
  }

  #measureDepth(): void {
    this.#metrics.depth(this.#dirty.size);
  }

  #tellIfIdle(): void {
    if (!this.#shuttingDown || this.#processing.size + this.#ready.size > 0) return;
    this.#metrics.close();
    for (const listener of this.#idle.splice(0)) listener();
  }
}
