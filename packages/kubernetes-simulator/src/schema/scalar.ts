import { badRequest } from '../errors.ts';
import type { JsonValue } from '../json.ts';
import { canonicalQuantity } from './quantity.ts';
import type { ScalarName } from './schema.ts';
import { canonicalMicroTime, canonicalTime, timeProblem } from './timestamp.ts';
import { type Place, typeMismatch } from './type-mismatch.ts';

const QUANTITY_PATTERN = '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$';

/** What Go writes for a value that was never set. */
export function zeroScalar(scalar: ScalarName): JsonValue {
  switch (scalar) {
    case 'string':
      return '';
    case 'boolean':
      return false;
    case 'int32':
    case 'int64':
    case 'IntOrString':
      return 0;
    case 'Quantity':
      return '0';
    case 'Time':
    case 'MicroTime':
    case 'bytes':
    case 'any':
      return null;
  }
}

/** True for the scalars that are structs to Go: `omitempty` never leaves those out. */
export function isGoStruct(scalar: ScalarName): boolean {
  return scalar === 'Time' || scalar === 'MicroTime' || scalar === 'Quantity' || scalar === 'IntOrString';
}

/** Reads one scalar into its canonical spelling. @throws ApiError BadRequest with Go's words. */
export function decodeScalar(scalar: ScalarName, given: JsonValue, place: Place): JsonValue {
  switch (scalar) {
    case 'any':
      return given;
    case 'string':
    case 'bytes':
      return typed(given, 'string', place, scalar === 'bytes' ? '[]uint8' : 'string');
    case 'boolean':
      return typed(given, 'boolean', place, 'bool');
    case 'int32':
    case 'int64':
      return integer(scalar, given, place);
    case 'IntOrString':
      return typeof given === 'string' ? given : integer('int32', given, place);
    case 'Quantity':
      return quantity(given);
    case 'Time':
      return time(given, place, canonicalTime, '2006-01-02T15:04:05Z07:00');
    case 'MicroTime':
      return time(given, place, canonicalMicroTime, '2006-01-02T15:04:05.000000Z07:00');
  }
}

function typed(given: JsonValue, type: 'string' | 'boolean', place: Place, wanted: string): JsonValue {
  if (typeof given !== type) throw typeMismatch(given, place, wanted);
  return given;
}

function integer(scalar: 'int32' | 'int64', given: JsonValue, place: Place): JsonValue {
  const fits = Number.isInteger(given) && (scalar === 'int64' || Math.abs(Number(given)) < 2 ** 31);
  if (typeof given !== 'number' || !fits) throw typeMismatch(given, place, scalar);
  return given;
}

function quantity(given: JsonValue): JsonValue {
  const text = typeof given === 'number' ? String(given) : given;
  const canonical = typeof text === 'string' ? canonicalQuantity(text) : undefined;
  if (canonical === undefined) throw badRequest(`quantities must match the regular expression '${QUANTITY_PATTERN}'`);
  return canonical;
}

function time(given: JsonValue, place: Place, read: (text: string) => string | undefined, layout: string): JsonValue {
  if (typeof given !== 'string') throw typeMismatch(given, place, 'string');
  if (given === '') return null;
  const canonical = read(given);
  if (canonical === undefined) throw badRequest(timeProblem(given, layout));
  return canonical;
}
