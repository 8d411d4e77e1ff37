import { isObject, type JsonObject, textsAt } from '../json.ts';
import { decodeObject } from '../schema/decode.ts';
import type { StructSchema } from '../schema/schema.ts';
import { compareObjects } from './compare.ts';
import { FieldSet } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Fields that kubectl owns by the annotation of its client-side apply: a later server-side apply by kubectl may
 * change them without a conflict, as long as nobody else has changed them since.
 */
export function lastAppliedFields(live: JsonObject, schema: StructSchema, manager: string): FieldSet {
  const text = textsAt(live, 'metadata', 'annotations')[ANNOTATION];
  const last = manager === 'kubectl' && text !== undefined ? parse(text) : undefined;
  if (!last) return FieldSet.empty;
  const { value } = decodeObject(schema, last, 'sparse');
  return fieldSetOf(value, schema).difference(compareObjects(value, live, schema).modified);
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
