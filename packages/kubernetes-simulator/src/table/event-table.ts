import { isObject, type JsonObject, numberAt, textAt } from '../json.ts';
import { ageOf } from './age.ts';
import { NAME } from './format.ts';
import type { TableRows } from './table.ts';

export const eventTable: TableRows = {
  columns: [
    { name: 'Last Seen', description: 'The time since the event last happened' },
    { name: 'Type', description: 'Normal or Warning' },
    { name: 'Reason', description: 'Why it happened, in one word' },
    { name: 'Object', description: 'What it happened to' },
    { name: 'Subobject', description: 'The part of the object', priority: 1 },
    { name: 'Source', description: 'The component that reports', priority: 1 },
    { name: 'Message', description: 'What happened' },
    { name: 'First Seen', description: 'The time since the event first happened', priority: 1 },
    { name: 'Count', description: 'How often it happened', priority: 1 },
    { ...NAME, priority: 1 },
  ],
  cells: (event, now) => {
    const first = ageOf(textAt(event, 'firstTimestamp') || textAt(event, 'eventTime'), now);
    return [
      lastSeen(event, now) ?? first,
      textAt(event, 'type'),
      textAt(event, 'reason'),
      targetOf(event),
      textAt(event, 'involvedObject', 'fieldPath'),
      sourceOf(event),
      textAt(event, 'message').trim(),
      first,
      countOf(event),
      textAt(event, 'metadata', 'name'),
    ];
  },
};

function lastSeen(event: JsonObject, now: number): string | undefined {
  const series = textAt(event, 'series', 'lastObservedTime');
  if (isObject(event['series'])) return ageOf(series, now);
  const last = textAt(event, 'lastTimestamp');
  return last === '' ? undefined : ageOf(last, now);
}

/** Events of the newer API carry a count only as a series. */
function countOf(event: JsonObject): number {
  if (isObject(event['series'])) return numberAt(event, 'series', 'count');
  return numberAt(event, 'count') || 1;
}

function targetOf(event: JsonObject): string {
  const kind = textAt(event, 'involvedObject', 'kind').toLowerCase();
  const name = textAt(event, 'involvedObject', 'name');
  return name === '' ? kind : `${kind}/${name}`;
}

function sourceOf(event: JsonObject): string {
  const component = textAt(event, 'source', 'component') || textAt(event, 'reportingComponent');
  const instance = textAt(event, 'source', 'host') || textAt(event, 'reportingInstance');
  return instance === '' ? component : `${component}, ${instance}`;
}
