import { type JsonValue, textAt } from '../json.ts';
import { ageOf } from './age.ts';
import type { Column } from './table.ts';

export const NAME: Column = { name: 'Name', format: 'name', description: 'The name of the object' };
export const AGE: Column = { name: 'Age', description: 'The time since the object was created' };

export function nameCell(object: JsonValue): string {
  return textAt(object, 'metadata', 'name');
}

export function ageCell(object: JsonValue, now: number): string {
  return ageOf(textAt(object, 'metadata', 'creationTimestamp'), now);
}

export function orNone(text: string): string {
  return text === '' ? '<none>' : text;
}

/** `a=b,c=d`, or `<none>`. */
export function formatLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return orNone(pairs.sort().join(','));
}

/** The first three, and how many more there are. */
export function shortList(items: readonly string[], empty = '<unset>'): string {
  if (items.length === 0) return empty;
  const shown = items.slice(0, 3).join(',');
  return items.length > 3 ? `${shown} + ${items.length - 3} more...` : shown;
}
