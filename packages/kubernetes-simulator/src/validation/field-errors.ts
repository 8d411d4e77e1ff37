import type { StatusCause } from '../status.ts';

/** One reason to refuse an object: what `Status.details.causes` holds. The texts are those of the API server. */
export type FieldError = Required<StatusCause>;

export function required(field: string, detail = ''): FieldError {
  return fieldError('FieldValueRequired', field, `Required value${detail && `: ${detail}`}`);
}

export function invalidValue(field: string, value: unknown, detail: string): FieldError {
  return fieldError('FieldValueInvalid', field, `Invalid value: ${shown(value)}: ${detail}`);
}

export function forbiddenField(field: string, detail: string): FieldError {
  return fieldError('FieldValueForbidden', field, `Forbidden: ${detail}`);
}

export function duplicate(field: string, value: unknown, detail = ''): FieldError {
  return fieldError('FieldValueDuplicate', field, `Duplicate value: ${shown(value)}${detail && `: ${detail}`}`);
}

export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  const values = supported.map((text) => `"${text}"`).join(', ');
  return fieldError('FieldValueNotSupported', field, `Unsupported value: ${shown(value)}: supported values: ${values}`);
}

export function tooLong(field: string, limit: number): FieldError {
  return fieldError('FieldValueTooLong', field, `Too long: may not be more than ${limit} bytes`);
}

function fieldError(reason: string, field: string, message: string): FieldError {
  return { reason, message, field };
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}
