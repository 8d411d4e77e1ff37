import type { Clock } from '@cloudstack-ccm/base';
import { notFound, type ErrorSubject } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { storedResource } from '../kinds/resources.ts';
import type { Resource } from '../kinds/resource.ts';
import type { ClusterSettings, StrategyContext } from '../kinds/strategy.ts';
import { decodeObject } from '../schema/decode.ts';
import type { Store } from '../store/store.ts';
import { keyOf, parseStored, type StoredObject } from '../store/stored-object.ts';

/** Where an object is, as a request names it. */
export interface ObjectAddress {
  readonly resource: Resource;
  /** Empty for what is cluster-wide. */
  readonly namespace: string;
  readonly name: string;
}

/** What all reads and writes of objects stand on. */
export interface Registry {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: ClusterSettings;
  /** Numbers in [0, 1). */
  readonly random: () => number;
}

export function findStored(
  { store }: Registry,
  { resource, namespace, name }: ObjectAddress,
): StoredObject | undefined {
  return store.collection(resource.name).get(keyOf(namespace, name));
}

/** @throws ApiError NotFound */
export function getStored(registry: Registry, address: ObjectAddress): StoredObject {
  const stored = findStored(registry, address);
  if (!stored) throw notFound(subjectOf(address));
  return stored;
}

/** A stored object with kind and apiVersion, as the resource's version shows it. */
export function render(resource: Resource, stored: StoredObject): JsonObject {
  const { kind, groupVersion, conversion, schema } = resource;
  const object = parseStored(stored);
  // What one version writes although it is empty, another leaves out.
  const shown = conversion ? decodeObject(schema, conversion.fromStored(object)).value : object;
  return { kind, apiVersion: groupVersion, ...shown };
}

export function subjectOf({ resource, name }: Pick<ObjectAddress, 'resource' | 'name'>): ErrorSubject {
  return { group: resource.group, resource: resource.name, name };
}

/** The subject of an Invalid error: it names the kind, and the group of the stored version. */
export function kindSubjectOf({ resource, name }: Pick<ObjectAddress, 'resource' | 'name'>): ErrorSubject {
  return { group: storedResource(resource.name)?.group ?? '', resource: resource.kind, name };
}

/** @param own the object at work, whose claims do not count. */
export function strategyContext(registry: Registry, resource: Resource, own?: StoredObject): StrategyContext {
  const { settings, random, store } = registry;
  let taken: Set<string> | undefined;
  return {
    settings,
    random,
    isFree: (claim) => {
      taken ??= new Set(claimsOf(store.collection(resource.name).list(), own));
      return !taken.has(claim);
    },
  };
}

function claimsOf(objects: readonly StoredObject[], except: StoredObject | undefined): string[] {
  return objects.filter((object) => object !== except).flatMap(({ claims }) => claims);
}
