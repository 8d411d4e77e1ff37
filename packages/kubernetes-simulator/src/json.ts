export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The object at a key, or an empty one. */
export function objectAt(value: JsonValue | undefined, ...keys: readonly string[]): JsonObject {
  const found = valueAt(value, ...keys);
  return isObject(found) ? found : {};
}

/** The list at a key, or an empty one. */
export function listAt(value: JsonValue | undefined, ...keys: readonly string[]): readonly JsonValue[] {
  const found = valueAt(value, ...keys);
  return isList(found) ? found : [];
}

/** The text at a key, or an empty one. */
export function textAt(value: JsonValue | undefined, ...keys: readonly string[]): string {
  const found = valueAt(value, ...keys);
  return typeof found === 'string' ? found : '';
}

/** The texts in the list at a key. */
export function textListAt(value: JsonValue | undefined, ...keys: readonly string[]): string[] {
  return listAt(value, ...keys).filter((item) => typeof item === 'string');
}

/** The number at a key, or 0. */
export function numberAt(value: JsonValue | undefined, ...keys: readonly string[]): number {
  const found = valueAt(value, ...keys);
  return typeof found === 'number' ? found : 0;
}

/** The texts of a map, without entries of any other type. */
export function textsAt(value: JsonValue | undefined, ...keys: readonly string[]): Readonly<Record<string, string>> {
  const entries = Object.entries(objectAt(value, ...keys));
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

export function valueAt(value: JsonValue | undefined, ...keys: readonly string[]): JsonValue | undefined {
  let found = value;
  for (const key of keys) found = isObject(found) ? found[key] : undefined;
  return found;
}

/** A copy with one value set, objects on the way made where there are none. `undefined` removes the key. */
export function withValue(object: JsonObject, keys: readonly string[], value: JsonValue | undefined): JsonObject {
  const [key = '', ...rest] = keys;
  const next = rest.length === 0 ? value : withValue(objectAt(object, key), rest, value);
  if (next === undefined) return without(object, key);
  return { ...object, [key]: next };
}

/** A copy without some keys. */
export function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** Equality of JSON values: the order of an object's keys does not matter. */
export function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (isList(left)) {
    return isList(right) && left.length === right.length && left.every((item, index) => sameJson(item, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length && keys.every((key) => key in right && sameJson(left[key], right[key]))
  );
}
