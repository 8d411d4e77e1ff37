import type { EventType, ObjectReference } from '../objects/event.ts';

/** Something that is to be told about an object. */
export interface EventNotice {
  readonly about: ObjectReference;
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
  /** When it happened, in milliseconds since the epoch. */
  readonly time: number;
}

/** The object a notice is about, as a key. */
export function aboutKey({ about }: EventNotice): string {
  return JSON.stringify([about.apiVersion, about.kind, about.namespace, about.name, about.uid, about.fieldPath]);
}
