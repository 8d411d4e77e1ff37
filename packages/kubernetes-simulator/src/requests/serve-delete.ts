import { invalid } from '../errors.ts';
import { isObject, type JsonObject, type JsonValue, textAt } from '../json.ts';
import { type Deleted, deleteObject, type DeleteOptions } from '../registry/delete.ts';
import type { ObjectAddress, Registry } from '../registry/registry.ts';
import { structSchema } from '../schema/schema.ts';
import { successBody } from '../status.ts';
import { type FieldError, notSupported } from '../validation/field-errors.ts';
import { isSelected, integer, type ListOptions } from './list-options.ts';
import { type Body, parseBody } from './parse-body.ts';
import { dryRunErrors } from './write-parameters.ts';

const DELETE_OPTIONS = { kind: 'DeleteOptions', schema: structSchema('meta/v1.DeleteOptions') };
const POLICIES = ['Foreground', 'Background', 'Orphan', 'nil'];

export interface DeleteAnswer {
  readonly body: JsonObject;
  readonly changed: boolean;
}

/** DELETE of one object. */
export function serveDelete(registry: Registry, address: ObjectAddress, options: DeleteOptions): DeleteAnswer {
  const deleted = deleteObject(registry, address, options);
  return { body: deletionBody(address, deleted), changed: deleted.changed };
}

/** DELETE of a collection: answers with what was deleted. */
export function serveDeleteCollection(
  registry: Registry,
  { resource }: Pick<ObjectAddress, 'resource'>,
  { selection }: ListOptions,
  options: DeleteOptions,
): DeleteAnswer {
  const chosen = registry.store
    .collection(resource.name)
    .list()
    .filter((object) => isSelected(selection, object));
  const deleted = chosen.map((stored) => deleteObject(registry, { ...stored, resource }, options));
  return {
    body: {
      kind: `${resource.kind}List`,
      apiVersion: resource.groupVersion,
      metadata: { resourceVersion: String(registry.store.revision) },
      items: deleted.map(({ object }) => resource.conversion?.fromStored(object) ?? object),
    },
    changed: deleted.some(({ changed }) => changed),
  };
}

/** Options come as body or in the query. @throws ApiError Invalid, BadRequest */
export async function readDeleteOptions(query: URLSearchParams, body: Body): Promise<DeleteOptions> {
  const given: JsonValue = body.bytes.length === 0 ? {} : await parseBody(body, DELETE_OPTIONS);
  integer(query.get('gracePeriodSeconds') ?? '');
  const errors = [...dryRunErrors(query), ...policyErrors(query, given)];
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', resource: 'DeleteOptions' }, errors);
  const dryRun =
    query.has('dryRun') || (isObject(given) && Array.isArray(given['dryRun']) && given['dryRun'].length > 0);
  const precondition = (key: string): string | undefined => textAt(given, 'preconditions', key) || undefined;
  return { dryRun, uid: precondition('uid'), resourceVersion: precondition('resourceVersion') };
}

function policyErrors(query: URLSearchParams, given: JsonValue): FieldError[] {
  const policy = query.get('propagationPolicy') ?? textAt(given, 'propagationPolicy');
  return policy === '' || POLICIES.includes(policy) ? [] : [notSupported('propagationPolicy', policy, POLICIES)];
}

function deletionBody({ resource, name }: ObjectAddress, { object, gone }: Deleted): JsonObject {
  const { kind, groupVersion, group, conversion, strategy } = resource;
  if (!gone || strategy.returnsDeleted) {
    return { kind, apiVersion: groupVersion, ...(conversion ? conversion.fromStored(object) : object) };
  }
  return successBody({ name, ...(group && { group }), kind: resource.name, uid: textAt(object, 'metadata', 'uid') });
}
