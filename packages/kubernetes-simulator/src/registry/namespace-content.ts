import { listAt, textAt } from '../json.ts';
import type { Resource } from '../kinds/resource.ts';
import { resources } from '../kinds/resources.ts';
import { parseStored, type StoredObject } from '../store/stored-object.ts';
import type { Registry } from './registry.ts';

/** What the namespace controller of a real cluster does. */

export interface Content {
  readonly resource: Resource;
  readonly stored: StoredObject;
}

/** Removes an object, and its namespace with it if that only waited for this. */
export function removeObject(registry: Registry, resource: Resource, stored: StoredObject): StoredObject {
  const last = registry.store.remove(resource.name, stored);
  if (resource.namespaced) collectNamespace(registry, stored.namespace);
  return last;
}

/** All objects in a namespace. */
export function contentOf({ store }: Registry, namespace: string): Content[] {
  return resources
    .filter(({ namespaced, conversion }) => namespaced && !conversion)
    .flatMap((resource) =>
      store
        .collection(resource.name)
        .list()
        .map((stored) => ({ resource, stored })),
    )
    .filter(({ stored }) => stored.namespace === namespace);
}

/** Removes a namespace that is being deleted, once nothing is left in it. */
export function collectNamespace(registry: Registry, namespace: string): void {
  const stored = registry.store.collection('namespaces').get(namespace);
  if (!stored) return;
  const object = parseStored(stored);
  const isHeld =
    textAt(object, 'metadata', 'deletionTimestamp') === '' || listAt(object, 'metadata', 'finalizers').length > 0;
  if (isHeld || contentOf(registry, namespace).length > 0) return;
  registry.store.remove('namespaces', stored);
}
