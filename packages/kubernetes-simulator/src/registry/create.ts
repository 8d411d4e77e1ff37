import { randomUUID } from 'node:crypto';
import { alreadyExists, ApiError, forbidden, invalid, notFound } from '../errors.ts';
import { isObject, type JsonObject, objectAt, textAt, withValue, without } from '../json.ts';
import type { Resource } from '../kinds/resource.ts';
import { readOwners, withoutOwners, writeOwners } from '../managed-fields/owners.ts';
import { trackUpdate } from '../managed-fields/track-update.ts';
import { emptyObject } from '../schema/decode.ts';
import { formatTime } from '../schema/timestamp.ts';
import { keyOf, parseStored } from '../store/stored-object.ts';
import { metadataErrors } from '../validation/metadata.ts';
import { canonical, putObject } from './put-object.ts';
import { findStored, kindSubjectOf, type Registry, strategyContext, subjectOf } from './registry.ts';
import { resetFieldsOf, type WriteOptions, type Written } from './write-options.ts';

const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** A new object as the client sent it, decoded and with defaults, in the version of the request. */
export interface Candidate {
  readonly resource: Resource;
  readonly namespace: string;
  readonly object: JsonObject;
  /** False if the object's managedFields are right already, as after an apply. */
  readonly tracksOwners: boolean;
}

/**
 * Makes an object.
 * @throws ApiError AlreadyExists, Invalid, NotFound (no such namespace), Forbidden (namespace is being deleted)
 */
export function createObject(registry: Registry, candidate: Candidate, options: WriteOptions): Written<JsonObject> {
  const { resource, namespace } = candidate;
  if (textAt(candidate.object, 'metadata', 'resourceVersion') !== '') {
    throw new ApiError(500, '', 'resourceVersion should not be set on objects to be created');
  }
  requireNamespace(registry, candidate);
  const tracked = withOwner(registry, candidate, options);
  const stored = resource.conversion ? resource.conversion.toStored(tracked) : tracked;
  const named = withSystemFields(registry, stored, namespace);
  const context = strategyContext(registry, resource);
  const prepared =
    resource.strategy.prepareForCreate?.(dropStatus(resource, named), context) ?? dropStatus(resource, named);
  const final = resource.strategy.countsGenerations ? withValue(prepared, ['metadata', 'generation'], 1) : prepared;
  check(registry, { ...candidate, object: final });
  if (options.dryRun) return { object: canonical(resource, final), created: true, changed: false };
  return { object: parseStored(putObject(registry, resource, final)), created: true, changed: true };
}

function check(registry: Registry, { resource, namespace, object }: Candidate): void {
  const name = textAt(object, 'metadata', 'name');
  const { nameErrors, validate } = resource.strategy;
  const errors = [...metadataErrors(object, nameErrors), ...(validate?.(object, resource) ?? [])];
  if (errors.length > 0) throw invalid(kindSubjectOf({ resource, name }), errors);
  if (findStored(registry, { resource, namespace, name })) throw alreadyExists(subjectOf({ resource, name }));
}

/** New content needs a namespace that is there to stay. */
function requireNamespace({ store }: Registry, { resource, namespace, object }: Candidate): void {
  if (!resource.namespaced) return;
  const stored = store.collection('namespaces').get(keyOf('', namespace));
  if (!stored) throw notFound({ group: '', resource: 'namespaces', name: namespace });
  if (textAt(parseStored(stored), 'metadata', 'deletionTimestamp') === '') return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  throw forbidden(subjectOf({ resource, name: textAt(object, 'metadata', 'name') }), why, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ]);
}

function withOwner({ clock }: Registry, candidate: Candidate, { fieldManager }: WriteOptions): JsonObject {
  const { resource, object, tracksOwners } = candidate;
  if (!tracksOwners) return object;
  const owners = trackUpdate({
    before: emptyObject(resource.schema),
    after: withoutOwners(object),
    schema: resource.schema,
    resetFields: resetFieldsOf(resource, ''),
    owners: readOwners(object),
    writer: { manager: fieldManager, operation: 'Update', apiVersion: resource.groupVersion, subresource: '' },
    time: formatTime(clock.now()),
  });
  return withValue(object, ['metadata', 'managedFields'], writeOwners(owners));
}

function withSystemFields({ clock, random }: Registry, object: JsonObject, namespace: string): JsonObject {
  const given = without(
    objectAt(object, 'metadata'),
    'namespace',
    'selfLink',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  );
  const prefix = textAt(given, 'generateName');
  const name = textAt(given, 'name') || (prefix && generateName(prefix, random));
  const metadata = {
    ...without(given, 'generation'),
    ...(name && { name }),
    ...(namespace && { namespace }),
    uid: randomUUID(),
    creationTimestamp: formatTime(clock.now()),
  };
  return { ...object, metadata };
}

function generateName(prefix: string, random: () => number): string {
  const letter = (): string => SUFFIX_LETTERS[Math.floor(random() * SUFFIX_LETTERS.length)] ?? 'b';
  return prefix.slice(0, 58) + Array.from({ length: 5 }, letter).join('');
}

function dropStatus({ strategy, schema }: Resource, object: JsonObject): JsonObject {
  if (!strategy.dropsStatusOnCreate) return object;
  const status = emptyObject(schema)['status'];
  return isObject(status) ? { ...object, status } : object;
}
