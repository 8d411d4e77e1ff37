interface Memory {
  /** What holds as far as people were told. */
  known: Set<string>;
  /** What was met since the latest sync began. */
  met: Set<string>;
  failing: boolean;
}

/**
 * What was told of each object, so that a state which lasts is one event, however often it is met: it is told again
 * only after a sync that went well without it, or after a change of the object.
 */
export class Told {
  readonly #objects = new Map<string, Memory>();

  has(key: string): boolean {
    return this.#objects.has(key);
  }

  /** What an earlier process told, as far as the object shows it. */
  recall(key: string, states: readonly string[], failing: boolean): void {
    this.#objects.set(key, { known: new Set(states.map(stateOf)), met: new Set(), failing });
  }

  /** A sync of all of the object begins. */
  begin(key: string): void {
    this.#memory(key).met = new Set();
  }

  /** True if the state that this text tells of is news. */
  isNews(key: string, text: string): boolean {
    const state = stateOf(text);
    const memory = this.#memory(key);
    const news = !memory.known.has(state);
    memory.known.add(state);
    memory.met.add(state);
    return news;
  }

  /** True if the last sync of the object failed, and nothing of it has changed. */
  isFailing(key: string): boolean {
    return this.#objects.get(key)?.failing ?? false;
  }

  failed(key: string): void {
    this.#memory(key).failing = true;
  }

  /** The sync went well: what was not met holds no longer. */
  settled(key: string): void {
    const { met } = this.#memory(key);
    this.#objects.set(key, { known: met, met: new Set(), failing: false });
  }

  /** The object has changed: whatever is met is news. */
  anew(key: string): void {
    this.recall(key, [], false);
  }

  /** The object is gone, or there is no more to tell of it. */
  forget(key: string): void {
    this.#objects.delete(key);
  }

  #memory(key: string): Memory {
    const memory = this.#objects.get(key) ?? { known: new Set(), met: new Set(), failing: false };
    this.#objects.set(key, memory);
    return memory;
  }
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const ADDRESS = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g;

/** A text without what may differ from one try to the next: the address that was picked, the job, the object made. */
export function stateOf(text: string): string {
  return text.replaceAll(ID, '*').replaceAll(ADDRESS, '*');
}
