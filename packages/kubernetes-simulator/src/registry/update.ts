import { conflict, invalid, modified } from '../errors.ts';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  sameJson,
  textAt,
  valueAt,
  withValue,
  without,
} from '../json.ts';
import type { Resource } from '../kinds/resource.ts';
import { readOwners, withoutOwners, writeOwners } from '../managed-fields/owners.ts';
import { trackUpdate } from '../managed-fields/track-update.ts';
import { formatTime } from '../schema/timestamp.ts';
import { parseStored, type StoredObject } from '../store/stored-object.ts';
import { type FieldError, invalidValue } from '../validation/field-errors.ts';
import { metadataUpdateErrors } from '../validation/metadata.ts';
import { removeObject } from './namespace-content.ts';
import { canonical, putObject } from './put-object.ts';
import { getStored, kindSubjectOf, type ObjectAddress, type Registry, strategyContext, subjectOf } from './registry.ts';
import { resetFieldsOf, type WriteOptions, type Written } from './write-options.ts';

/** A change of one object. */
export interface Update extends ObjectAddress {
  /** Empty, or `status`. */
  readonly subresource: string;
  /**
   * Makes the next version out of the current one; both are in the version of the request. If it sets managedFields
   * itself (an apply does), they are kept.
   */
  readonly next: (current: JsonObject) => JsonObject;
  readonly tracksOwners: boolean;
}

/**
 * Changes an object. Without a difference nothing is written and the resourceVersion stays.
 * @throws ApiError NotFound, Conflict, Invalid
 */
export function updateObject(registry: Registry, update: Update, options: WriteOptions): Written<JsonObject> {
  const stored = getStored(registry, update);
  const current = parseStored(stored);
  const candidate = nextVersion(registry, update, current, options);
  checkVersion(update, candidate, current);
  const prepared = prepare(registry, update, { candidate, current, stored });
  check(update, prepared, current);
  return write(registry, update.resource, { object: canonical(update.resource, prepared), current, stored }, options);
}

function nextVersion(registry: Registry, update: Update, current: JsonObject, options: WriteOptions): JsonObject {
  const { conversion } = update.resource;
  const before = conversion ? conversion.fromStored(current) : current;
  const after = update.next(before);
  const tracked = update.tracksOwners ? track(registry, update, { before, after }, options) : after;
  return conversion ? conversion.toStored(tracked) : tracked;
}

