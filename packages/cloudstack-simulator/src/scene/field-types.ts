import { addressToNumber, parseBlock } from '../addresses.ts';

interface FieldType {
  /** How the message goes on after "must be". */
  readonly words: string;
  fits(value: unknown): boolean;
}

/** Addresses of one zone, machines of one line: more is a slip of the pen. */
const MOST = 65_536;

const MACHINE_STATES = [
  'Starting',
  'Running',
  'Stopping',
  'Stopped',
  'Destroyed',
  'Expunging',
  'Migrating',
  'Error',
  'Unknown',
];

/** What the fields of a scene can be. */
export const fieldTypes = {
  text: { words: 'a text', fits: isText },
  number: { words: 'a number', fits: (value) => typeof value === 'number' && value > 0 && Number.isFinite(value) },
  boolean: { words: 'true or false', fits: (value) => typeof value === 'boolean' },
  texts: { words: 'a list of texts', fits: isTexts },
  names: { words: 'a list of one name at least', fits: (value) => isTexts(value) && value.length > 0 },
  count: { words: `a whole number from 1 to ${MOST}`, fits: (value) => isWhole(value, 1, MOST) },
  vlan: { words: 'a VLAN from 1 to 4094', fits: (value) => isWhole(value, 1, 4094) },
  address: { words: 'an IPv4 address', fits: isAddress },
  cidr: { words: 'an IPv4 CIDR', fits: (value) => isText(value) && parseBlock(value) !== undefined },
  range: { words: `a list of two addresses, the first and the last of at most ${MOST}`, fits: isRange },
  rules: { words: 'a list of {command, allow}', fits: (value) => Array.isArray(value) && value.every(isRule) },
  accountType: oneOf('user', 'domain-admin', 'admin'),
  guestType: oneOf('Isolated', 'Shared', 'L2'),
  machineState: oneOf(...MACHINE_STATES),
} as const satisfies Readonly<Record<string, FieldType>>;

function oneOf(...words: readonly string[]): FieldType {
  return { words: `one of ${words.join(', ')}`, fits: (value) => isText(value) && words.includes(value) };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}

function isAddress(value: unknown): value is string {
  return isText(value) && parseBlock(`${value}/32`) !== undefined;
}

function isRange(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [first, last]: readonly unknown[] = value;
  if (!isAddress(first) || !isAddress(last)) return false;
  return isWhole(addressToNumber(last) - addressToNumber(first), 0, MOST - 1);
}

function isRule(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'command' in value && typeof value.command === 'string' && 'allow' in value && typeof value.allow === 'boolean'
  );
}
