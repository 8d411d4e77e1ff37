import { cidrContains, parseCidr, parseIp, type Cidr } from '@cloudstack-ccm/base';

/** Which addresses are meant: all in a network that is named by id or name, or all in a CIDR. */
export type NetworkPattern =
  { readonly kind: 'network'; readonly idOrName: string } | { readonly kind: 'cidr'; readonly cidr: Cidr };

/** Undefined for a text with a slash that is no CIDR. Networks are compared without regard to case. */
export function readNetworkPattern(text: string): NetworkPattern | undefined {
  const cidr = parseCidr(text);
  if (cidr) return { kind: 'cidr', cidr };
  return /^[\d.:a-f]+\/\d*$/i.test(text) ? undefined : { kind: 'network', idOrName: text.toLowerCase() };
}

interface Placed {
  readonly address: string;
  readonly networkId: string;
  readonly networkName: string;
}

/** The first of the patterns that means the address, by its place in the list; -1 for none. */
export function indexOfPattern(patterns: readonly NetworkPattern[], placed: Placed): number {
  return patterns.findIndex((pattern) => means(pattern, placed));
}

function means(pattern: NetworkPattern, { address, networkId, networkName }: Placed): boolean {
  switch (pattern.kind) {
    case 'network':
      return [networkId, networkName].some((name) => name !== '' && name.toLowerCase() === pattern.idOrName);
    case 'cidr': {
      const ip = parseIp(address);
      return ip !== undefined && cidrContains(pattern.cidr, ip);
    }
  }
}
