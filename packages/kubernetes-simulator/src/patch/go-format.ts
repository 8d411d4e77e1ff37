import { isList, isObject, type JsonValue } from '../json.ts';

/** A value as Go prints it in some error messages: `map[spec:map[foo:1]]`. */
export function goFormat(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (isList(value)) return `[${value.map(goFormat).join(' ')}]`;
  if (!isObject(value)) return String(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, item]) => `${key}:${goFormat(item)}`).join(' ')}]`;
}
