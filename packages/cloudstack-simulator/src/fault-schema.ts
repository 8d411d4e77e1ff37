import { InvalidInputError } from '@cloudstack-ccm/base';
import type { FaultAction, FaultRule } from './faults.ts';

type Kind = FaultAction['kind'];
type FieldType = keyof typeof TYPES;

/** Timers of Node take no more. */
const LONGEST_MS = 2 ** 31 - 1;

interface Type {
  readonly words: string;
  fits(value: unknown): boolean;
}

const TYPES = {
  text: { words: 'a text', fits: (value) => typeof value === 'string' },
  line: { words: 'a text of one line', fits: (value) => typeof value === 'string' && /^[\x20-\x7e]*$/.test(value) },
  boolean: { words: 'true or false', fits: (value) => typeof value === 'boolean' },
  count: { words: 'a whole number that is not negative', fits: (value) => isWhole(value, 0) },
  status: { words: 'an HTTP status from 200 to 599', fits: (value) => isWhole(value, 200, 599) },
  probability: { words: 'a number from 0 to 1', fits: (value) => isNumber(value, 1) },
  duration: { words: 'a number of milliseconds', fits: (value) => isNumber(value, LONGEST_MS) },
  texts: {
    words: 'a list of texts',
    fits: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  },
  change: {
    words: 'delete, create or move',
    fits: (value) => ['delete', 'create', 'move'].some((one) => one === value),
  },
  span: { words: 'a span of milliseconds: a number, or [from, to]', fits: isSpan },
} as const satisfies Readonly<Record<string, Type>>;

/** The fields of each kind of fault; `!` says that it must be there. */
const ACTIONS: Readonly<Record<Kind, Readonly<Record<string, FieldType | `${FieldType}!`>>>> = {
  latency: { ms: 'span!' },
  http: { status: 'status!', body: 'text', contentType: 'line' },
  'api-error': { code: 'status!', text: 'text!', reason: 'count' },
  'rate-limit': { retryMs: 'duration!' },
  'read-only': {},
  reset: {},
  hang: {},
  'lost-answer': {},
  'cut-body': {},
  'invalid-body': {},
  'empty-body': {},
  'list-changes': { change: 'change!', objects: 'texts', number: 'count', ms: 'span' },
  'job-fails': { code: 'count!', text: 'text!', afterwards: 'boolean' },
  'job-hangs': {},
  'job-interrupted': {},
  'slow-job': { ms: 'duration!' },
  'router-refuses': { network: 'text' },
};

const RULE: Readonly<Record<string, FieldType>> = {
  command: 'text',
  account: 'text',
  skip: 'count',
  count: 'count',
  probability: 'probability',
};

/** Checks that a value is a fault rule. @throws InvalidInputError that names the field that is wrong. */
export function readFaultRule(value: unknown): FaultRule {
  const rule = readRecord(value, 'rule');
  const { action, ...limits } = rule;
  readFields(limits, RULE, 'rule');
  const { kind, ...fields } = readRecord(action, 'rule.action');
  if (!isKind(kind)) throw new InvalidInputError(`rule.action.kind must be one of ${Object.keys(ACTIONS).join(', ')}`);
  readFields(fields, ACTIONS[kind], 'rule.action');
  // Both tables above follow the types.
  return rule as unknown as FaultRule;
}

function isKind(value: unknown): value is Kind {
  return typeof value === 'string' && Object.hasOwn(ACTIONS, value);
}

function readFields(
  record: Record<string, unknown>,
  shape: Readonly<Record<string, FieldType | `${FieldType}!`>>,
  path: string,
): void {
  for (const field of Object.keys(record)) {
    if (!Object.hasOwn(shape, field)) throw new InvalidInputError(`${path} has no field ${field}`);
  }
  for (const [field, mark] of Object.entries(shape)) {
    const value = record[field];
    const type: Type = TYPES[mark.replace('!', '') as FieldType];
    if (value === undefined) {
      if (mark.endsWith('!')) throw new InvalidInputError(`${path}.${field} is missing`);
    } else if (!type.fits(value)) throw new InvalidInputError(`${path}.${field} must be ${type.words}`);
  }
}

function isSpan(value: unknown): boolean {
  if (!Array.isArray(value)) return isNumber(value, LONGEST_MS);
  const [from, to]: readonly unknown[] = value;
  return value.length === 2 && isNumber(to, LONGEST_MS) && isNumber(from, to);
}

function isNumber(value: unknown, most: number): value is number {
  return typeof value === 'number' && value >= 0 && value <= most;
}

function isWhole(value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isInteger(value) && isNumber(value, most) && value >= least;
}

function readRecord(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new InvalidInputError(`${path} must be a mapping`);
}
