import { randomUUID } from 'node:crypto';
import type { EventNotice } from './event-notice.ts';

const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** An event as it stands in the API server, as far as we know. */
export interface SentEvent {
  readonly namespace: string;
  readonly name: string;
  readonly count: number;
  readonly firstTime: number;
}

/** Events about cluster-scoped objects live in `default`. */
export function eventNamespace({ about }: EventNotice): string {
  return about.namespace || 'default';
}

/** `<object>.<hex nanoseconds>`; a UUID when that is no valid name. */
export function eventName({ about }: EventNotice, nanoseconds: bigint): string {
  const name = `${about.name}.${nanoseconds.toString(16)}`;
  return name.length <= 253 && DNS_SUBDOMAIN.test(name) ? name : randomUUID();
}

/** The Event to create. */
export function eventBody(notice: EventNotice, event: SentEvent, source: string): object {
  const { about, type, reason, message, time } = notice;
  return {
    metadata: { name: event.name, namespace: event.namespace },
    involvedObject: about,
    reason,
    message,
    type,
    source: { component: source },
    reportingComponent: source,
    reportingInstance: '',
    count: event.count,
    firstTimestamp: timestamp(event.firstTime),
    lastTimestamp: timestamp(time),
  };
}

/** The change to an Event that happened once more. */
export function eventPatch(notice: EventNotice, { count }: SentEvent): Record<string, unknown> {
  return { count, lastTimestamp: timestamp(notice.time), message: notice.message };
}

/** Kubernetes' Time knows whole seconds. */
function timestamp(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
