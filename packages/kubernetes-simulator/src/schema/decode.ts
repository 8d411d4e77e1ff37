import { isList, isObject, type JsonObject, type JsonValue } from '../json.ts';
import { decodeScalar, isGoStruct, zeroScalar } from './scalar.ts';
import type { Field, ListSchema, MapSchema, Schema, StructSchema, StructType } from './schema.ts';
import { bareName, goTypeName, joinPath, type Place, typeMismatch } from './type-mismatch.ts';

export interface Decoded {
  readonly value: JsonObject;
  /** Paths of fields that the type does not have, for example `spec.ports[0].colour`. They are dropped. */
  readonly unknownFields: readonly string[];
}

/**
 * - `complete`: as the API server stores it: defaults filled in, empty fields left out, zero values written where Go
 *   writes them.
 * - `sparse`: only what was given, checked: for the configuration of a server-side apply.
 */
export type DecodeMode = 'complete' | 'sparse';

/**
 * Reads an object as the API server's decoder does.
 * @throws ApiError BadRequest with Go's words when a value has the wrong type.
 */
export function decodeObject(schema: StructSchema, value: JsonValue, mode: DecodeMode = 'complete'): Decoded {
  const decoder = new Decoder(mode);
  const decoded = decoder.struct(schema, value, { owner: bareName(schema.type), goPath: '', path: '' });
  return { value: decoded, unknownFields: decoder.unknownFields };
}

/** The object that the API server would write when nothing was given. */
export function emptyObject(schema: StructSchema): JsonObject {
  return decodeObject(schema, {}).value;
}

class Decoder {
  readonly #mode: DecodeMode;
  readonly unknownFields: string[] = [];

  constructor(mode: DecodeMode) {
    this.#mode = mode;
  }

  struct(schema: StructSchema, value: JsonValue, place: Place): JsonObject {
    if (!isObject(value)) throw typeMismatch(value, place, goTypeName(schema));
    const { type } = schema;
    for (const key of Object.keys(value)) if (!type.fields.has(key)) this.unknownFields.push(joinPath(place.path, key));
    const result: Record<string, JsonValue> = {};
    for (const field of type.fields.values()) {
      const decoded = this.#field(field, value[field.name], below(type, field, place));
      if (decoded !== undefined) result[field.name] = decoded;
    }
    return result;
  }

  #field(field: Field, given: JsonValue | undefined, place: Place): JsonValue | undefined {
    const absent = given === undefined || given === null;
    if (this.#mode === 'sparse') return absent ? undefined : this.#value(field.schema, given, place);
    if (absent) return this.#absent(field, place);
    const decoded = this.#value(field.schema, given, place);
    if (decoded === '' && field.fallback !== undefined) return field.fallback;
    return field.pointer || !isLeftOut(field, decoded) ? decoded : undefined;
  }

  #absent(field: Field, place: Place): JsonValue | undefined {
    const { schema, pointer, omit, fallback } = field;
    if (fallback !== undefined && !isLeftOut(field, fallback)) return fallback;
    if (pointer) return omit === 'never' ? null : undefined;
    if (omit === 'zero') return undefined;
    if (schema.kind === 'struct') return this.struct(schema, {}, place);
    if (schema.kind !== 'scalar') return omit === 'never' ? null : undefined;
    return omit === 'never' || isGoStruct(schema.scalar) ? zeroScalar(schema.scalar) : undefined;
  }

  #value(schema: Schema, given: JsonValue, place: Place): JsonValue {
    switch (schema.kind) {
      case 'scalar':
        return decodeScalar(schema.scalar, given, place);
      case 'list':
        return this.#list(schema, given, place);
      case 'map':
        return this.#map(schema, given, place);
      case 'struct':
        return this.struct(schema, given, place);
    }
  }

  #list(schema: ListSchema, given: JsonValue, place: Place): JsonValue {
    if (!isList(given)) throw typeMismatch(given, place, goTypeName(schema));
    return given.map((item, index) => this.#element(schema.items, item, { ...place, path: `${place.path}[${index}]` }));
  }

  #map(schema: MapSchema, given: JsonValue, place: Place): JsonValue {
    if (!isObject(given)) throw typeMismatch(given, place, goTypeName(schema));
    const entries = Object.entries(given).map(([key, item]): [string, JsonValue] => [
      key,
      this.#element(schema.values, item, { ...place, path: joinPath(place.path, key) }),
    ]);
    return Object.fromEntries(entries);
  }

  /** Go reads a null element as the zero value of its type. */
  #element(schema: Schema, given: JsonValue, place: Place): JsonValue {
    if (given !== null) return this.#value(schema, given, place);
    if (schema.kind === 'struct') return this.struct(schema, {}, place);
    return schema.kind === 'scalar' ? zeroScalar(schema.scalar) : null;
  }
}

function below(type: StructType, field: Field, place: Place): Place {
  return {
    owner: bareName(type),
    goPath: joinPath(place.goPath, field.name),
    path: joinPath(place.path, field.name),
  };
}

/** True for a value that `omitempty` leaves out. */
function isLeftOut({ schema, omit }: Field, value: JsonValue): boolean {
  if (omit === 'never' || schema.kind === 'struct') return false;
  if (isList(value)) return value.length === 0;
  if (isObject(value)) return schema.kind === 'map' && Object.keys(value).length === 0;
  if (schema.kind === 'scalar' && isGoStruct(schema.scalar)) return omit === 'zero' && value === null;
  return value === '' || value === 0 || value === false;
}
