import { badRequest } from '../errors.ts';

/** The fields of a message by number; one number can occur often. Kubernetes has no fixed-width fields but floats. */
export type Message = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

/** Cuts a protobuf message into its fields. @throws ApiError BadRequest when it ends too early. */
export function readMessage(bytes: Buffer): Message {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  while (at < bytes.length) {
    const [tag, afterTag] = readVarint(bytes, at);
    const [field, next] = readField(bytes, afterTag, Number(tag & 7n));
    const number = Number(tag >> 3n);
    fields.set(number, [...(fields.get(number) ?? []), field]);
    at = next;
  }
  return fields;
}

function readField(bytes: Buffer, at: number, wireType: number): [field: bigint | Buffer, next: number] {
  if (wireType === VARINT) return readVarint(bytes, at);
  if (wireType === LENGTH_DELIMITED) {
    const [length, start] = readVarint(bytes, at);
    return cut(bytes, start, Number(length));
  }
  if (wireType === FIXED64) return cut(bytes, at, 8);
  if (wireType === FIXED32) return cut(bytes, at, 4);
  throw badRequest(`proto: illegal wireType ${wireType}`);
}

function readVarint(bytes: Buffer, at: number): [value: bigint, next: number] {
  let value = 0n;
  for (let step = 0; step < 10; step++) {
    const byte = bytes[at + step];
    if (byte === undefined) break;
    value |= BigInt(byte & 0x7f) << BigInt(step * 7);
    if (byte < 0x80) return [value, at + step + 1];
  }
  throw badRequest('unexpected EOF');
}

function cut(bytes: Buffer, start: number, length: number): [field: Buffer, next: number] {
  if (start + length > bytes.length) throw badRequest('unexpected EOF');
  return [bytes.subarray(start, start + length), start + length];
}
