import { parseCidr, parseIp } from '@cloudstack-ccm/base';

/** Everybody. */
export const ANYWHERE = '0.0.0.0/0';

/**
 * A source list in the one form in which lists are compared and sent: networks without host bits, each once, in
 * order; nothing means everybody, as it does in CloudStack. An entry that is no network stays as it is written.
 */
export function canonicalCidrs(cidrs: readonly string[]): readonly string[] {
  const canonical = new Set(cidrs.map(canonicalCidr));
  return canonical.size === 0 ? [ANYWHERE] : [...canonical].sort();
}

export function sameCidrs(left: readonly string[], right: readonly string[]): boolean {
  return canonicalCidrs(left).join() === canonicalCidrs(right).join();
}

/** True if both lists hold one network written alike: CloudStack then takes two firewall rules for colliding. */
export function shareCidrText(left: readonly string[], right: readonly string[]): boolean {
  return left.some((cidr) => right.includes(cidr));
}

function canonicalCidr(text: string): string {
  const network = parseCidr(text.trim());
  if (network) return network.text;
  const address = parseIp(text.trim());
  return address ? `${address.text}/${address.family === 4 ? 32 : 128}` : text;
}
