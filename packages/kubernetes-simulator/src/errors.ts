import { CodedError } from '@cloudstack-ccm/base';
import type { StatusCause, StatusDetails } from './status.ts';
import { statusBody } from './status.ts';
import type { JsonObject } from './json.ts';

/** An answer that is no success: what the client gets is the `Status` object that a real API server would send. */
export class ApiError extends CodedError {
  readonly code = 'API_STATUS';
  readonly httpStatus: number;
  readonly reason: string;
  readonly details: StatusDetails | undefined;
  /** The list metadata of the Status: an expired list tells how to go on. */
  readonly metadata: JsonObject;

  constructor(httpStatus: number, reason: string, message: string, details?: StatusDetails, metadata: JsonObject = {}) {
    super(message);
    this.metadata = metadata;
    this.httpStatus = httpStatus;
    this.reason = reason;
    this.details = details;
  }

  /** The `Status` object of the answer. */
  get body(): JsonObject {
    return statusBody(this);
  }
}

/** The resource and object that an error is about, as `Status.details` names them. */
export interface ErrorSubject {
  readonly group: string;
  /** The plural resource name; the kind for Invalid. */
  readonly resource: string;
  readonly name?: string;
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, 'BadRequest', message);
}

export function unauthorized(): ApiError {
  return new ApiError(401, 'Unauthorized', 'Unauthorized');
}

export function forbidden(subject: ErrorSubject, why: string, causes?: readonly StatusCause[]): ApiError {
  const named = subject.name ? ` "${subject.name}"` : '';
  const message = `${qualified(subject)}${named} is forbidden: ${why}`;
  return new ApiError(403, 'Forbidden', message, detailsOf(subject, causes && { causes }));
}

export function notFound(subject: ErrorSubject): ApiError {
  return new ApiError(404, 'NotFound', `${qualified(subject)} "${subject.name ?? ''}" not found`, detailsOf(subject));
}

/** A path that no resource answers to. */
export function noSuchResource(): ApiError {
  return new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function methodNotAllowed(): ApiError {
  const message = 'the server does not allow this method on the requested resource';
  return new ApiError(405, 'MethodNotAllowed', message, {});
}

export function notAcceptable(available: readonly string[]): ApiError {
  const message = `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`;
  return new ApiError(406, 'NotAcceptable', message, {});
}

export function alreadyExists(subject: ErrorSubject): ApiError {
  const message = `${qualified(subject)} "${subject.name ?? ''}" already exists`;
  return new ApiError(409, 'AlreadyExists', message, detailsOf(subject));
}

export function conflict(subject: ErrorSubject, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${qualified(subject)} "${subject.name ?? ''}": ${why}`;
  return new ApiError(409, 'Conflict', message, detailsOf(subject));
}

/** Somebody else wrote the object since the client read it. */
export function modified(subject: ErrorSubject): ApiError {
  return conflict(
    subject,
    'the object has been modified; please apply your changes to the latest version and try again',
  );
}

/** @param message says which resourceVersion was asked for and how far back history reaches. */
export function expired(message: string): ApiError {
  return new ApiError(410, 'Expired', message);
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return new ApiError(415, 'UnsupportedMediaType', message);
}

/** @param kind a subject whose `resource` is the kind, as in `Service "web" is invalid`. */
export function invalid(kind: ErrorSubject, causes: readonly StatusCause[]): ApiError {
  const texts = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  const why = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const message = `${qualified(kind)} "${kind.name ?? ''}" is invalid: ${why}`;
  return new ApiError(422, 'Invalid', message, detailsOf(kind, { causes }));
}

export function tooManyRequests(retryAfterSeconds: number): ApiError {
  const message = 'too many requests, please try again later';
  return new ApiError(429, 'TooManyRequests', message, { retryAfterSeconds });
}

export function internalError(message: string): ApiError {
  const causes = [{ message }];
  return new ApiError(500, 'InternalError', `Internal error occurred: ${message}`, { causes });
}

/** A resourceVersion that this server has not reached. */
export function resourceVersionTooLarge(asked: number, current: number): ApiError {
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  return new ApiError(504, 'Timeout', message, { causes, retryAfterSeconds: 1 });
}

function qualified({ group, resource }: ErrorSubject): string {
  return group === '' ? resource : `${resource}.${group}`;
}

function detailsOf({ group, resource, name }: ErrorSubject, more: Omit<StatusDetails, 'name'> = {}): StatusDetails {
  return { ...(name && { name }), ...(group && { group }), ...(resource && { kind: resource }), ...more };
}
