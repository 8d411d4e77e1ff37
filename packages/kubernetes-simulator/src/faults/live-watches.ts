/** A watch that is open. */
export interface LiveWatch {
  readonly resource: string;
  /** Breaks the connection. */
  drop(): void;
  /** Sends 410 Expired as an event and ends. */
  expire(): void;
}

/** All watches that are open. */
export class LiveWatches {
  readonly #watches = new Set<LiveWatch>();

  get size(): number {
    return this.#watches.size;
  }

  /** Returns what takes the watch off again. */
  add(watch: LiveWatch): () => void {
    this.#watches.add(watch);
    return () => void this.#watches.delete(watch);
  }

  forEach(resource: string | undefined, act: (watch: LiveWatch) => void): number {
    const chosen = [...this.#watches].filter((watch) => resource === undefined || watch.resource === resource);
    for (const watch of chosen) act(watch);
    return chosen.length;
  }
}
