import { badRequest } from '../errors.ts';
import { isList, type JsonValue } from '../json.ts';
import type { Schema, StructType } from './schema.ts';

/** Where a decoder stands. */
export interface Place {
  /** The struct that has the field, for example `ServicePort`. */
  readonly owner: string;
  /** The way to the field in Go's words: `spec.ports.port`. */
  readonly goPath: string;
  /** The same with indexes: `spec.ports[0].port`. */
  readonly path: string;
}

/** The error for a value of the wrong type, as Go's JSON decoder words it. */
export function typeMismatch(found: JsonValue, place: Place, wanted: string): Error {
  const field = place.goPath === '' ? 'value' : `struct field ${place.owner}.${place.goPath}`;
  return badRequest(`json: cannot unmarshal ${describe(found, wanted)} into Go ${field} of type ${wanted}`);
}

export function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** `core/v1.ServicePort` is `ServicePort` to its own package. */
export function bareName(type: StructType): string {
  return type.name.split('.').at(-1) ?? '';
}

/** `core/v1.ServicePort` is `v1.ServicePort` to others. */
export function goTypeName(schema: Schema): string {
  switch (schema.kind) {
    case 'scalar':
      return schema.scalar === 'boolean' ? 'bool' : schema.scalar;
    case 'list':
      return `[]${goTypeName(schema.items)}`;
    case 'map':
      return `map[string]${goTypeName(schema.values)}`;
    case 'struct':
      return schema.type.name.split('/').at(-1) ?? '';
  }
}

function describe(value: JsonValue, wanted: string): string {
  if (isList(value)) return 'array';
  // Go shows a number only when its kind would do but its value does not.
  if (typeof value === 'number') return wanted.startsWith('int') ? `number ${value}` : 'number';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
