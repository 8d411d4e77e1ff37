const LIMIT = 1000;

/**
 * One object for all values that are equal, as thousands of nodes have the same few conditions. Frozen, because it is
 * shared; limited, so that what is not repeated does not pile up.
 */
export class Shared<T extends object> {
  readonly #known = new Map<string, T>();

  /** @param key equal for equal values. */
  of(key: string, make: () => T): T {
    const known = this.#known.get(key);
    if (known) return known;
    const made = Object.freeze(make());
    if (this.#known.size < LIMIT) this.#known.set(key, made);
    return made;
  }
}