interface Versions {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

function track(registry: Registry, update: Update, { before, after }: Versions, options: WriteOptions): JsonObject {
  const { resource, subresource } = update;
  const given = givenOwners(after, before, subresource);
  // An object that nobody owns a field of stays so, until somebody applies it.
  if (given.length === 0) return withoutOwners(after);
  const owners = trackUpdate({
    before: withoutOwners(before),
    after: withoutOwners(after),
    schema: resource.schema,
    resetFields: resetFieldsOf(resource, subresource),
    owners: given,
    writer: { manager: options.fieldManager, operation: 'Update', apiVersion: resource.groupVersion, subresource },
    time: formatTime(registry.clock.now()),
  });
  return withValue(after, ['metadata', 'managedFields'], writeOwners(owners));
}

/** A client may set managedFields, or clear them with one empty entry; leaving them out changes nothing. */
function givenOwners(after: JsonObject, before: JsonObject, subresource: string): ReturnType<typeof readOwners> {
  const given = listAt(after, 'metadata', 'managedFields');
  const [only] = given;
  if (subresource !== '' || given.length === 0) return readOwners(before);
  return given.length === 1 && textAt(only, 'operation') === '' ? [] : readOwners(after);
}

/** Optimistic concurrency: an update that names a version must name the current one. */
function checkVersion(address: Update, candidate: JsonObject, current: JsonObject): void {
  const [asked, is] = [candidate, current].map((object) => textAt(object, 'metadata', 'resourceVersion'));
  const [askedUid, uid] = [candidate, current].map((object) => textAt(object, 'metadata', 'uid'));
  if (asked === '' && address.resource.strategy.needsResourceVersion) {
    throw invalid(subjectOf(address), [invalidValue('metadata.resourceVersion', 0, 'must be specified for an update')]);
  }
  if (asked !== '' && asked !== is) throw modified(subjectOf(address));
  if (asked === '' && askedUid !== '' && askedUid !== uid) {
    throw conflict(
      subjectOf(address),
      `Precondition failed: UID in precondition: ${askedUid}, UID in object meta: ${uid}`,
    );
  }
}

interface Preparation {
  readonly candidate: JsonObject;
  readonly current: JsonObject;
  readonly stored: StoredObject;
}

function prepare(registry: Registry, update: Update, { candidate, current, stored }: Preparation): JsonObject {
  const { resource, subresource } = update;
  const kept = withKeptMetadata(candidate, current);
  if (subresource === 'status')
    return { ...current, metadata: objectAt(kept, 'metadata'), status: kept['status'] ?? {} };
  const withStatus = resource.hasStatus ? withValue(kept, ['status'], current['status']) : kept;
  const context = strategyContext(registry, resource, stored);
  const prepared = resource.strategy.prepareForUpdate?.(withStatus, current, context) ?? withStatus;
  return resource.strategy.countsGenerations ? withGeneration(prepared, current) : prepared;
}

/** What an update cannot change, and need not mention. */
function withKeptMetadata(candidate: JsonObject, current: JsonObject): JsonObject {
  const given = objectAt(candidate, 'metadata');
  const before = objectAt(current, 'metadata');
  const always = ['namespace', 'generation', 'creationTimestamp', 'selfLink'];
  const unlessGiven = ['uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'].filter(
    (key) => given[key] === undefined,
  );
  const kept = [...always, ...unlessGiven].flatMap((key): [string, JsonValue][] => {
    const value = before[key];
    return value === undefined ? [] : [[key, value]];
  });
  return { ...candidate, metadata: { ...without(given, ...always), ...Object.fromEntries(kept) } };
}

function withGeneration(object: JsonObject, current: JsonObject): JsonObject {
  const generation = Number(valueAt(current, 'metadata', 'generation') ?? 0);
  const content = (one: JsonObject): JsonObject => without(one, 'metadata', 'status');
  const next = sameJson(content(object), content(current)) ? generation : generation + 1;
  return withValue(object, ['metadata', 'generation'], next);
}

function check(update: Update, object: JsonObject, current: JsonObject): void {
  const { strategy } = update.resource;
  const metadata = [...immutableErrors(object, current), ...metadataUpdateErrors(object, current)];
  const specific =
    update.subresource === 'status'
      ? strategy.validateStatus?.(object, current)
      : (strategy.validateUpdate?.(object, current, update.resource) ?? strategy.validate?.(object, update.resource));
  // kube-apiserver checks metadata twice, and lists what it finds twice.
  const errors = [...metadata, ...metadata, ...(specific ?? [])];
  if (errors.length > 0) throw invalid(kindSubjectOf(update), errors);
}

function immutableErrors(object: JsonObject, current: JsonObject): FieldError[] {
  const fixed = ['uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'];
  const changed = fixed.filter((key) => !sameJson(valueAt(object, 'metadata', key), valueAt(current, 'metadata', key)));
  return changed.map((key) => invalidValue(`metadata.${key}`, valueAt(object, 'metadata', key), 'field is immutable'));
}

interface Final {
  readonly object: JsonObject;
  readonly current: JsonObject;
  readonly stored: StoredObject;
}

function write(registry: Registry, resource: Resource, final: Final, { dryRun }: WriteOptions): Written<JsonObject> {
  const { object, current, stored } = final;
  if (sameJson(comparable(object), comparable(current))) return { object: current, created: false, changed: false };
  const leaves =
    textAt(object, 'metadata', 'deletionTimestamp') !== '' && listAt(object, 'metadata', 'finalizers').length === 0;
  if (dryRun) return { object, created: false, changed: false };
  if (!leaves) return { object: parseStored(putObject(registry, resource, object)), created: false, changed: true };
  // The last finalizer is gone: so is the object.
  removeObject(registry, resource, stored);
  return { object, created: false, changed: true };
}

/** An object without what a write changes even if it says nothing new. */
function comparable(object: JsonObject): JsonObject {
  const entries = listAt(object, 'metadata', 'managedFields');
  const timeless = entries.map((entry) => (isObject(entry) ? without(entry, 'time') : entry));
  return {
    ...object,
    metadata: { ...without(objectAt(object, 'metadata'), 'resourceVersion'), managedFields: timeless },
  };
}
