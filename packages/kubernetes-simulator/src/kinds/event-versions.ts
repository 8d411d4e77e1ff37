import type { JsonObject, JsonValue } from '../json.ts';

/** Names of one field in core/v1 and in events.k8s.io/v1. */
const RENAMED: readonly (readonly [core: string, events: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];
const TO_EVENTS = new Map(RENAMED);
const TO_CORE = new Map(RENAMED.map(([core, events]) => [events, core]));

/** An Event of core/v1 as events.k8s.io/v1 shows it. Both APIs serve the same objects. */
export function toEventsVersion(event: JsonObject): JsonObject {
  return rename(event, TO_EVENTS);
}

export function toCoreVersion(event: JsonObject): JsonObject {
  return rename(event, TO_CORE);
}

/** The stored name of a field that events.k8s.io/v1 can select by. */
export function coreFieldName(field: string): string {
  return renamePath(field, TO_CORE);
}

/** The name in events.k8s.io/v1 of a stored field. */
export function eventsFieldName(field: string): string {
  return renamePath(field, TO_EVENTS);
}

function renamePath(path: string, names: ReadonlyMap<string, string>): string {
  const [first = '', ...rest] = path.split('.');
  return [names.get(first) ?? first, ...rest].join('.');
}

function rename(object: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const entries = Object.entries(object).map(([key, value]): [string, JsonValue] => [names.get(key) ?? key, value]);
  return Object.fromEntries(entries);
}
