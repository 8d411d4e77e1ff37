/* Just enough of ASN.1 DER to write X.509 certificates (ITU-T X.690). */

/** One DER element: tag, length, content. */
export function element(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), length(content.length), content]);
}

function length(size: number): Buffer {
  if (size < 0x80) return Buffer.from([size]);
  const bytes = size < 0x100 ? [size] : [size >> 8, size & 0xff];
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

export const sequence = (...items: readonly Buffer[]): Buffer => element(0x30, ...items);
export const set = (...items: readonly Buffer[]): Buffer => element(0x31, ...items);
export const octets = (content: Buffer): Buffer => element(0x04, content);
export const utf8 = (text: string): Buffer => element(0x0c, Buffer.from(text));
export const yes = (): Buffer => element(0x01, Buffer.from([0xff]));

/** A context tag with a content of its own structure: `[n] EXPLICIT`. */
export const tagged = (number: number, content: Buffer): Buffer => element(0xa0 | number, content);

/** A context tag in place of a primitive's own: `[n] IMPLICIT`. */
export const retagged = (number: number, content: Buffer): Buffer => element(0x80 | number, content);

/** A non-negative integer, big-endian. */
export function integer(bytes: Buffer): Buffer {
  const first = bytes[0] ?? 0;
  return element(0x02, first < 0x80 ? bytes : Buffer.concat([Buffer.from([0]), bytes]));
}

/** @param unused bits at the end of the last byte that do not count. */
export function bits(content: Buffer, unused = 0): Buffer {
  return element(0x03, Buffer.from([unused]), content);
}

/** An object identifier from its dotted form. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): readonly number[] {
  const bytes = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}

/** A time until 2049, in seconds: `UTCTime`. */
export function utcTime(time: Date): Buffer {
  const text = time.toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return element(0x17, Buffer.from(`${text}Z`));
}
