import { kind } from './kind.ts';
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

export const LEASES = kind<Lease>(
  { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', plural: 'leases', namespaced: true },
  (lease, metadata) => {
    const spec = lease.object('spec');
    return {
      metadata,
      spec: {
        holderIdentity: spec.string('holderIdentity'),
        leaseDurationSeconds: spec.number('leaseDurationSeconds'),
        acquireTime: spec.string('acquireTime'),
        renewTime: spec.string('renewTime'),
        leaseTransitions: spec.number('leaseTransitions'),
      },
      raw: lease.raw,
    };
  },
);
