/** What every row has: the UUID the API shows, and the number that CloudStack uses inside (and in some error texts). */
export interface Row {
  readonly id: string;
  readonly internalId: number;
  /** False where root keeps it from ordinary accounts' lists (`fordisplay`, `displayvm`, `displaynetwork`). */
  readonly display?: boolean;
}

/** What can be remembered of a table and put back later. */
export interface TableSnapshot<R extends Row> {
  readonly rows: readonly R[];
  readonly nextInternalId: number;
}

type Keys<R> = (row: R) => readonly string[];

/** A counter for internal ids. Load balancer, firewall and port forwarding rules share one, as their real table is shared. */
export class Sequence {
  next = 1;

  take(): number {
    return this.next++;
  }
}

/**
 * Rows in the order of their creation, found by UUID, by internal id, or by a named index. Rows are values: a change
 * replaces the row, so what a caller holds never changes under its feet and a snapshot costs one array.
 */
export class Table<R extends Row, Index extends string = never> {
  readonly sequence: Sequence;
  readonly #rows = new Map<string, R>();
  readonly #byInternalId = new Map<number, string>();
  readonly #keys: ReadonlyMap<Index, Keys<R>>;
  readonly #indexes = new Map<Index, Map<string, Set<string>>>();

  constructor(indexes: Readonly<Record<Index, Keys<R>>> | Readonly<Record<string, never>>, sequence = new Sequence()) {
    this.sequence = sequence;
    // Object.entries forgets that the keys are Index.
    this.#keys = new Map(Object.entries(indexes) as [Index, Keys<R>][]);
    for (const name of this.#keys.keys()) this.#indexes.set(name, new Map());
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: string): R | undefined {
    return this.#rows.get(id);
  }

  byInternalId(internalId: number): R | undefined {
    const id = this.#byInternalId.get(internalId);
    return id === undefined ? undefined : this.#rows.get(id);
  }

  /** All rows, oldest first. */
  values(): IterableIterator<R> {
    return this.#rows.values();
  }

  find(matches: (row: R) => boolean): R | undefined {
    for (const row of this.#rows.values()) if (matches(row)) return row;
    return undefined;
  }

  /** All rows that match, oldest first. */
  filter(matches: (row: R) => boolean): R[] {
    const found: R[] = [];
    for (const row of this.#rows.values()) if (matches(row)) found.push(row);
    return found;
  }

  /** The rows that have this key in the index, oldest first. */
  by(index: Index, key: string): R[] {
    const rows: R[] = [];
    for (const id of this.#indexes.get(index)?.get(key) ?? []) {
      const row = this.#rows.get(id);
      if (row) rows.push(row);
    }
    return rows.length > 1 ? rows.sort((a, b) => a.internalId - b.internalId) : rows;
  }

  /** Adds a row under the next internal id. */
  add(row: Omit<R, 'internalId'>): R {
    // Omit of a type parameter can't be rebuilt without telling the compiler so.
    const added = { ...row, internalId: this.sequence.take() } as unknown as R;
    this.#put(added);
    return added;
  }

  /** Replaces the fields given. A row that is gone by now stays gone. */
  update(id: string, change: Partial<R>): R | undefined {
    const before = this.#rows.get(id);
    if (!before) return undefined;
    const after = { ...before, ...change };
    this.#unindex(before);
    this.#put(after);
    return after;
  }

  /** Puts a whole row in the place of the one with its id, so that optional fields can go away. */
  replace(row: R): void {
    const before = this.#rows.get(row.id);
    if (before) this.#unindex(before);
    this.#put(row);
  }

  /** Gives a row the place of one that was just made. */
  moveToEnd(id: string): void {
    const row = this.#rows.get(id);
    if (!row) return;
    this.delete(id);
    this.#put({ ...row, internalId: this.sequence.take() });
  }

  delete(id: string): void {
    const row = this.#rows.get(id);
    if (!row) return;
    this.#unindex(row);
    this.#rows.delete(id);
    this.#byInternalId.delete(row.internalId);
  }

  snapshot(): TableSnapshot<R> {
    return { rows: [...this.#rows.values()], nextInternalId: this.sequence.next };
  }

  restore(snapshot: TableSnapshot<R>): void {
    this.#rows.clear();
    this.#byInternalId.clear();
    for (const index of this.#indexes.values()) index.clear();
    for (const row of snapshot.rows) this.#put(row);
    this.sequence.next = snapshot.nextInternalId;
  }

  #put(row: R): void {
    this.#rows.set(row.id, row);
    this.#byInternalId.set(row.internalId, row.id);
    for (const [name, keys] of this.#keys) {
      const index = this.#indexes.get(name);
      for (const key of keys(row)) {
        const ids = index?.get(key);
        if (ids) ids.add(row.id);
        else index?.set(key, new Set([row.id]));
      }
    }
  }

  #unindex(row: R): void {
    for (const [name, keys] of this.#keys) {
      const index = this.#indexes.get(name);
      for (const key of keys(row)) {
        const ids = index?.get(key);
        ids?.delete(row.id);
        if (ids?.size === 0) index?.delete(key);
      }
    }
  }
}
