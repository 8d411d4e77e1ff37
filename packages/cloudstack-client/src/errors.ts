import { CancelledError, CodedError, DeadlineExceededError } from '@cloudstack-ccm/base';

/** What CloudStack said when it refused a command, at once or in an async job. */
export interface Refusal {
  /** The API command, for example `createLoadBalancerRule`. */
  readonly command: string;
  /** The code that CloudStack branches on; also the HTTP status, unless a job failed. */
  readonly errorCode: number;
  /** The class of the exception inside CloudStack. 0 where it gave none. Do not branch on it. */
  readonly csErrorCode: number;
  readonly text: string;
  /** The job that failed; undefined when the command itself was refused. */
  readonly jobId: string | undefined;
}

/**
 * CloudStack refused a command. The subclasses below tell the refusals apart that a caller treats differently; the
 * message has the form operators know from the Go SDK.
 */
export class CloudStackApiError extends CodedError {
  readonly code: string = 'CLOUDSTACK_API';
  readonly command: string;
  readonly errorCode: number;
  readonly csErrorCode: number;
  readonly text: string;
  readonly jobId: string | undefined;

  constructor(refusal: Refusal) {
    super(`CloudStack API error ${refusal.errorCode} (CSExceptionErrorCode: ${refusal.csErrorCode}): ${refusal.text}`);
    this.command = refusal.command;
    this.errorCode = refusal.errorCode;
    this.csErrorCode = refusal.csErrorCode;
    this.text = refusal.text;
    this.jobId = refusal.jobId;
  }
}

/** 401: unknown key, wrong secret, expired signature (clock skew), disabled user, unknown command. */
export class UnauthorizedError extends CloudStackApiError {
  override readonly code = 'CLOUDSTACK_UNAUTHORIZED';
}

/** 432 or 531: the role, the project or the owner of the object does not permit the command. */
export class ForbiddenError extends CloudStackApiError {
  override readonly code = 'CLOUDSTACK_FORBIDDEN';
}

/** 429: the account's calls are used up. */
export class RateLimitedError extends CloudStackApiError {
  override readonly code = 'CLOUDSTACK_RATE_LIMITED';
  /** How long CloudStack wants us to wait, in milliseconds; undefined if it did not say. */
  readonly retryAfterMs: number | undefined;

  constructor(refusal: Refusal) {
    super(refusal);
    const wait = /retry after \[(\d+)\] ms/.exec(refusal.text)?.[1];
    this.retryAfterMs = wait === undefined ? undefined : Number(wait);
  }
}

/** 430 or 431: CloudStack does not accept a parameter. */
export class InvalidParameterError extends CloudStackApiError {
  override readonly code: string = 'CLOUDSTACK_INVALID_PARAMETER';
}

/**
 * 431 with the text for an id that this installation does not know. Load balancer rules, firewall rules, network ACL
 * items and stickiness policies give it from the moment of their deletion; virtual machines and networks do not.
 */
export class NotFoundError extends InvalidParameterError {
  override readonly code = 'CLOUDSTACK_NOT_FOUND';
}

/** 532 or 535: a limit of the account, project or domain is reached. */
export class LimitExceededError extends CloudStackApiError {
  override readonly code = 'CLOUDSTACK_LIMIT_EXCEEDED';
}

/** 533: nothing free, or the address asked for is taken or in no range. */
export class CapacityError extends CloudStackApiError {
  override readonly code = 'CLOUDSTACK_CAPACITY';
}

/** 534: a part of CloudStack that the command needs, such as a virtual router, is down. */
export class UnavailableError extends CloudStackApiError {
  override readonly code = 'CLOUDSTACK_UNAVAILABLE';
}

/** 537: the rule collides with another on the same address. */
export class ConflictError extends CloudStackApiError {
  override readonly code = 'CLOUDSTACK_CONFLICT';
}

/**
 * A job that ended without a result: the management server was restarted while it ran. What it did so far stays, so
 * look at the object before trying again.
 */
export class JobInterruptedError extends CloudStackApiError {
  override readonly code = 'CLOUDSTACK_JOB_INTERRUPTED';
}

/** The fitting class for a refusal. */
export function apiError(refusal: Refusal): CloudStackApiError {
  switch (refusal.errorCode) {
    case 401:
      return new UnauthorizedError(refusal);
    case 429:
      return new RateLimitedError(refusal);
    case 430:
    case 431:
      return refusal.text.includes(UNKNOWN_ID) ? new NotFoundError(refusal) : new InvalidParameterError(refusal);
    case 432:
    case 531:
      return new ForbiddenError(refusal);
    case 532:
    case 535:
      return new LimitExceededError(refusal);
    case 533:
      return new CapacityError(refusal);
    case 534:
      return new UnavailableError(refusal);
    case 537:
      return new ConflictError(refusal);
    default:
      return new CloudStackApiError(refusal);
  }
}

