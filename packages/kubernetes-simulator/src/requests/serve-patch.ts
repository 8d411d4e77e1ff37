import { ApiError, badRequest, notFound } from '../errors.ts';
import { isList, isObject, type JsonObject, type JsonValue, textAt, withValue } from '../json.ts';
import type { Resource } from '../kinds/resource.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { goFormat } from '../patch/go-format.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { PatchError } from '../patch/patch-error.ts';
import { applyStrategicMergePatch } from '../patch/strategic-merge-patch.ts';
import { findStored, type Registry, subjectOf } from '../registry/registry.ts';
import { updateObject } from '../registry/update.ts';
import type { Written } from '../registry/write-options.ts';
import { checkName, decodeCandidate } from './decode-candidate.ts';
import { goSyntaxProblem, parseJson } from './parse-body.ts';
import { serveApply } from './serve-apply.ts';
import { shown, type WriteRequest } from './serve-write.ts';
import { readWriteParameters, type WriteParameters } from './write-parameters.ts';

const APPLY_PATCH = 'application/apply-patch+yaml';
const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json';

/** PATCH of an object or its status. */
export async function servePatch(registry: Registry, request: WriteRequest): Promise<Written<JsonObject>> {
  const { contentType, bytes } = request.body;
  const isApply = contentType === APPLY_PATCH;
  const known = [APPLY_PATCH, JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH].includes(contentType);
  if (!known) throw new ApiError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  const parameters = readWriteParameters({ ...request, kind: 'PatchOptions', isApply });
  if (isApply) return serveApply(registry, request, parameters);
  if (!findStored(registry, request)) throw notFound(subjectOf(request));
  const patch = readPatch(contentType, bytes);
  const next = (current: JsonObject): JsonObject => patched(current, { patch, contentType, request, parameters });
  return shown(request.resource, updateObject(registry, { ...request, next, tracksOwners: true }, parameters));
}

interface Patching {
  readonly patch: JsonValue;
  readonly contentType: string;
  readonly request: WriteRequest;
  readonly parameters: WriteParameters;
}

function patched(current: JsonObject, { patch, contentType, request, parameters }: Patching): JsonObject {
  const { resource, name, warn } = request;
  const before = { kind: resource.kind, apiVersion: resource.groupVersion, ...current };
  const after = applyPatch(before, patch, contentType, resource);
  const { fieldValidation } = parameters;
  const isStrategic = contentType === STRATEGIC_MERGE_PATCH;
  const blame = isStrategic
    ? { blamed: goFormat(patch), worded: conversionProblem }
    : { blamed: JSON.stringify(after), worded: (why: string) => why };
  const decoded = orUnfit(() => decodeCandidate(after, { resource, warn, fieldValidation }), resource, blame);
  checkName(decoded, name);
  return withValue(decoded, ['metadata', 'namespace'], textAt(current, 'metadata', 'namespace') || undefined);
}

function readPatch(contentType: string, bytes: Buffer): JsonValue {
  const prefix = contentType === STRATEGIC_MERGE_PATCH ? '' : 'error decoding patch: ';
  const patch = parsePatch(bytes, prefix);
  if (contentType === JSON_PATCH ? isList(patch) : isObject(patch)) return patch;
  const wanted = contentType === JSON_PATCH ? '[]handlers.jsonPatchOp' : 'map[string]interface {}';
  const found = isList(patch) ? 'array' : typeof patch;
  throw badRequest(`${prefix}json: cannot unmarshal ${found} into Go value of type ${wanted}`);
}

function parsePatch(bytes: Buffer, prefix: string): JsonValue {
  try {
    return parseJson(bytes);
  } catch (thrown) {
    throw badRequest(prefix + goSyntaxProblem(bytes.toString(), thrown));
  }
}

function applyPatch(before: JsonObject, patch: JsonValue, contentType: string, resource: Resource): JsonValue {
  try {
    if (contentType === JSON_PATCH) return applyJsonPatch(before, isList(patch) ? patch : []);
    if (contentType === MERGE_PATCH) return applyMergePatch(before, patch);
    return applyStrategicMergePatch(before, isObject(patch) ? patch : {}, resource.schema);
  } catch (thrown) {
    if (!(thrown instanceof PatchError)) throw thrown;
    if (contentType !== JSON_PATCH) throw new ApiError(500, '', thrown.message);
    throw new ApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
  }
}

interface Blame {
  /** What the message shows. */
  readonly blamed: string;
  readonly worded: (why: string) => string;
}

/** A strategic merge patch is not read as JSON, and its mistakes are worded accordingly. */
function conversionProblem(why: string): string {
  const [, found, wanted] = /cannot unmarshal (\w+).* of type (\S+)$/.exec(why) ?? [];
  if (found === undefined || wanted === undefined) return why;
  const types: Readonly<Record<string, string>> = {
    number: 'int64',
    object: 'map[string]interface {}',
    array: '[]interface {}',
  };
  return `cannot convert ${types[found] ?? found} to ${wanted}`;
}

/** A patch whose outcome is no object of the kind is the patch's fault. */
function orUnfit(decode: () => JsonObject, { kind, version }: Resource, { blamed, worded }: Blame): JsonObject {
  try {
    return decode();
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    const why = thrown.message.replace(`${kind} in version "${version}" cannot be handled as a ${kind}: `, '');
    const message = `Invalid value: ${JSON.stringify(blamed)}: ${worded(why)}`;
    const causes = [{ reason: 'FieldValueInvalid', message, field: 'patch' }];
    throw new ApiError(422, 'Invalid', ` "" is invalid: patch: ${message}`, { causes });
  }
}
