/** The few DER encodings (ITU-T X.690) that a certificate is made of. */

export function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...length(content.length)]), content]);
}

function length(bytes: number): readonly number[] {
  if (bytes < 0x80) return [bytes];
  return bytes < 0x100 ? [0x81, bytes] : [0x82, bytes >> 8, bytes & 0xff];
}

export const sequence = (...items: readonly Buffer[]): Buffer => der(0x30, ...items);
export const setOf = (item: Buffer): Buffer => der(0x31, item);
export const utf8String = (text: string): Buffer => der(0x0c, Buffer.from(text));
export const octetString = (content: Buffer): Buffer => der(0x04, content);
export const boolean = (value: boolean): Buffer => der(0x01, Buffer.from([value ? 0xff : 0]));

/** @param unusedBits of the last byte. */
export const bitString = (content: Buffer, unusedBits = 0): Buffer => der(0x03, Buffer.from([unusedBits]), content);

/** A non-negative integer from its big-endian bytes, the first of which is not 0. */
export function integer(bytes: Buffer): Buffer {
  const negative = ((bytes[0] ?? 0) & 0x80) !== 0;
  return der(0x02, negative ? Buffer.from([0]) : Buffer.alloc(0), bytes);
}

/** From the dotted form, for example `2.5.4.3`. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): readonly number[] {
  const digits = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}

/** As `UTCTime` up to the year 2049, from then on as `GeneralizedTime`, as RFC 5280 wants it. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}
