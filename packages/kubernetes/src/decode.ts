import { DecodeError } from './errors.ts';

const NO_STRINGS: readonly string[] = Object.freeze([]);
const NO_MAP: Readonly<Record<string, string>> = Object.freeze({});
const NO_FIELDS: Readonly<Record<string, unknown>> = Object.freeze({});

/**
 * Reads fields of an answer from outside. As in Kubernetes' API an absent or null field is its type's zero value;
 * a field of another type is a DecodeError that names its path. Paths are only put together when they are needed.
 */
export class Reader {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #path: () => string;

  private constructor(value: unknown, path: () => string) {
    if (!isFields(value)) throw wrongType(path(), 'an object', value);
    this.#fields = value;
    this.#path = path;
  }

  /** @param name what the value is called in errors, for example `Node`. */
  static of(value: unknown, name: string): Reader {
    return new Reader(value, () => name);
  }

  has(key: string): boolean {
    return this.#get(key) !== undefined;
  }

  /** The object under `key`; one without fields when it is absent. */
  object(key: string): Reader {
    return new Reader(this.#get(key) ?? NO_FIELDS, this.#pathOf(key));
  }

  optionalString(key: string): string | undefined {
    const value = this.#get(key);
    if (value !== undefined && typeof value !== 'string') throw this.#wrong(key, 'a string', value);
    return value;
  }

  string(key: string): string {
    return this.optionalString(key) ?? '';
  }

  optionalNumber(key: string): number | undefined {
    const value = this.#get(key);
    if (value !== undefined && typeof value !== 'number') throw this.#wrong(key, 'a number', value);
    return value;
  }

  number(key: string): number {
    return this.optionalNumber(key) ?? 0;
  }

  /** What Kubernetes calls an IntOrString; 0 when absent. */
  numberOrString(key: string): number | string {
    const value = this.#get(key);
    return typeof value === 'string' ? value : this.number(key);
  }

  /** @param absent the field's value when it is not given. */
  boolean(key: string, absent = false): boolean {
    const value = this.#get(key) ?? absent;
    if (typeof value !== 'boolean') throw this.#wrong(key, 'a boolean', value);
    return value;
  }

  list<T>(key: string, read: (item: Reader) => T): readonly T[] {
    return this.#list(key).map((item, index) => read(new Reader(item, () => `${this.#pathOf(key)()}[${index}]`)));
  }

  strings(key: string): readonly string[] {
    const list = this.#list(key);
    if (list.length === 0) return NO_STRINGS;
    return list.map((item, index) => {
      if (typeof item !== 'string') throw wrongType(`${this.#pathOf(key)()}[${index}]`, 'a string', item);
      return item;
    });
  }

  stringMap(key: string): Readonly<Record<string, string>> {
    const value = this.#get(key) ?? NO_MAP;
    if (!isFields(value)) throw this.#wrong(key, 'an object', value);
    if (!isStringMap(value)) throw this.#wrong(key, 'an object of strings', value);
    return value;
  }

  /** A map whose values are lists of strings. */
  stringLists(key: string): Readonly<Record<string, readonly string[]>> {
    const value = this.object(key);
    return Object.fromEntries(Object.keys(value.#fields).map((name) => [name, value.strings(name)]));
  }

  /** The object itself, for what is passed on unread. */
  get raw(): Readonly<Record<string, unknown>> {
    return this.#fields;
  }

  #get(key: string): unknown {
    return this.#fields[key] ?? undefined;
  }

  #list(key: string): readonly unknown[] {
    const value = this.#get(key) ?? NO_STRINGS;
    if (!Array.isArray(value)) throw this.#wrong(key, 'a list', value);
    return value;
  }

  #pathOf(key: string): () => string {
    return () => `${this.#path()}.${key}`;
  }

  #wrong(key: string, expected: string, value: unknown): DecodeError {
    return wrongType(this.#pathOf(key)(), expected, value);
  }
}

/** @throws DecodeError with the start of the text, if it is not JSON. */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new DecodeError(`${name} is not JSON: ${JSON.stringify(text.slice(0, 120))}`, { cause: thrown });
  }
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isStringMap(value: Readonly<Record<string, unknown>>): value is Readonly<Record<string, string>> {
  for (const key in value) if (typeof value[key] !== 'string') return false;
  return true;
}

function wrongType(path: string, expected: string, value: unknown): DecodeError {
  const found =
    value === null
      ? 'null'
      : Array.isArray(value)
        ? 'a list'
        : typeof value === 'object'
          ? 'an object'
          : `a ${typeof value}`;
  return new DecodeError(`${path} should be ${expected}, but is ${found}`);
}
