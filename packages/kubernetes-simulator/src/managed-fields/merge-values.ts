import { isList, isObject, type JsonObject, type JsonValue } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import { mergeLists } from './merge-lists.ts';
import { isLeaf, schemaBelow } from './path-element.ts';

/** Lays an applied configuration over the live object: what the configuration does not mention stays. */
export function mergeValues(live: JsonObject, applied: JsonObject, schema: Schema): JsonObject {
  const merged = merge(live, applied, schema);
  return isObject(merged) ? merged : {};
}

function merge(live: JsonValue | undefined, applied: JsonValue | undefined, schema: Schema | undefined): JsonValue {
  if (applied === undefined) return live ?? null;
  if (live === undefined || !schema || isLeaf(schema)) return applied;
  if (schema.kind === 'list')
    return isList(live) && isList(applied) ? mergeLists(live, applied, schema, merge) : applied;
  if (!isObject(live) || !isObject(applied)) return applied;
  const keys = new Set([...Object.keys(live), ...Object.keys(applied)]);
  return Object.fromEntries([...keys].map((key) => [key, merge(live[key], applied[key], schemaBelow(schema, key))]));
}
