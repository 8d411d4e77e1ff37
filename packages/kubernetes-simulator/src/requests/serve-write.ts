import { type JsonObject, withValue } from '../json.ts';
import type { Resource } from '../kinds/resource.ts';
import { createObject } from '../registry/create.ts';
import { findStored, type ObjectAddress, type Registry } from '../registry/registry.ts';
import { updateObject } from '../registry/update.ts';
import type { Written } from '../registry/write-options.ts';
import { checkName, decodeCandidate, inNamespace } from './decode-candidate.ts';
import { type Body, parseBody } from './parse-body.ts';
import { readWriteParameters, type WriteParameters } from './write-parameters.ts';

/** A request that writes one object. */
export interface WriteRequest extends ObjectAddress {
  readonly subresource: string;
  readonly query: URLSearchParams;
  readonly userAgent: string | undefined;
  readonly body: Body;
  readonly warn: (text: string) => void;
}

/** POST to a collection. */
export async function serveCreate(registry: Registry, request: WriteRequest): Promise<Written<JsonObject>> {
  const { resource, namespace } = request;
  const parameters = readWriteParameters({ ...request, kind: 'CreateOptions' });
  const value = await parseBody(request.body, resource);
  const object = inNamespace(decode(value, request, parameters), resource, namespace);
  return shown(resource, createObject(registry, { resource, namespace, object, tracksOwners: true }, parameters));
}

/** PUT to an object or its status. */
export async function serveUpdate(registry: Registry, request: WriteRequest): Promise<Written<JsonObject>> {
  const { resource, namespace, name, subresource } = request;
  const parameters = readWriteParameters({ ...request, kind: 'UpdateOptions' });
  const value = await parseBody(request.body, resource);
  const object = inNamespace(decode(value, request, parameters), resource, namespace);
  checkName(object, name);
  if (subresource === '' && resource.strategy.createOnUpdate && !findStored(registry, request)) {
    const fresh = withValue(object, ['metadata', 'resourceVersion'], undefined);
    return shown(
      resource,
      createObject(registry, { resource, namespace, object: fresh, tracksOwners: true }, parameters),
    );
  }
  return shown(resource, updateObject(registry, { ...request, next: () => object, tracksOwners: true }, parameters));
}

/** The result with kind and apiVersion, in the version of the request. */
export function shown(resource: Resource, written: Written<JsonObject>): Written<JsonObject> {
  const { kind, groupVersion, conversion } = resource;
  const object = conversion ? conversion.fromStored(written.object) : written.object;
  return { ...written, object: { kind, apiVersion: groupVersion, ...object } };
}

function decode(
  value: Parameters<typeof decodeCandidate>[0],
  request: WriteRequest,
  parameters: WriteParameters,
): JsonObject {
  const { resource, warn } = request;
  return decodeCandidate(value, { resource, warn, fieldValidation: parameters.fieldValidation });
}
