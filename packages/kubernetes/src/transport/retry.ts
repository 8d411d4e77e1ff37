import { ConnectionError, StatusError } from '../errors.ts';
import type { ApiRequest } from './api-request.ts';

/** An attempt that brought no answer to work with. */
export interface Failure {
  readonly error: unknown;
  /** What the server's `Retry-After` asks for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The server refused the token, and there may be a newer one. */
  readonly newTokenLikely?: boolean;
}

/** As many as client-go makes. */
const MAX_RETRIES = 10;

/** Pause after a connection that was cut, as in client-go. */
const RESET_PAUSE_MS = 1000;

/**
 * The pause before the request is sent again, in milliseconds; undefined if it must not be.
 * @param retries how often it has been sent again already.
 */
export function retryDelayMs(request: ApiRequest, failure: Failure, retries: number): number | undefined {
  if (retries >= MAX_RETRIES) return undefined;
  if (failure.error instanceof ConnectionError) return afterConnectionError(request, failure.error, retries);
  if (failure.error instanceof StatusError) return afterStatus(failure.error, failure, retries);
  return undefined;
}

function afterConnectionError(
  { method, repeatable = method !== 'POST' }: ApiRequest,
  error: ConnectionError,
  retries: number,
): number | undefined {
  if (!error.isReset || !repeatable) return undefined;
  // The server closed an idle connection just as it was used again: nothing is wrong, a fresh one will do.
  if (error.reusedSocket && retries === 0) return 0;
  return method === 'GET' ? RESET_PAUSE_MS : undefined;
}

function afterStatus(error: StatusError, failure: Failure, retries: number): number | undefined {
  if (error.isUnauthorized && failure.newTokenLikely && retries === 0) return 0;
  const busy = error.isTooManyRequests || error.httpStatus >= 500;
  return busy ? failure.retryAfterMs : undefined;
}
