import { conflict, forbidden } from '../errors.ts';
import { type JsonObject, listAt, textAt, valueAt, withValue } from '../json.ts';
import { formatTime } from '../schema/timestamp.ts';
import { parseStored } from '../store/stored-object.ts';
import { putObject } from './put-object.ts';
import { collectNamespace, contentOf, removeObject } from './namespace-content.ts';
import { getStored, type ObjectAddress, type Registry, subjectOf } from './registry.ts';

const PROTECTED = new Set(['default', 'kube-system', 'kube-public']);
const UNCONDITIONAL: DeleteOptions = { dryRun: false, uid: undefined, resourceVersion: undefined };

export interface DeleteOptions {
  readonly dryRun: boolean;
  /** The object must be this one. */
  readonly uid: string | undefined;
  /** The object must be in this version. */
  readonly resourceVersion: string | undefined;
}

export interface Deleted {
  readonly object: JsonObject;
  /** False while finalizers hold the object. */
  readonly gone: boolean;
  /** True if the store changed. */
  readonly changed: boolean;
}

/**
 * Deletes an object, or marks it for deletion while finalizers hold it. There is no garbage collector, so all
 * propagation policies come to the same.
 * @throws ApiError NotFound, Conflict (preconditions)
 */
export function deleteObject(registry: Registry, address: ObjectAddress, options: DeleteOptions): Deleted {
  const stored = getStored(registry, address);
  const object = parseStored(stored);
  checkPreconditions(address, object, options);
  if (address.resource.name === 'namespaces') return deleteNamespace(registry, address, { object, options });
  const held = listAt(object, 'metadata', 'finalizers').length > 0;
  if (held) return mark(registry, address, object, options);
  if (options.dryRun) return { object, gone: true, changed: false };
  return { object: parseStored(removeObject(registry, address.resource, stored)), gone: true, changed: true };
}

function checkPreconditions(address: ObjectAddress, object: JsonObject, { uid, resourceVersion }: DeleteOptions): void {
  const subject = { ...subjectOf(address), resource: address.resource.kind };
  const is = textAt(object, 'metadata', 'uid');
  const version = textAt(object, 'metadata', 'resourceVersion');
  if (uid !== undefined && uid !== is) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${is}). The object might have been deleted and then recreated`;
    throw conflict(subject, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== version) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${version}). The object might have been modified`;
    throw conflict(subject, why);
  }
}

function mark(registry: Registry, { resource }: ObjectAddress, object: JsonObject, { dryRun }: DeleteOptions): Deleted {
  if (textAt(object, 'metadata', 'deletionTimestamp') !== '') return { object, gone: false, changed: false };
  const generation = valueAt(object, 'metadata', 'generation');
  const counted =
    typeof generation === 'number' ? withValue(object, ['metadata', 'generation'], generation + 1) : object;
  const timed = withValue(counted, ['metadata', 'deletionTimestamp'], formatTime(registry.clock.now()));
  const marked = withValue(timed, ['metadata', 'deletionGracePeriodSeconds'], 0);
  if (dryRun) return { object: marked, gone: false, changed: false };
  return { object: parseStored(putObject(registry, resource, marked)), gone: false, changed: true };
}

interface Target {
  readonly object: JsonObject;
  readonly options: DeleteOptions;
}

/** A namespace takes its content with it, and goes when nothing is left in it. */
function deleteNamespace(registry: Registry, address: ObjectAddress, { object, options }: Target): Deleted {
  if (PROTECTED.has(address.name)) throw forbidden(subjectOf(address), 'this namespace may not be deleted');
  const terminating = withValue(object, ['status', 'phase'], 'Terminating');
  const marked = mark(registry, address, terminating, options);
  if (options.dryRun) return marked;
  for (const { resource, stored } of contentOf(registry, address.name)) {
    deleteObject(registry, { ...stored, resource }, UNCONDITIONAL);
  }
  collectNamespace(registry, address.name);
  return marked;
}
