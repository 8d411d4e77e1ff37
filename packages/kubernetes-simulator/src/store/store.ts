import { type JsonObject, textAt, textsAt, withValue } from '../json.ts';
import { Collection } from './collection.ts';
import { keyOf, parseStored, type StoredObject } from './stored-object.ts';

/** What the store needs to know of an object beyond its JSON. */
export interface Indexed {
  readonly fields: Readonly<Record<string, string>>;
  readonly claims: readonly string[];
}

/** The objects of all resources under one revision counter, as in etcd. Everything happens at once: no transactions. */
export class Store {
  readonly #collections = new Map<string, Collection>();
  readonly #historyLimit: number;
  #revision = 1;
  #compacted = 0;

  constructor(historyLimit: number) {
    this.#historyLimit = historyLimit;
  }

  /** The revision of the last write. */
  get revision(): number {
    return this.#revision;
  }

  /** The objects of one resource, for example `services`. */
  collection(resource: string): Collection {
    const known = this.#collections.get(resource);
    if (known) return known;
    const created = new Collection(this.#historyLimit, this.#compacted);
    this.#collections.set(resource, created);
    return created;
  }

  put(resource: string, object: JsonObject, indexed: Indexed): StoredObject {
    const collection = this.collection(resource);
    const stored = this.#encode(object, indexed);
    const previous = collection.get(stored.key);
    collection.record({ type: previous ? 'MODIFIED' : 'ADDED', object: stored, previous });
    return stored;
  }

  /** Returns the last version under the revision of its deletion. */
  remove(resource: string, previous: StoredObject): StoredObject {
    const last = this.#encode(parseStored(previous), previous);
    this.collection(resource).record({ type: 'DELETED', object: last, previous });
    return last;
  }

  /** Forgets all history, as etcd's compaction does: watches from before are told to start anew. */
  compact(): void {
    this.#compacted = this.#revision;
    for (const collection of this.#collections.values()) collection.compact(this.#revision);
  }

  #encode(object: JsonObject, { fields, claims }: Indexed): StoredObject {
    const revision = ++this.#revision;
    const namespace = textAt(object, 'metadata', 'namespace');
    const name = textAt(object, 'metadata', 'name');
    return {
      key: keyOf(namespace, name),
      namespace,
      name,
      uid: textAt(object, 'metadata', 'uid'),
      revision,
      bytes: Buffer.from(JSON.stringify(withValue(object, ['metadata', 'resourceVersion'], String(revision)))),
      labels: textsAt(object, 'metadata', 'labels'),
      fields,
      claims,
    };
  }
}
