/** IPv4 arithmetic on plain numbers. */

export function addressToNumber(address: string): number {
  return address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

export function numberToAddress(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}

export interface Block {
  /** First address, as a number. */
  readonly first: number;
  readonly size: number;
  readonly prefixLength: number;
}

/** @returns undefined if the text is no IPv4 CIDR. Host bits are cleared. */
export function parseBlock(cidr: string): Block | undefined {
  const match = /^(\d{1,3}(?:\.\d{1,3}){3})\/(\d{1,2})$/.exec(cidr);
  const [, address = '', length = ''] = match ?? [];
  const prefixLength = Number(length);
  if (!match || prefixLength > 32 || address.split('.').some((part) => Number(part) > 255)) return undefined;
  const size = 2 ** (32 - prefixLength);
  return { first: Math.floor(addressToNumber(address) / size) * size, size, prefixLength };
}

export function netmaskOf({ size }: Block): string {
  return numberToAddress(2 ** 32 - size);
}

/** `netmask` as a prefix length; undefined if its bits are not in one piece. */
export function prefixLengthOf(netmask: string): number | undefined {
  const size = 2 ** 32 - addressToNumber(netmask);
  const length = 32 - Math.log2(size);
  return Number.isInteger(length) ? length : undefined;
}

export function blockContains(outer: Block, inner: Block): boolean {
  return inner.first >= outer.first && inner.first + inner.size <= outer.first + outer.size;
}

export function blocksOverlap(one: Block, other: Block): boolean {
  return one.first < other.first + other.size && other.first < one.first + one.size;
}
