interface Memory {
  /** What holds as far as its author knows. */
  known: Set<string>;
  /** What was met since the latest sync began. */
  met: Set<string>;
  failing: boolean;
}

/**
 * What the author of each Service was told, so that a state which lasts is one event, however often it is met: it is
 * told again only after a sync that went well without it, or after a change of the Service.
 */
export class Told {
  readonly #services = new Map<string, Memory>();

  has(key: string): boolean {
    return this.#services.has(key);
  }

  /** What an earlier process told, as far as the Service shows it. */
  recall(key: string, states: readonly string[], failing: boolean): void {
    this.#services.set(key, { known: new Set(states), met: new Set(), failing });
  }

  /** A sync of all of the Service begins. */
  begin(key: string): void {
    this.#memory(key).met = new Set();
  }

  /** True if this state is news. */
  isNews(key: string, state: string): boolean {
    const memory = this.#memory(key);
    const news = !memory.known.has(state);
    memory.known.add(state);
    memory.met.add(state);
    return news;
  }

  /** True if the last sync of the Service failed, and nothing of it has changed. */
  isFailing(key: string): boolean {
    return this.#services.get(key)?.failing ?? false;
  }

  failed(key: string): void {
    this.#memory(key).failing = true;
  }

  /** The sync went well: what was not met holds no longer. */
  settled(key: string): void {
    const { met } = this.#memory(key);
    this.#services.set(key, { known: met, met: new Set(), failing: false });
  }

  /** The Service has changed: whatever is met is news. */
  anew(key: string): void {
    this.recall(key, [], false);
  }

  /** The Service is gone. */
  forget(key: string): void {
    this.#services.delete(key);
  }

  #memory(key: string): Memory {
    const memory = this.#services.get(key) ?? { known: new Set(), met: new Set(), failing: false };
    this.#services.set(key, memory);
    return memory;
  }
}