/** CloudStack has no code of its own for an unknown id; its SDKs look for this text too. */
const UNKNOWN_ID = 'due to incorrect long value format, or entity does not exist';

/** An async job did not end in the time allowed for it. It goes on in CloudStack, and can be resumed by its id. */
export class JobTimeoutError extends CodedError {
  readonly code = 'CLOUDSTACK_JOB_TIMEOUT';
  readonly command: string;
  readonly jobId: string;
  readonly timeoutMs: number;

  constructor(command: string, jobId: string, timeoutMs: number) {
    super(
      `Timeout while waiting for async job to finish: job ${jobId} of ${command} still runs after ${timeoutMs / 1000} s`,
    );
    this.command = command;
    this.jobId = jobId;
    this.timeoutMs = timeoutMs;
  }
}

/** What answered is not the CloudStack API: a proxy's page, a login form, an empty body. */
export class NotJsonError extends CodedError {
  readonly code = 'CLOUDSTACK_NOT_JSON';
  readonly command: string;
  readonly host: string;
  readonly status: number;
  readonly contentType: string;

  constructor(answer: {
    readonly command: string;
    readonly host: string;
    readonly status: number;
    readonly contentType: string;
  }) {
    const type = answer.contentType || 'no content type';
    super(
      `${answer.host} answered ${answer.command} with HTTP ${answer.status} and ${type} instead of CloudStack's JSON: check api-url and what stands between`,
    );
    this.command = answer.command;
    this.host = answer.host;
    this.status = answer.status;
    this.contentType = answer.contentType;
  }
}

/** The answer is JSON, but not of the shape that CloudStack documents. */
export class DecodeError extends CodedError {
  readonly code = 'CLOUDSTACK_DECODE';
  /** Where in the answer, for example `listZones.zone[3].id`. */
  readonly path: string;

  constructor(path: string, problem: string) {
    super(`unexpected answer from CloudStack: ${path} ${problem}`);
    this.path = path;
  }
}

/** The answer is larger than the client is willing to hold. */
export class AnswerTooLargeError extends CodedError {
  readonly code = 'CLOUDSTACK_ANSWER_TOO_LARGE';

  constructor(command: string, host: string, limitBytes: number) {
    super(`${host} answered ${command} with more than ${limitBytes} bytes: the answer was dropped`);
  }
}

/** Pages kept shifting while a list was read, so that items may be missing. */
export class IncompleteListError extends CodedError {
  readonly code = 'CLOUDSTACK_INCOMPLETE_LIST';

  constructor(command: string, got: number, count: number) {
    super(`${command} gave ${got} of ${count} items, page after page: the list is not complete`);
  }
}

/** The connection failed. `sent` tells whether CloudStack may have carried out the command all the same. */
export class TransportError extends CodedError {
  readonly code = 'CLOUDSTACK_TRANSPORT';
  readonly command: string;
  readonly host: string;
  /** The system's code, for example `ECONNREFUSED`; empty when there is none. */
  readonly reason: string;
  readonly sent: 'no' | 'maybe';

  constructor(details: {
    readonly command: string;
    readonly host: string;
    readonly reason: string;
    readonly what: string;
    readonly sent: 'no' | 'maybe';
  }) {
    super(`${details.command} to ${details.host} failed: ${details.what}`);
    this.command = details.command;
    this.host = details.host;
    this.reason = details.reason;
    this.sent = details.sent;
  }
}

/** A command that changes something was held back, because this process may no longer write. */
export class WriteFencedError extends CodedError {
  readonly code = 'CLOUDSTACK_WRITE_FENCED';
  readonly command: string;

  constructor(command: string) {
    super(`${command} was not sent: this process does not hold leadership any more`);
    this.command = command;
  }
}

/**
 * True if a command that ended with this error may have been carried out nevertheless: its answer was lost, not the
 * command. Look at the cloud before sending it again.
 */
export function mayHaveHappened(error: unknown): boolean {
  if (error instanceof TransportError) return error.sent === 'maybe';
  return (
    error instanceof NotJsonError ||
    error instanceof DecodeError ||
    error instanceof AnswerTooLargeError ||
    error instanceof DeadlineExceededError ||
    error instanceof CancelledError ||
    error instanceof JobTimeoutError ||
    error instanceof JobInterruptedError
  );
}
