import { keyOfName } from './object-key.ts';
import type { KubernetesObject, ObjectName } from './objects/metadata.ts';
import type { Store } from './store.ts';

/** Reads an informer's objects. They are shared: nobody changes them. */
export class Lister<T extends KubernetesObject> {
  readonly #store: Store<T>;

  constructor(store: Store<T>) {
    this.#store = store;
  }

  get size(): number {
    return this.#store.size;
  }

  /** By key (`namespace/name`, or the name alone), or by namespace and name. */
  get(name: string | ObjectName): T | undefined {
    return this.#store.get(typeof name === 'string' ? name : keyOfName(name));
  }

  /** @param namespace default: all. */
  list(namespace?: string): T[] {
    const all = [...this.#store.values()];
    return namespace === undefined ? all : all.filter(({ metadata }) => metadata.namespace === namespace);
  }

  /** The objects that have `value` in an index that the informer was given. */
  byIndex(index: string, value: string): T[] {
    return this.#store.byIndex(index, value);
  }
}
