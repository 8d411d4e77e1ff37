import { isList, isObject, type JsonObject, type JsonValue } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import type { FieldSet } from './field-set.ts';
import { fieldElement, isLeaf, itemElement, schemaBelow } from './path-element.ts';

/** A copy without the members of `gone`. Containers that lose everything go with it. */
export function removeFields(value: JsonObject, gone: FieldSet, schema: Schema): JsonObject {
  const rest = remove(value, gone, schema);
  return isObject(rest) ? rest : {};
}

function remove(value: JsonValue, gone: FieldSet, schema: Schema | undefined): JsonValue | undefined {
  if (gone.isEmpty || !schema || isLeaf(schema)) return value;
  if (isList(value) && schema.kind === 'list') {
    const kept = value.flatMap((item) => {
      const element = itemElement(schema, item);
      const rest = gone.has(element) ? undefined : remove(item, gone.below(element), schema.items);
      return rest === undefined ? [] : [rest];
    });
    return kept.length === 0 ? undefined : kept;
  }
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([key, item]): [string, JsonValue][] => {
    const element = fieldElement(key);
    const rest = gone.has(element) ? undefined : remove(item, gone.below(element), schemaBelow(schema, key));
    return rest === undefined ? [] : [[key, rest]];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
