import type { Decorator } from '../call.ts';
import { WriteFencedError } from '../errors.ts';

/** Holds back commands that change something once `mayWrite` says no: another process may be the leader by now. */
export function writeFence(mayWrite: () => boolean): Decorator {
  return (next) => async (scope, call) => {
    if (call.writes && !mayWrite()) throw new WriteFencedError(call.command);
    return next(scope, call);
  };
}
