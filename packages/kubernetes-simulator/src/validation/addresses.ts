import { cidrContains, parseCidr, parseIp } from '@cloudstack-ccm/base';
import { type FieldError, invalidValue } from './field-errors.ts';

const LOCAL_ONLY: readonly [cidrs: readonly string[], message: string][] = [
  [['127.0.0.0/8', '::1/128'], 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [['169.254.0.0/16', 'fe80::/10'], 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  [['224.0.0.0/24', 'ff02::/16'], 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
];

export function ipErrors(field: string, text: string): FieldError[] {
  if (parseIp(text)) return [];
  return [invalidValue(field, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
}

/** An address that clients elsewhere can reach: neither loopback nor link-local nor unspecified. */
export function reachableIpErrors(field: string, text: string): FieldError[] {
  const ip = parseIp(text);
  if (!ip) return ipErrors(field, text);
  if (ip.text === '0.0.0.0' || ip.text === '::')
    return [invalidValue(field, text, `may not be unspecified (${ip.text})`)];
  return LOCAL_ONLY.filter(([cidrs]) => cidrs.some((cidr) => isIn(cidr, text))).map(([, message]) =>
    invalidValue(field, text, message),
  );
}

export function cidrErrors(field: string, text: string): FieldError[] {
  const cidr = parseCidr(text);
  if (!cidr) return [invalidValue(field, text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')];
  const address = parseIp(text.split('/')[0] ?? '');
  if (address && cidr.text.startsWith(`${address.text}/`)) return [];
  return [invalidValue(field, text, 'must not have bits set beyond the prefix length')];
}

export function isIn(network: string, address: string): boolean {
  const [cidr, ip] = [parseCidr(network), parseIp(address)];
  return cidr !== undefined && ip !== undefined && cidrContains(cidr, ip);
}
