import { isList, isObject, type JsonObject, type JsonValue } from '../json.ts';
import type { ListSchema, Schema } from '../schema/schema.ts';
import type { PathElement } from './field-set.ts';
import { isLeaf, itemElement, schemaBelow } from './path-element.ts';

/** Lays an applied configuration over the live object: what the configuration does not mention stays. */
export function mergeValues(live: JsonObject, applied: JsonObject, schema: Schema): JsonObject {
  const merged = merge(live, applied, schema);
  return isObject(merged) ? merged : {};
}

function merge(live: JsonValue | undefined, applied: JsonValue | undefined, schema: Schema | undefined): JsonValue {
  if (applied === undefined) return live ?? null;
  if (live === undefined || !schema || isLeaf(schema)) return applied;
  if (schema.kind === 'list') return isList(live) && isList(applied) ? mergeLists(live, applied, schema) : applied;
  if (!isObject(live) || !isObject(applied)) return applied;
  const keys = new Set([...Object.keys(live), ...Object.keys(applied)]);
  return Object.fromEntries([...keys].map((key) => [key, merge(live[key], applied[key], schemaBelow(schema, key))]));
}

/** The applied order rules; items that only the live list has stay after the one they followed. */
function mergeLists(live: readonly JsonValue[], applied: readonly JsonValue[], schema: ListSchema): JsonValue[] {
  const lives = new Map(live.map((item): [PathElement, JsonValue] => [itemElement(schema, item), item]));
  const mine = new Set(applied.map((item) => itemElement(schema, item)));
  const rest = live.map((item) => itemElement(schema, item));
  const result: JsonValue[] = [];
  for (const item of applied) {
    const element = itemElement(schema, item);
    if (lives.has(element)) {
      for (const other of rest.splice(0, rest.indexOf(element) + 1)) {
        if (!mine.has(other)) result.push(lives.get(other) ?? null);
      }
    }
    result.push(merge(lives.get(element), item, schema.items));
  }
  for (const other of rest) if (!mine.has(other)) result.push(lives.get(other) ?? null);
  return result;
}
