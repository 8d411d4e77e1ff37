import { isObject, type JsonValue } from '../json.ts';
import type { ListSchema, Schema } from '../schema/schema.ts';
import type { PathElement } from './field-set.ts';

export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** What tells one item of a set or of a keyed list from the others; a missing key counts as its default. */
export function itemElement(schema: ListSchema, item: JsonValue): PathElement {
  if (schema.listType === 'set') return `v:${JSON.stringify(item)}`;
  const keys = [...schema.keys].sort();
  const entries = keys.map((key): [string, JsonValue | undefined] => [key, keyValue(schema, item, key)]);
  return `k:${JSON.stringify(Object.fromEntries(entries))}`;
}

/** The schema of what lies below a field name. */
export function schemaBelow(schema: Schema, name: string): Schema | undefined {
  if (schema.kind === 'struct') return schema.type.fields.get(name)?.schema;
  return schema.kind === 'map' ? schema.values : undefined;
}

/** True if the whole value is owned as one. */
export function isLeaf(schema: Schema): boolean {
  if (schema.kind === 'scalar') return true;
  return schema.kind === 'list' ? schema.listType === 'atomic' : schema.atomic;
}

function keyValue({ items }: ListSchema, item: JsonValue, key: string): JsonValue | undefined {
  const given = isObject(item) ? item[key] : undefined;
  return given ?? (items.kind === 'struct' ? items.type.fields.get(key)?.fallback : undefined);
}
