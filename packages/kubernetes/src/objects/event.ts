import type { KubernetesObject } from './metadata.ts';

/** What an Event is about. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for cluster-scoped objects; their Events live in namespace `default`. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
}

export type EventType = 'Normal' | 'Warning';

/** A core/v1 Event. */
export interface Event extends KubernetesObject {
  readonly involvedObject: ObjectReference;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  readonly source: string;
}
