import { CompactedError } from './errors.ts';
import type { Change, StoredObject } from './stored-object.ts';

/** All objects of one resource, and what happened to them since the last compaction. */
export class Collection {
  readonly #objects = new Map<string, StoredObject>();
  readonly #changes: Change[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #historyLimit: number;
  /** History up to this revision is gone. */
  #compacted: number;
  #sorted: readonly StoredObject[] | undefined;

  /**
   * @param historyLimit changes that are remembered; a watch that falls further behind is told to start anew.
   * @param compacted the revision that history begins after.
   */
  constructor(historyLimit: number, compacted: number) {
    this.#historyLimit = historyLimit;
    this.#compacted = compacted;
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  /** All objects in the order of their keys. The list is never changed afterwards. */
  list(): readonly StoredObject[] {
    this.#sorted ??= [...this.#objects.values()].sort(byKey);
    return this.#sorted;
  }

  /** The objects as they were at a revision. @throws CompactedError when history does not reach back so far. */
  listAt(revision: number): readonly StoredObject[] {
    const later = this.changesSince(revision);
    if (later.length === 0) return this.list();
    const objects = new Map(this.#objects);
    for (const { object, previous } of later.toReversed()) {
      if (previous) objects.set(object.key, previous);
      else objects.delete(object.key);
    }
    return [...objects.values()].sort(byKey);
  }

  /** Changes after a revision, oldest first. @throws CompactedError when history does not reach back so far. */
  changesSince(revision: number): readonly Change[] {
    if (revision < this.#compacted) throw new CompactedError(revision, this.#compacted);
    return this.#changes.slice(this.#firstAfter(revision));
  }

  record(change: Change): void {
    const { object } = change;
    if (change.type === 'DELETED') this.#objects.delete(object.key);
    else this.#objects.set(object.key, object);
    this.#sorted = undefined;
    this.#changes.push(change);
    this.#forget();
    for (const listener of this.#listeners) listener();
  }

  /** Forgets all changes up to a revision. */
  compact(revision: number): void {
    this.#changes.splice(0, this.#firstAfter(revision));
    this.#compacted = Math.max(this.#compacted, revision);
  }

  /** Calls back after each change. Returns what takes the listener off. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Number of listeners: lets a test see that watches leave nothing behind. */
  get listeners(): number {
    return this.#listeners.size;
  }

  /** Trims in larger steps: cutting one from the front of a long array at each change would copy it each time. */
  #forget(): void {
    if (this.#changes.length < this.#historyLimit * 2) return;
    const [last] = this.#changes.splice(0, this.#changes.length - this.#historyLimit).slice(-1);
    if (last) this.#compacted = last.object.revision;
  }

  #firstAfter(revision: number): number {
    let [low, high] = [0, this.#changes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#changes[middle]?.object.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function byKey(left: StoredObject, right: StoredObject): number {
  return left.key < right.key ? -1 : 1;
}
