import { InvalidInputError } from '@cloudstack-ccm/base';
import type { FaultAction, FaultRule } from './faults.ts';

type Kind = FaultAction['kind'];
type FieldType = 'text' | 'number' | 'boolean' | 'span';

/** The fields of each kind of fault; `!` says that it must be there. */
const ACTIONS: Readonly<Record<Kind, Readonly<Record<string, FieldType | `${FieldType}!`>>>> = {
  latency: { ms: 'span!' },
  http: { status: 'number!', body: 'text', contentType: 'text' },
  'api-error': { code: 'number!', text: 'text!', reason: 'number' },
  'rate-limit': { retryMs: 'number!' },
  'read-only': {},
  reset: {},
  hang: {},
  'lost-answer': {},
  'cut-body': {},
  'invalid-body': {},
  'empty-body': {},
  'job-fails': { code: 'number!', text: 'text!', afterwards: 'boolean' },
  'job-hangs': {},
  'job-interrupted': {},
  'slow-job': { ms: 'number!' },
  'router-refuses': { network: 'text' },
};

const RULE: Readonly<Record<string, FieldType>> = {
  command: 'text',
  account: 'text',
  skip: 'number',
  count: 'number',
  probability: 'number',
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
  return typeof value === 'string' && value in ACTIONS;
}

function readFields(record: Record<string, unknown>, shape: Readonly<Record<string, string>>, path: string): void {
  for (const field of Object.keys(record)) {
    if (!(field in shape)) throw new InvalidInputError(`${path} has no field ${field}`);
  }
  for (const [field, type] of Object.entries(shape)) {
    const value = record[field];
    if (value === undefined) {
      if (type.endsWith('!')) throw new InvalidInputError(`${path}.${field} is missing`);
    } else if (!fits(value, type.replace('!', ''))) {
      throw new InvalidInputError(`${path}.${field} must be a ${type.replace('!', '')}`);
    }
  }
}

function fits(value: unknown, type: string): boolean {
  if (type === 'text') return typeof value === 'string';
  if (type === 'span') return isNumber(value) || (Array.isArray(value) && value.length === 2 && value.every(isNumber));
  return typeof value === type;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function readRecord(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new InvalidInputError(`${path} must be a mapping`);
}
