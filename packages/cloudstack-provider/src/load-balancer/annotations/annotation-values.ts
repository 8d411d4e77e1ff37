import { parseCidr, parseIp } from '@cloudstack-ccm/base';
import type { Algorithm } from '../plan/protocol.ts';
import { bad, good, type Reading } from './problem.ts';

/*
 * Readers for the values of annotations. Each takes the trimmed text, which is never empty, and says what is wrong in
 * words that fit behind "annotation <name>: ".
 */

const TRUE = new Set(['1', 't', 'true', 'yes', 'on']);
const FALSE = new Set(['0', 'f', 'false', 'no', 'off']);

/** Go's booleans, and yes, no, on, off, in any case. */
export function readBoolean(text: string): Reading<boolean> {
  const word = text.toLowerCase();
  if (TRUE.has(word)) return good(true);
  if (FALSE.has(word)) return good(false);
  return bad(`"${text}" is neither "true" nor "false"`);
}

/** Ports to which something applies. */
export type PortSelection = 'all' | 'none' | ReadonlySet<number>;

export function isSelected(selection: PortSelection, port: number): boolean {
  return selection === 'all' || (selection !== 'none' && selection.has(port));
}

/** A boolean for all ports, or the port numbers for which it is true: `443,8443`. */
export function readPortSelection(text: string): Reading<PortSelection> {
  const boolean = readBoolean(text);
  if ('value' in boolean && !/^[01]$/.test(text)) return good(boolean.value ? 'all' : 'none');
  const words = splitList(text);
  const wrong = words.find((word) => !/^[1-9]\d{0,4}$/.test(word) || Number(word) > 65_535);
  if (wrong === undefined) return good(new Set(words.map(Number)));
  return bad(`"${text}" is neither "true" nor "false" nor a list of port numbers`);
}

/** Comma-separated networks in CIDR notation; blanks around them do not matter. A bare address is none. */
export function readCidrList(text: string): Reading<readonly string[]> {
  const cidrs: string[] = [];
  for (const entry of text.split(',').map((word) => word.trim())) {
    const cidr = parseCidr(entry);
    if (!cidr) return bad(`invalid CIDR "${entry}": write networks such as 192.0.2.0/24, separated by commas`);
    cidrs.push(cidr.text);
  }
  return good(cidrs);
}

export function readIpv4(text: string): Reading<string> {
  const address = parseIp(text);
  return address?.family === 4 ? good(address.text) : bad(`"${text}" is no IPv4 address`);
}

/** What the API server accepts as the host name of a load balancer. */
export function readHostname(text: string): Reading<string> {
  const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
  const valid = new RegExp(`^${label}(\\.${label})*$`).test(text) && text.length <= 253 && !parseIp(text);
  return valid ? good(text) : bad(`"${text}" is no host name: use lower-case letters, digits, "-" and "."`);
}

export function readAlgorithm(text: string): Reading<Algorithm> {
  return readChoice<Algorithm>(text, ['roundrobin', 'leastconn', 'source']);
}

export function readIpMode(text: string): Reading<'VIP' | 'Proxy'> {
  return readChoice(text, ['VIP', 'Proxy']);
}

export function readText(text: string): Reading<string> {
  return good(text);
}

export function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** One of several words, in any case. */
function readChoice<T extends string>(text: string, choices: readonly T[]): Reading<T> {
  const choice = choices.find((one) => one.toLowerCase() === text.toLowerCase());
  return choice ? good(choice) : bad(`"${text}" is none of ${choices.join(', ')}`);
}
