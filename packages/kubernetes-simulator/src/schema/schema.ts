import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonValue } from '../json.ts';

export type ScalarName =
  'string' | 'boolean' | 'int32' | 'int64' | 'bytes' | 'Quantity' | 'Time' | 'MicroTime' | 'IntOrString' | 'any';

/** What one value may be, and how two versions of it merge. */
export type Schema = ScalarSchema | ListSchema | MapSchema | StructSchema;

export interface ScalarSchema {
  readonly kind: 'scalar';
  readonly scalar: ScalarName;
}

export interface ListSchema {
  readonly kind: 'list';
  readonly items: Schema;
  /** How server-side apply tells the items apart. */
  readonly listType: 'atomic' | 'set' | 'map';
  /** The fields that identify an item of a `map` list. */
  readonly keys: readonly string[];
  /** How a strategic merge patch treats the list. */
  readonly patch: 'replace' | 'merge';
  readonly mergeKey: string | undefined;
}

export interface MapSchema {
  readonly kind: 'map';
  readonly values: Schema;
  readonly atomic: boolean;
}

export interface StructSchema {
  readonly kind: 'struct';
  readonly type: StructType;
  readonly atomic: boolean;
}

export interface StructType {
  /** For example `core/v1.ServicePort`. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, Field>;
}

export interface Field {
  readonly name: string;
  readonly schema: Schema;
  /** A pointer tells "not set" from "set to the zero value". */
  readonly pointer: boolean;
  /** `never`: always written. `empty`: left out when empty, structs excepted. `zero`: left out when empty. */
  readonly omit: 'never' | 'empty' | 'zero';
  readonly fallback: JsonValue | undefined;
  /** The field's place in protobuf: its number, behind that of the message that it is embedded with. */
  readonly protobuf: readonly number[];
}

/** All types by name, for example `core/v1.Service`. */
export type SchemaIndex = ReadonlyMap<string, StructType>;

let shared: SchemaIndex | undefined;

/** The types of the API, read once. */
function kubernetesSchema(): SchemaIndex {
  shared ??= parseSchema(readFileSync(path.join(import.meta.dirname, 'kubernetes.schema'), 'utf8'));
  return shared;
}

/** A type by name. @throws when the schema has none, which is a mistake in this package. */
function structType(name: string): StructType {
  const type = kubernetesSchema().get(name);
  if (!type) throw new Error(`kubernetes.schema has no type ${name}`);
  return type;
}

export function structSchema(name: string): StructSchema {
  return { kind: 'struct', type: structType(name), atomic: false };
}

interface OpenType extends StructType {
  readonly fields: Map<string, Field>;
  atomic: boolean;
}

/**
 * Reads the notation of `kubernetes.schema`: `= group` opens a section, a line without indent a type, an indented
 * line is a field: name, type (`[T]` list, `{T}` map, `*T` pointer; `?` omitempty, `!` omitzero), `#` and its place
 * in protobuf, merge rules.
 */
function parseSchema(text: string): SchemaIndex {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const types = new Map<string, OpenType>();
  forEachLine(lines, (group, line) => {
    const [name = '', atomic] = line.split(' ');
    types.set(`${group}.${name}`, { name: `${group}.${name}`, fields: new Map(), atomic: atomic === 'atomic' });
  });
  let open: OpenType | undefined;
  forEachLine(
    lines,
    (group, line) => (open = types.get(`${group}.${line.split(' ')[0] ?? ''}`)),
    (group, line) => {
      const field = parseField(line.trim().split(' '), (name) =>
        types.get(name.includes('.') ? name : `${group}.${name}`),
      );
      open?.fields.set(field.name, field);
    },
  );
  return types;
}

type OnLine = (group: string, line: string) => void;

function forEachLine(lines: readonly string[], onType: OnLine, onField?: OnLine): void {
  let group = '';
  for (const line of lines) {
    if (line.startsWith('= ')) group = line.slice(2);
    else if (line.startsWith('  ')) onField?.(group, line);
    else onType(group, line);
  }
}

type Lookup = (name: string) => OpenType | undefined;

function parseField([name = '', type = '', ...attributes]: readonly string[], lookup: Lookup): Field {
  const bare = type.replace(/[?!]$/, '');
  const fallback = argumentOf(attributes, 'default');
  return {
    name,
    schema: parseType(bare.replace(/^\*/, ''), attributes, lookup),
    pointer: bare.startsWith('*'),
    omit: type.endsWith('!') ? 'zero' : type.endsWith('?') ? 'empty' : 'never',
    protobuf: protobufPlace(attributes),
    fallback: fallback === undefined || fallback.startsWith('ref(') ? undefined : parseFallback(fallback),
  };
}

function parseType(type: string, attributes: readonly string[], lookup: Lookup): Schema {
  const atomic = attributes.includes('atomic');
  const inner = type.slice(1, -1).replace(/^\*/, '');
  if (type.startsWith('[')) return parseList(inner, attributes, lookup);
  if (type.startsWith('{')) return { kind: 'map', values: parseType(inner, [], lookup), atomic };
  const found = lookup(type);
  return found
    ? { kind: 'struct', type: found, atomic: atomic || found.atomic }
    : { kind: 'scalar', scalar: type as ScalarName };
}

function parseList(items: string, attributes: readonly string[], lookup: Lookup): ListSchema {
  const keys = argumentOf(attributes, 'map');
  const mergeKey = argumentOf(attributes, 'merge');
  return {
    kind: 'list',
    items: parseType(items, [], lookup),
    listType: keys === undefined ? (attributes.includes('set') ? 'set' : 'atomic') : 'map',
    keys: keys?.split(',') ?? [],
    patch: mergeKey !== undefined || attributes.includes('merge') ? 'merge' : 'replace',
    mergeKey,
  };
}

function argumentOf(attributes: readonly string[], name: string): string | undefined {
  const found = attributes.find((attribute) => attribute.startsWith(`${name}(`));
  return found?.slice(name.length + 1, -1);
}

function protobufPlace(attributes: readonly string[]): number[] {
  const place = attributes.find((attribute) => attribute.startsWith('#'));
  return place?.slice(1).split('.').map(Number) ?? [];
}

function parseFallback(text: string): JsonValue {
  return JSON.parse(text) as JsonValue;
}
