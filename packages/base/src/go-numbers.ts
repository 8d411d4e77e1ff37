import { InvalidInputError } from './errors.ts';

const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** Reads a boolean as Go's strconv.ParseBool does; undefined for anything else. */
export function parseGoBool(text: string): boolean | undefined {
  if (TRUE.has(text)) return true;
  return FALSE.has(text) ? false : undefined;
}

/** As parseGoBool. @throws InvalidInputError with Go's text. */
export function requireGoBool(text: string): boolean {
  const value = parseGoBool(text);
  if (value === undefined) throw invalidSyntax('ParseBool', text);
  return value;
}

const INTEGER = /^[+-]?(0[xX](_?[\da-fA-F])+|0[bB](_?[01])+|0[oO](_?[0-7])+|0(_?[0-7])*|[1-9](_?\d)*)$/;

/**
 * Reads an integer as Go's strconv.ParseInt(text, 0, bits) does: decimal, `0x`, `0b`, `0o` or a leading 0 for octal,
 * underscores between digits.
 * @throws InvalidInputError with Go's text for a syntax fault or a value out of range.
 */
export function requireGoInt(text: string, bits: 32 | 64): number {
  if (!INTEGER.test(text)) throw invalidSyntax('ParseInt', text);
  const value = integerValue(text);
  const limit = 2n ** BigInt(bits - 1);
  if (value >= limit || value < -limit) throw outOfRange('ParseInt', text);
  return Number(value);
}

function integerValue(text: string): bigint {
  const negative = text.startsWith('-');
  const digits = text.replace(/^[+-]/, '').replaceAll('_', '');
  const magnitude = BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits);
  return negative ? -magnitude : magnitude;
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** Reads a 32-bit float as Go's strconv.ParseFloat does, decimal forms only. @throws InvalidInputError with Go's text. */
export function requireGoFloat32(text: string): number {
  if (!DECIMAL.test(text)) throw invalidSyntax('ParseFloat', text);
  const value = Number(text);
  if (!Number.isFinite(Math.fround(value))) throw outOfRange('ParseFloat', text);
  return value;
}

function invalidSyntax(call: string, text: string): InvalidInputError {
  return new InvalidInputError(`strconv.${call}: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function outOfRange(call: string, text: string): InvalidInputError {
  return new InvalidInputError(`strconv.${call}: parsing ${JSON.stringify(text)}: value out of range`);
}
