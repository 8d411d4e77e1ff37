import { invalid } from '../errors.ts';
import { type FieldError, forbiddenField, notSupported, required } from '../validation/field-errors.ts';
import { flag } from './list-options.ts';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The query of a request that writes. */
export interface WriteParameters {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** For an apply: take fields from others. */
  readonly force: boolean;
}

type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

interface Source {
  readonly query: URLSearchParams;
  readonly userAgent: string | undefined;
  readonly kind: OptionsKind;
  readonly isApply?: boolean;
}

const VALIDATIONS = ['', 'Ignore', 'Strict', 'Warn'];

/** @throws ApiError Invalid */
export function readWriteParameters({ query, userAgent = '', kind, isApply = false }: Source): WriteParameters {
  const errors = [...dryRunErrors(query), ...managerErrors(query, kind, isApply), ...validationErrors(query)];
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', resource: kind }, errors);
  const fieldValidation = query.get('fieldValidation');
  return {
    dryRun: query.has('dryRun'),
    fieldManager: query.get('fieldManager') || (userAgent.split('/')[0] ?? '').slice(0, 128) || 'unknown',
    fieldValidation: fieldValidation === 'Ignore' || fieldValidation === 'Strict' ? fieldValidation : 'Warn',
    force: flag(query.get('force') ?? ''),
  };
}

export function dryRunErrors(query: URLSearchParams): FieldError[] {
  const given = query.getAll('dryRun');
  return given.every((value) => value === 'All') ? [] : [notSupported('dryRun', given, ['All'])];
}

function managerErrors(query: URLSearchParams, kind: OptionsKind, isApply: boolean): FieldError[] {
  const isMissing = isApply && !query.get('fieldManager');
  const isForced = kind === 'PatchOptions' && !isApply && query.has('force');
  return [
    ...(isMissing ? [required('fieldManager', 'is required for apply patch')] : []),
    ...(isForced ? [forbiddenField('force', 'may not be specified for non-apply patch')] : []),
  ];
}

function validationErrors(query: URLSearchParams): FieldError[] {
  const given = query.get('fieldValidation') ?? '';
  return VALIDATIONS.includes(given) ? [] : [notSupported('fieldValidation', given, VALIDATIONS)];
}
