import { type Clock, type Logger, messageOf } from '@cloudstack-ccm/base';
import type { Decorator } from '../call.ts';

interface LoggingOptions {
  readonly log: Logger;
  readonly clock: Clock;
  readonly host: () => string;
}

/** Kubernetes' levels: requests at 6, what they carry at 8. Keys and signatures are added further in, out of sight. */
const REQUESTS = 6;
const PARAMETERS = 8;

/** Writes a line for each call that goes out. */
export function logging({ log, clock, host }: LoggingOptions): Decorator {
  return (next) => async (scope, call) => {
    if (!log.enabled(REQUESTS)) return next(scope, call);
    const began = clock.monotonic();
    let error: string | undefined;
    try {
      return await next(scope, call);
    } catch (thrown) {
      error = messageOf(thrown);
      throw thrown;
    } finally {
      log.debug(REQUESTS, 'CloudStack API call', {
        command: call.command,
        host: host(),
        ms: Math.round(clock.monotonic() - began),
        ...(log.enabled(PARAMETERS) && { params: call.params }),
        ...(error !== undefined && { error }),
      });
    }
  };
}
