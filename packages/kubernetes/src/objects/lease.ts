import type { KubernetesObject } from './metadata.ts';

/** Who leads, as a Lease records it. Times are RFC 3339 with microseconds. */
export interface LeaseSpec {
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number;
  readonly acquireTime: string;
  readonly renewTime: string;
  readonly leaseTransitions: number;
}

export interface Lease extends KubernetesObject {
  readonly spec: LeaseSpec;
  /** The object as it came, so that a replace keeps every field it does not mean to change. */
  readonly raw: Readonly<Record<string, unknown>>;
}
