import { parseCidr, parseIp } from '@cloudstack-ccm/base';

/** A network in CIDR notation, of either family; host bits may be set. */
export function isCidr(text: string): boolean {
  return parseCidr(text) !== undefined;
}

export function isCidrOrAddress(text: string): boolean {
  return isCidr(text) || parseIp(text) !== undefined;
}
