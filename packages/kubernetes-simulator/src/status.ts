import type { JsonObject } from './json.ts';

/** One reason why an object was refused: `metav1.StatusCause`. */
export interface StatusCause {
  readonly reason?: string;
  readonly message: string;
  readonly field?: string;
}

/** `metav1.StatusDetails`. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

interface Failure {
  readonly message: string;
  readonly reason: string;
  readonly details: StatusDetails | undefined;
  readonly httpStatus: number;
  readonly metadata: JsonObject;
}

/** The answer to a request that failed. */
export function statusBody({ message, reason, details, httpStatus, metadata }: Failure): JsonObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata,
    status: 'Failure',
    message,
    // Errors that kube-apiserver did not foresee carry no reason.
    ...(reason && { reason }),
    ...(details && { details: detailsBody(details) }),
    code: httpStatus,
  };
}

/** The answer to a deletion that took effect at once. */
export function successBody(details: StatusDetails): JsonObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details: detailsBody(details) };
}

function detailsBody({ causes, ...rest }: StatusDetails): JsonObject {
  return { ...rest, ...(causes && { causes: causes.map((cause) => ({ ...cause })) }) };
}
