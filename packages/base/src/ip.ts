import ipaddr from 'ipaddr.js';

/** An address as its bytes mean it: two spellings of one IPv6 address, or an IPv4-mapped one, are equal. */
export interface IpAddress {
  readonly family: 4 | 6;
  /** Shortest canonical spelling. Compare these. */
  readonly text: string;
}

export interface Cidr {
  readonly family: 4 | 6;
  readonly prefixLength: number;
  /** The network with its host bits cleared, for example `10.0.0.0/8`. Compare these. */
  readonly text: string;
}

/** Reads an address as strictly as Go does: four decimal parts without leading zeros, no zone. */
export function parseIp(text: string): IpAddress | undefined {
  const parsed = strict(text);
  return parsed && { family: parsed.kind() === 'ipv4' ? 4 : 6, text: parsed.toString() };
}

/** Reads `address/prefix` as strictly as Go's net.ParseCIDR. A bare address is no CIDR. */
export function parseCidr(text: string): Cidr | undefined {
  const [address = '', length = '', ...rest] = text.split('/');
  const parsed = strict(address, false);
  if (!parsed || rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(length)) return undefined;
  const family = parsed.kind() === 'ipv4' ? 4 : 6;
  const prefixLength = Number(length);
  if (prefixLength > (family === 4 ? 32 : 128)) return undefined;
  const network = masked(parsed.toByteArray(), prefixLength);
  return { family, prefixLength, text: `${ipaddr.fromByteArray(network).toString()}/${prefixLength}` };
}

/** True if the address lies in the network; never across families. */
export function cidrContains(cidr: Cidr, address: IpAddress): boolean {
  if (cidr.family !== address.family) return false;
  const bytes = ipaddr.parse(address.text).toByteArray();
  return `${ipaddr.fromByteArray(masked(bytes, cidr.prefixLength)).toString()}/${cidr.prefixLength}` === cidr.text;
}

/** ipaddr.js also reads `10.1`, `010.0.0.1` and `0x7f.1`; Go, and so the API server and CloudStack, refuse them. */
function strict(text: string, unmap = true): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (text.includes(':')) {
    if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined;
    const parsed = ipaddr.IPv6.parse(text);
    return unmap && parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed;
  }
  return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;
}

function masked(bytes: number[], prefixLength: number): number[] {
  return bytes.map((byte, index) => {
    const kept = Math.min(8, Math.max(0, prefixLength - index * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
}
