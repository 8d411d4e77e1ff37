import { CancelledError, DeadlineExceededError } from '@cloudstack-ccm/base';
import { CloudStackApiError, NotJsonError, TransportError } from '../errors.ts';

/** The end of a call in one word of a bounded set, for metrics. */
export function outcomeOf(error: unknown): string {
  if (error instanceof CloudStackApiError) return String(error.errorCode);
  if (error instanceof DeadlineExceededError) return 'timeout';
  if (error instanceof CancelledError) return 'cancelled';
  if (error instanceof TransportError) return 'transport';
  return error instanceof NotJsonError ? 'not_json' : 'error';
}
