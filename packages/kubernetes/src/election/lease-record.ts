import type { Lease, LeaseSpec } from '../objects/lease.ts';

/** The record of a holder that takes the lease from nobody, or from one that let it go. */
export function takenRecord(holder: string, durationMs: number, now: number, before?: LeaseSpec): LeaseSpec {
  return {
    holderIdentity: holder,
    leaseDurationSeconds: Math.floor(durationMs / 1000),
    acquireTime: microTime(now),
    renewTime: microTime(now),
    leaseTransitions: before ? before.leaseTransitions + 1 : 0,
  };
}

/** The record of a holder that goes on holding. */
export function renewedRecord(before: LeaseSpec, durationMs: number, now: number): LeaseSpec {
  return { ...before, leaseDurationSeconds: Math.floor(durationMs / 1000), renewTime: microTime(now) };
}

/** The record that lets anybody take the lease at once. The API server wants a duration above zero. */
export function releasedRecord(before: LeaseSpec, now: number): LeaseSpec {
  return {
    ...before,
    holderIdentity: '',
    leaseDurationSeconds: 1,
    acquireTime: microTime(now),
    renewTime: microTime(now),
  };
}

/** The object to put in a Lease's place: every field that is not about the holder stays as it is. */
export function withRecord({ raw }: Lease, record: LeaseSpec): Record<string, unknown> {
  const spec = raw['spec'];
  return { ...raw, spec: { ...(typeof spec === 'object' && spec), ...record } };
}

/** True if nobody has written since: what a standby needs to see for a whole lease duration. */
export function sameRecord(left: Lease, right: Lease): boolean {
  return JSON.stringify(left.raw['spec']) === JSON.stringify(right.raw['spec']);
}

/** RFC 3339 with microseconds, as MicroTime is written. */
function microTime(now: number): string {
  return new Date(now).toISOString().replace('Z', '000Z');
}
