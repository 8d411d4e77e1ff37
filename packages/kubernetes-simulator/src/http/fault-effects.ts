import type { Clock } from '@cloudstack-ccm/base';
import { ApiError, expired, tooManyRequests, unauthorized } from '../errors.ts';
import type { Fault, WatchFault } from '../faults/fault.ts';

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** Waits as long as the delays among the faults say. */
export async function pauses(clock: Clock, faults: readonly Fault[]): Promise<void> {
  const ms = faults.reduce((sum, fault) => sum + (fault.kind === 'delay' ? fault.ms : 0), 0);
  if (ms > 0) await new Promise<void>((resolve) => void clock.setTimer(ms, resolve));
}

/** True if the request is not even looked at. */
export function isMute(faults: readonly Fault[]): boolean {
  return faults.some(({ kind }) => kind === 'reset' || kind === 'hang');
}

/** Bytes of body that get through; below 0, not even the head. */
export function cutAfter(faults: readonly Fault[]): number | undefined {
  if (faults.some(({ kind }) => kind === 'resetAfterCommit')) return -1;
  return faults.find((fault) => fault.kind === 'cutBody')?.afterBytes;
}

/** The error that is to be answered instead. */
export function errorAmong(faults: readonly Fault[]): ApiError | undefined {
  const fault = faults.find(({ kind }) => kind === 'status' || kind === 'expired');
  if (fault?.kind === 'expired') return expired('The provided continue parameter is too old.');
  return fault?.kind === 'status' ? statusError(fault) : undefined;
}

export function watchFaultAmong(faults: readonly Fault[]): WatchFault | undefined {
  return faults.find((fault) => fault.kind === 'watch');
}

function statusError({ status, retryAfterSeconds, message }: Extract<Fault, { kind: 'status' }>): ApiError {
  if (status === 429) return tooManyRequests(retryAfterSeconds ?? 1);
  if (status === 401) return unauthorized();
  const details = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new ApiError(status, REASONS[status] ?? '', message ?? 'a fault that was asked for', details);
}
