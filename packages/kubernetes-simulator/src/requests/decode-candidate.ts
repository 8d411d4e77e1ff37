import { ApiError, badRequest } from '../errors.ts';
import { isObject, type JsonObject, type JsonValue, textAt, withValue } from '../json.ts';
import { findKind } from '../kinds/resources.ts';
import type { Resource } from '../kinds/resource.ts';
import { decodeObject } from '../schema/decode.ts';
import type { FieldValidation } from './write-parameters.ts';

/** How an object that came from outside is to be read. */
export interface Reading {
  readonly resource: Resource;
  readonly fieldValidation: FieldValidation;
  readonly warn: (text: string) => void;
}

/**
 * Reads an object from outside into the form in which the API server keeps it, with defaults.
 * @throws ApiError BadRequest
 */
export function decodeCandidate(value: JsonValue, reading: Reading): JsonObject {
  const { resource } = reading;
  if (!isObject(value)) throw badRequest(unrecognized(value, resource));
  checkKind(value, resource);
  return withDefaults(resource, decodeTyped(value, reading));
}

/** Fills in what the API server would. Defaults are a matter of the stored version. */
export function withDefaults(resource: Resource, object: JsonObject): JsonObject {
  const { conversion, strategy } = resource;
  if (!strategy.defaults) return object;
  return conversion ? conversion.fromStored(strategy.defaults(conversion.toStored(object))) : strategy.defaults(object);
}

/** The URL decides the namespace. @throws ApiError BadRequest when the object names another. */
export function inNamespace(object: JsonObject, resource: Resource, namespace: string): JsonObject {
  if (!resource.namespaced) return withValue(object, ['metadata', 'namespace'], undefined);
  const given = textAt(object, 'metadata', 'namespace');
  if (given !== '' && given !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  return withValue(object, ['metadata', 'namespace'], namespace);
}

/** @throws ApiError BadRequest when the object's name is not that of the URL. */
export function checkName(object: JsonObject, name: string): void {
  const given = textAt(object, 'metadata', 'name');
  if (given === name) return;
  if (given !== '') throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
}

function decodeTyped(value: JsonObject, { resource, fieldValidation, warn }: Reading): JsonObject {
  try {
    const decoded = decodeObject(resource.schema, value);
    const problems = decoded.unknownFields.map((field) => `unknown field "${field}"`);
    if (fieldValidation === 'Strict' && problems.length > 0) {
      throw badRequest(`strict decoding error: ${problems.join(', ')}`);
    }
    if (fieldValidation === 'Warn') for (const problem of problems) warn(problem);
    return decoded.value;
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    throw cannotHandle(resource.kind, resource.version, resource, thrown.message);
  }
}

function checkKind(value: JsonObject, resource: Resource): void {
  const kind = textAt(value, 'kind');
  const apiVersion = textAt(value, 'apiVersion');
  if ((kind === '' || kind === resource.kind) && (apiVersion === '' || apiVersion === resource.groupVersion)) return;
  const groupVersion = apiVersion || resource.groupVersion;
  const version = groupVersion.split('/').at(-1) ?? '';
  if (findKind(groupVersion, kind)) {
    throw cannotHandle(
      kind,
      version,
      resource,
      `converting (${version}.${kind}) to (core.${resource.kind}): unknown conversion`,
    );
  }
  const message = `no kind "${kind}" is registered for version "${groupVersion}" in scheme "pkg/runtime/scheme.go:111"`;
  throw cannotHandle(kind, version, resource, message);
}

function cannotHandle(kind: string, version: string, resource: Resource, why: string): ApiError {
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${resource.kind}: ${why}`);
}

function unrecognized(value: JsonValue, { kind }: Resource): string {
  const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (${Buffer.from(JSON.stringify(value)).toString('hex')})`;
}
