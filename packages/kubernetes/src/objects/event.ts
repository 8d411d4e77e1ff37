import type { Reader } from '../decode.ts';
import { kind, optional } from './kind.ts';
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

export const EVENTS = kind<Event>(
  { apiVersion: 'v1', kind: 'Event', plural: 'events', namespaced: true },
  (event, metadata) => ({
    metadata,
    involvedObject: readReference(event.object('involvedObject')),
    type: event.string('type'),
    reason: event.string('reason'),
    message: event.string('message'),
    count: event.number('count'),
    firstTimestamp: event.string('firstTimestamp'),
    lastTimestamp: event.string('lastTimestamp'),
    source: event.object('source').string('component'),
  }),
);

function readReference(reference: Reader): ObjectReference {
  return {
    apiVersion: reference.string('apiVersion'),
    kind: reference.string('kind'),
    namespace: reference.string('namespace'),
    name: reference.string('name'),
    uid: reference.string('uid'),
    ...optional('resourceVersion', reference.optionalString('resourceVersion')),
    ...optional('fieldPath', reference.optionalString('fieldPath')),
  };
}
