import { type Clock, type CounterMetric, type Scope, TokenBucket } from '@cloudstack-ccm/base';
import type { Decorator } from '../call.ts';
import { RateLimitedError } from '../errors.ts';

export interface RateLimitOptions {
  /** Calls a second on average; 0 for no limit of our own. Default 50. */
  readonly perSecond?: number;
  /** Calls at once. Default 100. */
  readonly burst?: number;
}

interface RateLimitDependencies extends RateLimitOptions {
  readonly clock: Clock;
  readonly limited: CounterMetric;
  /** Numbers in [0, 1). Default Math.random. */
  readonly random?: () => number;
}

/** CloudStack counts in windows of one second unless an administrator changed that. */
const UNTOLD_WAIT_MS = 1000;
const MOST_JITTER_MS = 100;

/**
 * Keeps to a budget of calls, and waits as long as CloudStack wants when it answers 429. It counts per account, so all
 * calls wait, and it refuses before it does anything, so any call may be repeated. The call's deadline ends the tries.
 */
export function rateLimit(options: RateLimitDependencies): Decorator {
  const { clock, limited, perSecond = 50, burst = 100, random = Math.random } = options;
  const bucket = new TokenBucket(clock, perSecond, burst);
  let closedUntil = 0;

  async function waitForTurn(scope: Scope): Promise<void> {
    await bucket.take(scope);
    for (let pause = closedUntil - clock.monotonic(); pause > 0; pause = closedUntil - clock.monotonic()) {
      // Not all at once when the gate opens again.
      await scope.sleep(pause + MOST_JITTER_MS * random());
    }
  }

  return (next) => async (scope, call) => {
    for (;;) {
      await waitForTurn(scope);
      try {
        return await next(scope, call);
      } catch (error) {
        if (!(error instanceof RateLimitedError)) throw error;
        limited.inc();
        closedUntil = Math.max(closedUntil, clock.monotonic() + (error.retryAfterMs ?? UNTOLD_WAIT_MS));
      }
    }
  };
}
