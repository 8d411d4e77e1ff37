import { type Clock, systemClock } from './clock.ts';
import { asError, CancelledError, CombinedError, DeadlineExceededError } from './errors.ts';

type Listener = (reason: Error) => void;

/**
 * The life of some work: it can be cancelled, it can have a deadline, and it knows its children.
 *
 * Why not AbortSignal alone: `AbortSignal.any` on a long-lived root keeps an entry for every call ever made.
 * A scope removes itself from its parent when it is closed, so memory stays flat.
 */
export class Scope implements Disposable {
  readonly clock: Clock;
  readonly #parent: Scope | undefined;
  readonly #listeners = new Set<Listener>();
  #reason: Error | undefined;
  #detach: (() => void) | undefined;
  #signal: AbortController | undefined;

  private constructor(clock: Clock, parent?: Scope) {
    this.clock = clock;
    this.#parent = parent;
    if (!parent) return;
    if (parent.#reason) this.#reason = parent.#reason;
    else this.#detach = parent.onCancel((reason) => this.cancel(reason));
  }

  /** The scope of a whole process or test. */
  static root(clock: Clock = systemClock): Scope {
    return new Scope(clock);
  }

  /** A scope that ends with this one, or earlier. Close it (`using`) when its work is done. */
  child(): Scope {
    return new Scope(this.clock, this);
  }

  /**
   * A child that cancels itself with DeadlineExceededError after `timeoutMs` milliseconds.
   * @param what the subject of the error's sentence, for example `GET /api/v1/nodes`.
   */
  withDeadline(timeoutMs: number, what: string): Scope {
    const child = this.child();
    const timer = this.clock.setTimer(timeoutMs, () => child.cancel(new DeadlineExceededError(what, timeoutMs)));
    child.onCancel(() => timer.cancel());
    const detach = child.#detach;
    child.#detach = () => {
      timer.cancel();
      detach?.();
    };
    return child;
  }

  get cancelled(): boolean {
    return this.#reason !== undefined;
  }

  /** Number of listeners and children that wait for the end: flat memory can be seen here. */
  get listeners(): number {
    return this.#listeners.size;
  }

  /** Why the scope was cancelled; undefined while it lives. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** For APIs that want an AbortSignal. Made only when asked for. */
  get signal(): AbortSignal {
    if (!this.#signal) {
      const controller = new AbortController();
      this.#signal = controller;
      this.onCancel((reason) => controller.abort(reason));
    }
    return this.#signal.signal;
  }

  /** Ends the scope and its children. The first reason wins. @throws what listeners threw, when all have been told. */
  cancel(reason: Error = new CancelledError('cancelled')): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.close();
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    const failures = listeners.flatMap((listener) => failureOf(() => listener(reason)));
    const failure = CombinedError.of(failures);
    if (failure) throw failure;
  }

  /** Leaves the parent's books. Call it when the work has ended by itself. */
  close(): void {
    this.#detach?.();
    this.#detach = undefined;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** @throws the reason, if the scope was cancelled. */
  throwIfCancelled(): void {
    if (this.#reason) throw this.#reason;
  }

  /** Calls back once when the scope is cancelled, at once if it already is. Returns what takes the listener off. */
  onCancel(listener: Listener): () => void {
    if (this.#reason) {
      listener(this.#reason);
      return () => undefined;
    }
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Resolves after `ms` milliseconds. @throws the reason, if the scope is cancelled before. */
  sleep(ms: number): Promise<void> {
    return this.race((resolve) => {
      const timer = this.clock.setTimer(ms, resolve);
      return () => timer.cancel();
    });
  }

  /** Waits for a promise, but no longer than the scope lives. The promise's late result is dropped. */
  wait<T>(promise: Promise<T>): Promise<T> {
    // Of a scope that has ended already nobody listens to the promise: its failure must not end the process.
    promise.catch(() => undefined);
    return this.race((resolve, reject) => {
      promise.then(resolve, reject);
      return undefined;
    });
  }

  /** A promise that the scope's end rejects. `start` may return what to undo on that end. */
  race<T = void>(
    start: (resolve: (value: T) => void, reject: (error: Error) => void) => (() => void) | undefined,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#reason) return reject(this.#reason);
      let undo: (() => void) | undefined;
      const off = this.onCancel((reason) => {
        undo?.();
        reject(reason);
      });
      const fail = (error: unknown): void => {
        off();
        reject(asError(error));
      };
      try {
        undo = start((value) => {
          off();
          resolve(value);
        }, fail);
      } catch (thrown) {
        fail(thrown);
      }
    });
  }

  /** True if this scope or an ancestor is `other`. */
  within(other: Scope): boolean {
    return this === other || (this.#parent?.within(other) ?? false);
  }
}

function failureOf(work: () => void): readonly Error[] {
  try {
    work();
    return [];
  } catch (thrown) {
    return [asError(thrown)];
  }
}
