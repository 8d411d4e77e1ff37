import { type JsonObject, textAt, without } from '../json.ts';
import type { Resource } from '../kinds/resource.ts';
import { decodeObject } from '../schema/decode.ts';
import { storedResource } from '../kinds/resources.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { Registry } from './registry.ts';

/** Stores an object of the stored version, spelled as the API server spells it. */
export function putObject({ store }: Registry, resource: Resource, object: JsonObject): StoredObject {
  return store.put(resource.name, canonical(resource, object), {
    fields: {
      'metadata.name': textAt(object, 'metadata', 'name'),
      'metadata.namespace': textAt(object, 'metadata', 'namespace'),
      ...resource.strategy.fields?.(object),
    },
    claims: resource.strategy.claims?.(object) ?? [],
  });
}

/** The object in the order of its type's fields, without kind and apiVersion. */
export function canonical(resource: Resource, object: JsonObject): JsonObject {
  const { schema } = storedResource(resource.name) ?? resource;
  return without(decodeObject(schema, object).value, 'kind', 'apiVersion');
}
