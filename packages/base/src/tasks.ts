import type { Backoff } from './backoff.ts';
import { CancelledError, asError } from './errors.ts';
import type { Logger } from './log.ts';
import type { Scope } from './scope.ts';

/**
 * The background work of one owner. Every loop of the project goes through `spawn`: an unhandled rejection would end
 * the process, and a loop that nobody waits for would outlive its owner.
 */
export class Tasks {
  readonly #scope: Scope;
  readonly #log: Logger;
  readonly #running = new Set<Promise<void>>();

  constructor(scope: Scope, log: Logger) {
    this.#scope = scope;
    this.#log = log;
  }

  /** Runs `work` once. An error is logged and ends only this work. */
  spawn(name: string, work: (scope: Scope) => Promise<void>): void {
    const scope = this.#scope.child();
    const task = this.#guard(name, scope, work).then(() => {
      scope.close();
      this.#running.delete(task);
    });
    this.#running.add(task);
  }

  /** Runs `work` again whenever it ends or fails, after a pause, until the scope is cancelled. */
  loop(name: string, backoff: Backoff, work: (scope: Scope) => Promise<void>): void {
    this.spawn(name, async (scope) => {
      while (!scope.cancelled) {
        if (await this.#guard(name, scope, work)) backoff.reset();
        if (!scope.cancelled) await scope.sleep(backoff.next());
      }
    });
  }

  /** Resolves when all work has ended. Cancel the scope first, or wait for long. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** True if the work ended without an error. */
  async #guard(name: string, scope: Scope, work: (scope: Scope) => Promise<void>): Promise<boolean> {
    try {
      await work(scope);
      return true;
    } catch (thrown) {
      if (thrown instanceof CancelledError || (scope.cancelled && thrown === scope.reason)) return false;
      this.#log.error('Background work failed', asError(thrown), { task: name });
      return false;
    }
  }
}
