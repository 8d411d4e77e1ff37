import { badRequest } from '../errors.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import type { ScalarName, Schema, StructSchema } from './schema.ts';
import { type Message, readMessage } from './protobuf-wire.ts';

/** "k8s" and a zero byte: how a Kubernetes protobuf body begins. */
const MAGIC = Buffer.from('k8s\0');

/** What a protobuf body says it is, before its content is read. */
export interface ProtobufEnvelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Buffer;
}

/** Opens a body of `application/vnd.kubernetes.protobuf`. @throws ApiError BadRequest */
export function openEnvelope(bytes: Buffer): ProtobufEnvelope {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw badRequest('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  const unknown = readMessage(bytes.subarray(MAGIC.length));
  const typeMeta = readMessage(lastBytes(unknown, 1));
  return {
    apiVersion: lastBytes(typeMeta, 1).toString(),
    kind: lastBytes(typeMeta, 2).toString(),
    raw: lastBytes(unknown, 2),
  };
}

/** A message as the JSON that says the same. */
export function protobufToJson(raw: Buffer, schema: StructSchema): JsonObject {
  return struct(readMessage(raw), schema);
}

function struct(message: Message, schema: StructSchema): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const field of schema.type.fields.values()) {
    const [number, ...within] = field.protobuf.toReversed();
    if (number === undefined) continue;
    const owner = within.reduceRight((outer, step) => readMessage(lastBytes(outer, step)), message);
    const found = owner.get(number);
    if (found) result[field.name] = value(found, field.schema);
  }
  return result;
}

type Found = readonly (bigint | Buffer)[];

function value(found: Found, schema: Schema): JsonValue {
  switch (schema.kind) {
    case 'list':
      return found.map((item) => value([item], schema.items));
    case 'map':
      return Object.fromEntries(found.map((entry) => mapEntry(entry, schema.values)));
    case 'struct':
      return struct(readMessage(asBytes(found.at(-1))), schema);
    case 'scalar':
      return scalar(found.at(-1), schema.scalar);
  }
}

function mapEntry(entry: bigint | Buffer, schema: Schema): [key: string, item: JsonValue] {
  const message = readMessage(asBytes(entry));
  const key = lastBytes(message, 1).toString();
  const item = message.get(2) ?? [];
  // A list in a map is a message of its own.
  if (schema.kind === 'list') return [key, value(readMessage(asBytes(item.at(-1))).get(1) ?? [], schema)];
  return [key, item.length === 0 ? '' : value(item, schema)];
}

function scalar(found: bigint | Buffer | undefined, name: ScalarName): JsonValue {
  switch (name) {
    case 'string':
      return asBytes(found).toString();
    case 'bytes':
      return asBytes(found).toString('base64');
    case 'boolean':
      return found === 1n;
    case 'int32':
    case 'int64':
      return asNumber(found);
    case 'Quantity':
      return lastBytes(readMessage(asBytes(found)), 1).toString();
    case 'Time':
    case 'MicroTime':
      return timestamp(readMessage(asBytes(found)));
    case 'IntOrString':
      return intOrString(readMessage(asBytes(found)));
    case 'any':
      return anything(lastBytes(readMessage(asBytes(found)), 1));
  }
}

function timestamp(message: Message): JsonValue {
  const seconds = asNumber(message.get(1)?.at(-1));
  const nanos = asNumber(message.get(2)?.at(-1));
  // The zero time of Go is no time.
  if (seconds <= 0 && nanos === 0) return null;
  const fraction = String(nanos).padStart(9, '0').slice(0, 6);
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${fraction}Z`;
}

function intOrString(message: Message): JsonValue {
  const isText = asNumber(message.get(1)?.at(-1)) === 1;
  return isText ? lastBytes(message, 3).toString() : asNumber(message.get(2)?.at(-1));
}

/** Raw JSON inside a message. */
function anything(raw: Buffer): JsonValue {
  return raw.length === 0 ? null : (JSON.parse(raw.toString()) as JsonValue);
}

function lastBytes(message: Message, number: number): Buffer {
  return asBytes(message.get(number)?.at(-1));
}

function asBytes(found: bigint | Buffer | undefined): Buffer {
  return Buffer.isBuffer(found) ? found : Buffer.alloc(0);
}

/** Negative numbers travel as their 64-bit complement. */
function asNumber(found: bigint | Buffer | undefined): number {
  return typeof found === 'bigint' ? Number(BigInt.asIntN(64, found)) : 0;
}
