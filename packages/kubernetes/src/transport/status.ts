import type { IncomingHttpHeaders } from 'node:http';
import { Reader } from '../decode.ts';
import { StatusError, type StatusDetails } from '../errors.ts';

/** Kubernetes' words for HTTP codes, for answers that carry no Status: from a proxy, or cut off. */
const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** The error that an answer other than 2xx means. */
export function answeredError(request: string, httpStatus: number, body: string): StatusError {
  return statusIn(body) ?? unstructured(request, httpStatus, body);
}

/** The error that a Status object means, for example in a watch's `ERROR` event. @throws DecodeError */
export function decodeStatus(value: unknown): StatusError {
  const status = Reader.of(value, 'Status');
  const httpStatus = status.number('code');
  return new StatusError({
    httpStatus,
    reason: status.string('reason') || (REASONS[httpStatus] ?? 'Unknown'),
    message: status.string('message') || `the API server answered with status ${httpStatus}`,
    details: readDetails(status.object('details')),
  });
}

/** The pause a server asks for, in milliseconds; undefined if it asks for none. Dates are not used by Kubernetes. */
export function retryAfterMs(headers: IncomingHttpHeaders): number | undefined {
  const seconds = headers['retry-after'];
  return seconds !== undefined && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

function readDetails(details: Reader): StatusDetails {
  return {
    name: details.string('name'),
    group: details.string('group'),
    kind: details.string('kind'),
    uid: details.string('uid'),
    causes: details.list('causes', (cause) => ({
      reason: cause.string('reason'),
      message: cause.string('message'),
      field: cause.string('field'),
    })),
    retryAfterSeconds: details.number('retryAfterSeconds'),
  };
}

function statusIn(body: string): StatusError | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return Reader.of(value, 'Status').string('kind') === 'Status' ? decodeStatus(value) : undefined;
  } catch {
    return undefined;
  }
}

function unstructured(request: string, httpStatus: number, body: string): StatusError {
  const start = body.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
  return new StatusError({
    httpStatus,
    reason: REASONS[httpStatus] ?? 'Unknown',
    message: `${request} was answered with HTTP ${httpStatus}${start === '' ? '' : `: ${start}`}`,
  });
}
