import type { Decorator } from '../call.ts';

interface DeadlineOptions {
  readonly host: () => string;
  readonly timeoutMs: () => number;
}

/** One deadline for all of a call: waiting for its turn, connecting, repeating, and reading the answer. */
export function deadline({ host, timeoutMs }: DeadlineOptions): Decorator {
  return (next) => async (scope, call) => {
    using limited = scope.withDeadline(timeoutMs(), `${call.command} to ${host()}`);
    return await next(limited, call);
  };
}
