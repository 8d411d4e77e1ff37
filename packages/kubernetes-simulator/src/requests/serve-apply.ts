import { ApiError, badRequest, modified } from '../errors.ts';
import { isObject, type JsonObject, textAt, valueAt, withValue, without } from '../json.ts';
import type { Resource } from '../kinds/resource.ts';
import { applyConfiguration } from '../managed-fields/apply-configuration.ts';
import { lastAppliedFields } from '../managed-fields/last-applied.ts';
import { type Owner, readOwners, withoutOwners, writeOwners } from '../managed-fields/owners.ts';
import { trackUpdate } from '../managed-fields/track-update.ts';
import { createObject } from '../registry/create.ts';
import { findStored, type Registry, subjectOf } from '../registry/registry.ts';
import { updateObject } from '../registry/update.ts';
import { resetFieldsOf, type Written } from '../registry/write-options.ts';
import { decodeObject, emptyObject } from '../schema/decode.ts';
import { formatTime } from '../schema/timestamp.ts';
import { checkName, inNamespace, withDefaults } from './decode-candidate.ts';
import { parseYaml } from './parse-body.ts';
import { shown, type WriteRequest } from './serve-write.ts';
import type { WriteParameters } from './write-parameters.ts';

/** Server-side apply: makes the object, or brings the fields that the applier names to its values. */
export async function serveApply(
  registry: Registry,
  request: WriteRequest,
  parameters: WriteParameters,
): Promise<Written<JsonObject>> {
  const { resource, namespace, subresource } = request;
  const configuration = await readConfiguration(request);
  const apply = (live: JsonObject): JsonObject => applied(registry, { live, configuration, request, parameters });
  if (findStored(registry, request) || subresource !== '') {
    return shown(resource, updateObject(registry, { ...request, next: apply, tracksOwners: false }, parameters));
  }
  const fresh = apply(withValue(emptyObject(resource.schema), ['metadata', 'name'], request.name));
  const object = inNamespace(withValue(fresh, ['metadata', 'resourceVersion'], undefined), resource, namespace);
  return shown(resource, createObject(registry, { resource, namespace, object, tracksOwners: false }, parameters));
}

interface Application {
  readonly live: JsonObject;
  readonly configuration: JsonObject;
  readonly request: WriteRequest;
  readonly parameters: WriteParameters;
}

/** The next version of an object with its new owners. */
function applied(registry: Registry, { live, configuration, request, parameters }: Application): JsonObject {
  const { resource, subresource } = request;
  const { fieldManager, force } = parameters;
  checkVersion(request, live, configuration);
  const time = formatTime(registry.clock.now());
  const { schema, groupVersion } = resource;
  const { object, owners } = applyConfiguration({
    live: withoutOwners(live),
    configuration: withValue(configuration, ['metadata', 'resourceVersion'], undefined),
    schema,
    resetFields: resetFieldsOf(resource, subresource),
    owners: ownersBefore(live, resource, time),
    writer: { manager: fieldManager, operation: 'Apply', apiVersion: groupVersion, subresource },
    time,
    force,
    allowed: lastAppliedFields(live, schema, fieldManager),
  });
  const complete = withDefaults(resource, decodeObject(schema, object).value);
  return withValue(complete, ['metadata', 'managedFields'], writeOwners(owners));
}

/** Fields that nobody tracked before the first apply get an owner, so that they are not taken unseen. */
function ownersBefore(live: JsonObject, { schema, groupVersion }: Resource, time: string): Owner[] {
  const owners = readOwners(live);
  const isNew = textAt(live, 'metadata', 'uid') === '';
  if (owners.length > 0 || isNew) return owners;
  return trackUpdate({
    before: emptyObject(schema),
    after: live,
    schema,
    resetFields: [],
    owners: [],
    writer: { manager: 'before-first-apply', operation: 'Update', apiVersion: groupVersion, subresource: '' },
    time,
  });
}

function checkVersion(request: WriteRequest, live: JsonObject, configuration: JsonObject): void {
  const asked = textAt(configuration, 'metadata', 'resourceVersion');
  const is = textAt(live, 'metadata', 'resourceVersion');
  if (asked !== '' && is !== '' && asked !== is) throw modified(subjectOf(request));
}

/** @throws ApiError BadRequest, or 500 without reason where kube-apiserver does not foresee the mistake. */
async function readConfiguration(request: WriteRequest): Promise<JsonObject> {
  const { resource, name, namespace } = request;
  const value = await parseConfiguration(request.body.bytes);
  const [apiVersion, kind] = [textAt(value, 'apiVersion'), textAt(value, 'kind')];
  if (apiVersion !== resource.groupVersion || kind !== resource.kind) {
    throw badRequest(`invalid object type: ${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`);
  }
  if (valueAt(value, 'metadata', 'managedFields') !== undefined) throw badRequest('metadata.managedFields must be nil');
  if (textAt(value, 'metadata', 'name') !== '') checkName(value, name);
  const sparse = decodeSparse(value, resource);
  return inNamespace(withValue(sparse, ['metadata', 'name'], name), resource, namespace);
}

async function parseConfiguration(bytes: Buffer): Promise<JsonObject> {
  try {
    const value = await parseYaml(bytes);
    if (isObject(value)) return value;
  } catch (thrown) {
    throw badRequest(`error decoding YAML: ${thrown instanceof Error ? thrown.message : ''}`);
  }
  throw badRequest('error decoding YAML: the configuration is no object');
}

function decodeSparse(value: JsonObject, { schema, group, version, kind }: Resource): JsonObject {
  const [namespace, name] = [textAt(value, 'metadata', 'namespace'), textAt(value, 'metadata', 'name')];
  const what = `failed to create typed patch object (${namespace}/${name}; ${group}/${version}, Kind=${kind})`;
  const { unknown, decoded } = tryDecode(value, schema, what);
  if (unknown !== undefined) throw new ApiError(500, '', `${what}: .${unknown}: field not declared in schema`);
  return without(decoded, 'kind', 'apiVersion');
}

function tryDecode(
  value: JsonObject,
  schema: Resource['schema'],
  what: string,
): { readonly unknown: string | undefined; readonly decoded: JsonObject } {
  try {
    const { unknownFields, value: decoded } = decodeObject(schema, value, 'sparse');
    return { unknown: unknownFields[0], decoded };
  } catch (thrown) {
    throw thrown instanceof ApiError ? new ApiError(500, '', `${what}: ${thrown.message}`) : thrown;
  }
}
