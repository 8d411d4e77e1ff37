import { CodedError } from '@cloudstack-ccm/base';

interface ApiErrorOptions {
  /** HTTP status and `errorcode` of an answer. */
  readonly status: number;
  /** `cserrorcode`; 401 has none. */
  readonly reason?: number;
  /** The code when it ends a job: whatever is not a parameter or server API error becomes 530 there. */
  readonly jobStatus?: number;
  /** Replaced by a general text for everybody but root, outside of jobs. */
  readonly masked?: boolean;
  /** An envelope other than the command's own. */
  readonly envelope?: string;
  /** Objects the text speaks of. */
  readonly uuids?: readonly UuidEntry[];
}

/** One entry of `uuidList`. */
export interface UuidEntry {
  readonly uuid: string;
  readonly description: string;
}

/** An error as the API reports it. Without a text the answer has no `errortext`. */
export class ApiError extends CodedError {
  readonly code = 'API_ERROR';
  readonly status: number;
  readonly reason: number | undefined;
  readonly jobStatus: number;
  readonly masked: boolean;
  readonly envelope: string | undefined;
  readonly uuids: readonly UuidEntry[];

  constructor(text: string, options: ApiErrorOptions) {
    super(text);
    this.status = options.status;
    this.reason = options.reason;
    this.jobStatus = options.jobStatus ?? 530;
    this.masked = options.masked ?? false;
    this.envelope = options.envelope;
    this.uuids = options.uuids ?? [];
  }
}

/** What a command class throws itself: its code survives everywhere, and the reason is always 9999. */
export function serverError(status: number, text: string, envelope?: string): ApiError {
  return new ApiError(text, { status, reason: 9999, jobStatus: status, ...(envelope && { envelope }) });
}

export function invalidValue(text: string): ApiError {
  return new ApiError(text, { status: 431, reason: 4350, jobStatus: 431 });
}

export function permissionDenied(text: string): ApiError {
  return new ApiError(text, { status: 531, reason: 4365 });
}

export function cloudRuntime(text: string): ApiError {
  return new ApiError(text, { status: 530, reason: 4250, masked: true });
}

export function ruleConflict(text: string): ApiError {
  return new ApiError(text, { status: 537, reason: 4360 });
}

export function insufficientCapacity(text: string): ApiError {
  return new ApiError(text, { status: 533, reason: 9999, jobStatus: 533 });
}

export function resourceAllocation(text: string): ApiError {
  return new ApiError(text, { status: 535, reason: 4370 });
}

export function accountLimit(text: string): ApiError {
  return new ApiError(text, { status: 532, reason: 4280 });
}

/** An exception that nobody expected: only its text comes through, in a job as 530. */
export function unexpected(text: string): ApiError {
  return new ApiError(text, { status: 530, reason: 9999, masked: true });
}

/** Wraps an error as command classes do that catch and rethrow: code and text stay, the reason becomes 9999. */
export function rethrown(error: ApiError): ApiError {
  return new ApiError(error.message, { status: error.status, reason: 9999, jobStatus: error.status });
}

export const MASKED_TEXT = 'Internal error executing command, please contact your system administrator';

const UNAUTHENTICATED = 'unable to verify user credentials and/or request signature';

export function unauthenticated(text = UNAUTHENTICATED, envelope?: string): ApiError {
  return new ApiError(text, { status: 401, jobStatus: 401, ...(envelope !== undefined && { envelope }) });
}
