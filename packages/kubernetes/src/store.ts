/** Names the values under which an object is to be found, for one index. */
export type IndexFunction<T> = (object: T) => readonly string[];

export type Indexes<T> = Readonly<Record<string, IndexFunction<T>>>;

type Index = Map<string, Set<string>>;

/** Objects by key, and by the values of any number of indexes. */
export class Store<T> {
  readonly #objects = new Map<string, T>();
  readonly #indexes: ReadonlyMap<string, { readonly of: IndexFunction<T>; readonly keys: Index }>;

  constructor(indexes: Indexes<T> = {}) {
    this.#indexes = new Map(Object.entries(indexes).map(([name, of]) => [name, { of, keys: new Map() }]));
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  keys(): Iterable<string> {
    return this.#objects.keys();
  }

  values(): Iterable<T> {
    return this.#objects.values();
  }

  /** @returns the object that was there before. */
  set(key: string, object: T): T | undefined {
    const before = this.#objects.get(key);
    if (before !== undefined) this.#unindex(key, before);
    this.#objects.set(key, object);
    for (const { of, keys } of this.#indexes.values()) {
      for (const value of of(object)) insert(keys, value, key);
    }
    return before;
  }

  /** @returns the object that was there. */
  delete(key: string): T | undefined {
    const before = this.#objects.get(key);
    if (before === undefined) return undefined;
    this.#unindex(key, before);
    this.#objects.delete(key);
    return before;
  }

  /** @throws RangeError for an index that was not declared. */
  byIndex(index: string, value: string): T[] {
    const declared = this.#indexes.get(index);
    if (!declared) throw new RangeError(`there is no index "${index}"`);
    const keys = [...(declared.keys.get(value) ?? [])];
    return keys.map((key) => this.#objects.get(key)).filter((object) => object !== undefined);
  }

  #unindex(key: string, object: T): void {
    for (const { of, keys } of this.#indexes.values()) {
      for (const value of of(object)) remove(keys, value, key);
    }
  }
}

function insert(index: Index, value: string, key: string): void {
  const keys = index.get(value);
  if (keys) keys.add(key);
  else index.set(value, new Set([key]));
}

function remove(index: Index, value: string, key: string): void {
  const keys = index.get(value);
  keys?.delete(key);
  if (keys?.size === 0) index.delete(value);
}
