import { asError, type Logger, type Scope, Tasks } from '@cloudstack-ccm/base';
import { WorkerPlaces, type Place } from './worker-places.ts';
import type { WorkQueue } from './work-queue.ts';

export interface WorkersOptions {
  readonly queue: WorkQueue;
  /** Keys worked on at the same time. */
  readonly workers: number;
  readonly log: Logger;
  /**
   * Brings the object with this key to where it should be. An error puts the key back in line: after its
   * `retryAfterMs`, if it or one of its causes carries one, otherwise with back-off.
   * @param place to let another key go ahead while this one only waits its turn.
   */
  readonly sync: (scope: Scope, key: string, place: Place) => Promise<void>;
  /**
   * What the log says of a key that goes back in line. Default: client-go's `error syncing '<key>': <error>, requeuing`.
   * @param retryAfterMs undefined for back-off.
   */
  readonly describeFailure?: (key: string, error: Error, retryAfterMs: number | undefined) => string;
}

/**
 * Works the queue off until the scope is cancelled, then shuts the queue down and resolves when the work at hand has
 * ended. No error of `sync` ends it.
 */
export async function runWorkers(scope: Scope, options: WorkersOptions): Promise<void> {
  const { queue, log } = options;
  const tasks = new Tasks(scope, log);
  const off = scope.onCancel(() => queue.shutDown());
  tasks.spawn(`${queue.name}-workers`, (own) => dispatch(own, tasks, options));
  await tasks.drain();
  off();
}

/** A key is taken out of the line only when it can be worked on: until then it may still be joined by others. */
async function dispatch(scope: Scope, tasks: Tasks, options: WorkersOptions): Promise<void> {
  const { queue, workers } = options;
  const places = new WorkerPlaces(workers);
  for (;;) {
    await places.vacancy(scope);
    const key = await queue.get();
    if (key === undefined) return;
    const place = await places.enter(scope).catch((thrown: unknown) => {
      queue.done(key);
      throw thrown;
    });
    tasks.spawn(`${queue.name}-worker`, async (own) => {
      if (!own.cancelled) await syncOne(own, options, key, place);
      place.leave();
      queue.done(key);
    });
  }
}

/** Never rejects. */
async function syncOne(scope: Scope, options: WorkersOptions, key: string, place: Place): Promise<void> {
  const { queue, log, sync, describeFailure = requeuing } = options;
  try {
    await sync(scope, key, place);
    queue.forget(key);
  } catch (thrown) {
    if (scope.cancelled) return;
    const delayMs = retryAfterOf(thrown);
    if (delayMs === undefined) queue.addRateLimited(key);
    else queue.addAfter(key, delayMs);
    log.error(describeFailure(key, asError(thrown), delayMs), asError(thrown), {
      queue: queue.name,
      ...(delayMs !== undefined && { retryAfterMs: delayMs }),
    });
  }
}

function requeuing(key: string, { message }: Error): string {
  return `error syncing '${key}': ${message}, requeuing`;
}

/** The fixed pause that an error, or an error it wraps, asks for. */
function retryAfterOf(thrown: unknown): number | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ('retryAfterMs' in error && typeof error.retryAfterMs === 'number') return error.retryAfterMs;
  }
  return undefined;
}
