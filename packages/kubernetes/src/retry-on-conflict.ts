import type { Scope } from '@cloudstack-ccm/base';
import { StatusError } from './errors.ts';

export interface RetryOnConflictOptions {
  /** Default 5. */
  readonly tries?: number;
  /** Pauses last from this many milliseconds up to twice as long, at random. Default 100. */
  readonly baseMs?: number;
  /** Numbers in [0, 1). Default Math.random. */
  readonly random?: () => number;
}

/**
 * Runs `work` again when somebody else changed the object meanwhile (409). `work` reads the object anew each time.
 * @throws the last conflict after the last try; any other error at once.
 */
export async function retryOnConflict<T>(
  scope: Scope,
  work: () => Promise<T>,
  { tries = 5, baseMs = 100, random = Math.random }: RetryOnConflictOptions = {},
): Promise<T> {
  for (let left = tries - 1; ; left--) {
    try {
      return await work();
    } catch (thrown) {
      if (left <= 0 || !(thrown instanceof StatusError && thrown.isConflict)) throw thrown;
    }
    await scope.sleep(baseMs * (1 + random()));
  }
}
