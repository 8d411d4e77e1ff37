import { isList, isObject, type JsonValue } from '../../json.ts';

/** Texts in which one run differs from the next, and what stands for them. */
const REPLACEMENTS: readonly (readonly [pattern: RegExp, stand: string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z/g, '<time>'],
  [/\b(gen-)[a-z0-9]{5}\b/g, '$1<suffix>'],
  [/10\.96\.(?!0\.1\b)\d+\.\d+/g, '<cluster IP>'],
  [/:3[0-2]\d{3}\//g, ':<node port>/'],
  [/current: \d+/g, 'current: <revision>'],
  [/ResourceVersion in record \(\d+\)/g, 'ResourceVersion in record (<revision>)'],
  // The simulator writes JSON only.
  [/Available representations: .*/g, 'Available representations: <media types>'],
  [/ \(5b5d\)| \(227822\)/g, ''],
  // The whole object that a patch made, in the order of keys of the server's language.
  [/Invalid value: "\{.*\}": json/gs, 'Invalid value: <object>: json'],
  [/Invalid value: "\{.*\}": strict/gs, 'Invalid value: <object>: strict'],
];

/** An answer without what differs from run to run, and without texts that are documentation. */
export function normalise(value: JsonValue, key = ''): JsonValue {
  if (typeof value === 'string') return normaliseText(value, key);
  if (typeof value === 'number') return normaliseNumber(value, key);
  if (isList(value)) return value.map((item) => normalise(item, key));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, item]): [string, JsonValue] => [
    name,
    isColumn(value) && name === 'description' ? '<text>' : normalise(item, name),
  ]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function normaliseText(text: string, key: string): string {
  if (text === '') return text;
  if (key === 'resourceVersion') return '<revision>';
  if (key === 'continue') return '<continue>';
  if (key === 'cells' && /^\d+s$/.test(text)) return '<age>';
  if (key === 'token' && text.length > 20) return '<token>';
  return REPLACEMENTS.reduce((rest, [pattern, stand]) => rest.replaceAll(pattern, stand), text);
}

function normaliseNumber(value: number, key: string): JsonValue {
  return /nodePort$/i.test(key) && value >= 30_000 && value <= 32_767 ? '<node port>' : value;
}

function isColumn(value: JsonValue): boolean {
  return isObject(value) && 'priority' in value && 'format' in value;
}
