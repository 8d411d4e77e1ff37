import { backoffDelay, type BackoffOptions, type CounterMetric } from '@cloudstack-ccm/base';
import type { Call, Decorator } from '../call.ts';
import { NotJsonError, TransportError } from '../errors.ts';

interface RetryOptions {
  /** Tries in all. Default 3. */
  readonly tries?: number;
  readonly backoff?: BackoffOptions;
  readonly retries: CounterMetric;
}

const BACKOFF: BackoffOptions = { baseMs: 100, capMs: 2000, jitter: 0.5 };

/**
 * Repeats what failed on the way. Lists and questions may always be repeated; a command that changes something only
 * when it certainly was not sent, since a lost answer looks like a lost command.
 */
export function retry({ tries = 3, backoff = BACKOFF, retries }: RetryOptions): Decorator {
  return (next) => async (scope, call) => {
    for (let failures = 0; ; failures++) {
      try {
        return await next(scope, call);
      } catch (error) {
        if (scope.cancelled || failures + 1 >= tries || !mayRepeat(call, error)) throw error;
        retries.inc({ command: call.command });
        await scope.sleep(backoffDelay(backoff, failures));
      }
    }
  };
}

function mayRepeat(call: Call, error: unknown): boolean {
  if (error instanceof TransportError) return error.sent === 'no' || !call.writes;
  return error instanceof NotJsonError && !call.writes && isPassing(error);
}

/** A gateway's errors pass, and so does an empty answer of a server that is just starting. A login page does not. */
function isPassing({ status, contentType }: NotJsonError): boolean {
  return (status >= 500 && status <= 504) || (status === 200 && !/html/i.test(contentType));
}
