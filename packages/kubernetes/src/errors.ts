import { CodedError } from '@cloudstack-ccm/base';

/** One thing that is wrong with a request, as the API server lists it in a Status. */
export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

export interface StatusDetails {
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly uid: string;
  readonly causes: readonly StatusCause[];
  /** 0 when the server named no pause. */
  readonly retryAfterSeconds: number;
}

interface StatusErrorOptions {
  readonly httpStatus: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: StatusDetails;
}

const NO_DETAILS: StatusDetails = { name: '', group: '', kind: '', uid: '', causes: [], retryAfterSeconds: 0 };

/** The API server answered, and the answer is no. `reason` is Kubernetes' own word for it, for example `NotFound`. */
export class StatusError extends CodedError {
  readonly code = 'KUBERNETES_STATUS';
  readonly httpStatus: number;
  readonly reason: string;
  readonly details: StatusDetails;

  constructor({ httpStatus, reason, message, details = NO_DETAILS }: StatusErrorOptions) {
    super(message);
    this.httpStatus = httpStatus;
    this.reason = reason;
    this.details = details;
  }

  get isNotFound(): boolean {
    return this.httpStatus === 404;
  }

  get isAlreadyExists(): boolean {
    return this.reason === 'AlreadyExists';
  }

  /** Somebody else changed the object since it was read. */
  get isConflict(): boolean {
    return this.httpStatus === 409 && !this.isAlreadyExists;
  }

  /** The resourceVersion or continue token that was asked for is too old to be served. */
  get isGone(): boolean {
    return this.httpStatus === 410;
  }

  get isUnauthorized(): boolean {
    return this.httpStatus === 401;
  }

  get isForbidden(): boolean {
    return this.httpStatus === 403;
  }

  /** The request itself is wrong: sending it again cannot help. */
  get isInvalid(): boolean {
    return this.httpStatus === 400 || this.httpStatus === 422;
  }

  get isTooManyRequests(): boolean {
    return this.httpStatus === 429;
  }

  get isInternal(): boolean {
    return this.httpStatus === 500;
  }

  /** The server knows no version as new as the one asked for: it was restored from a backup, or lags behind. */
  get isTooLargeResourceVersion(): boolean {
    return this.reason === 'Timeout' && this.details.causes.some((cause) => cause.reason === 'ResourceVersionTooLarge');
  }
}

/** No answer came from the API server: refused, reset, cut off, or its certificate is not trusted. */
export class ConnectionError extends CodedError {
  readonly code = 'KUBERNETES_CONNECTION';
  /** Node's word for it, for example `ECONNREFUSED`; empty when there is none. */
  readonly systemCode: string;
  /** True if the connection had served earlier requests: the server may just have closed it for being idle. */
  readonly reusedSocket: boolean;

  /** @param request for example `GET /api/v1/nodes`. */
  constructor(request: string, cause: Error, reusedSocket = false) {
    super(`${request}: ${cause.message}`, { cause });
    this.systemCode = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    this.reusedSocket = reusedSocket;
  }

  /** The connection ended under the request; whether the server acted on it is unknown. */
  get isReset(): boolean {
    return this.systemCode === 'ECONNRESET' || this.systemCode === 'EPIPE';
  }

  get isRefused(): boolean {
    return this.systemCode === 'ECONNREFUSED';
  }
}

/** The API server's answer is not what its API promises. The message names the path in the object. */
export class DecodeError extends CodedError {
  readonly code = 'KUBERNETES_DECODE';
}

/** A kubeconfig, or the files it names, cannot be used. The message names the file and the field. */
export class KubeconfigError extends CodedError {
  readonly code = 'KUBECONFIG';
}

/** Another replica holds the lease, or could: nothing may be written any more. */
export class LeadershipLostError extends CodedError {
  readonly code = 'LEADERSHIP_LOST';
}

/** A watch sent nothing, not even a bookmark: the connection is dead, though nobody said so. */
export class WatchStalledError extends CodedError {
  readonly code = 'WATCH_STALLED';

  constructor(resource: string, idleMs: number) {
    super(`the watch on ${resource} has sent nothing for ${idleMs / 1000} s`);
  }
}
