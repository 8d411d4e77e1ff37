import { DecodeError } from './errors.ts';

/** Turns what came over the wire into a typed value. @throws DecodeError naming the path of what is wrong. */
export type Decode<T> = (value: unknown, path: string) => T;

/** A decoder for a JSON object, given its fields. */
export function object<T>(read: (fields: Fields) => T): Decode<T> {
  return (value, path) => read(new Fields(asRecord(value, path), path));
}

/** A decoder for a JSON array. */
export function list<T>(item: Decode<T>): Decode<readonly T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw new DecodeError(path, `should be a list but is ${kind(value)}`);
    return value.map((entry, index) => item(entry, `${path}[${index}]`));
  };
}

/** CloudStack's `success`: a boolean, or in some versions a string. */
export function isTrue(value: unknown): boolean {
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true');
}

export function asRecord(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DecodeError(path, `should be an object but is ${kind(value)}`);
  }
  return value as Readonly<Record<string, unknown>>;
}

/**
 * The fields of one JSON object. CloudStack leaves out what is null, and gives numbers as text or as numbers
 * depending on command and version; both are read.
 */
export class Fields {
  readonly #record: Readonly<Record<string, unknown>>;
  readonly #path: string;

  constructor(record: Readonly<Record<string, unknown>>, path: string) {
    this.#record = record;
    this.#path = path;
  }

  /** A text that must be there. */
  text(key: string): string {
    return this.optionalText(key) ?? this.#missing(key);
  }

  optionalText(key: string): string | undefined {
    const value = this.#record[key];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw this.#wrong(key, 'text');
  }

  /** A whole number that must be there, written as number or text. */
  integer(key: string): number {
    return this.optionalInteger(key) ?? this.#missing(key);
  }

  optionalInteger(key: string): number | undefined {
    const value = this.#record[key];
    if (value === undefined || value === null || value === '') return undefined;
    const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
    if (typeof number === 'number' && Number.isInteger(number)) return number;
    throw this.#wrong(key, 'a whole number');
  }

  /** True or false; false when it is not there. */
  flag(key: string): boolean {
    return isTrue(this.#record[key]);
  }

  /** A list; empty when it is not there. */
  list<T>(key: string, item: Decode<T>): readonly T[] {
    const value = this.#record[key];
    return value === undefined || value === null ? [] : list(item)(value, `${this.#path}.${key}`);
  }

  /** A nested object; undefined when it is not there. */
  optional<T>(key: string, decode: Decode<T>): T | undefined {
    const value = this.#record[key];
    return value === undefined || value === null ? undefined : decode(value, `${this.#path}.${key}`);
  }

  /** A nested object that must be there. */
  required<T>(key: string, decode: Decode<T>): T {
    return this.optional(key, decode) ?? this.#missing(key);
  }

  /** A list that CloudStack writes into one text, separated by commas or blanks; undefined when it is not there. */
  optionalWords(key: string): readonly string[] | undefined {
    return this.optionalText(key)
      ?.split(/[\s,]+/)
      .filter((word) => word !== '');
  }

  #missing(key: string): never {
    throw new DecodeError(`${this.#path}.${key}`, 'is missing');
  }

  #wrong(key: string, expected: string): DecodeError {
    return new DecodeError(`${this.#path}.${key}`, `should be ${expected} but is ${kind(this.#record[key])}`);
  }
}

/** What a value is, never what it says: an answer may hold something secret. */
function kind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
