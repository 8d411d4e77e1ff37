import { type JsonObject, listAt, textAt, textListAt, textsAt } from '../json.ts';
import { type FieldError, forbiddenField, invalidValue, required, tooLong } from './field-errors.ts';
import { labelValueErrors, qualifiedNameErrors } from './names.ts';

const ANNOTATIONS_LIMIT = 256 * 1024;
const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** Checks the metadata of a new object. A prefix for a generated name is checked only through the name it gave. */
export function metadataErrors(object: JsonObject, nameErrors: (name: string) => readonly string[]): FieldError[] {
  const name = textAt(object, 'metadata', 'name');
  const errors =
    name === ''
      ? [required('metadata.name', 'name or generateName is required')]
      : nameErrors(name).map((message) => invalidValue('metadata.name', name, message));
  return [...errors, ...commonErrors(object)];
}

/** Checks the metadata of an update. What was fixed at creation has been put back already. */
export function metadataUpdateErrors(object: JsonObject, current: JsonObject): FieldError[] {
  return [...addedFinalizerErrors(object, current), ...commonErrors(object)];
}

export function labelErrors(field: string, labels: Readonly<Record<string, string>>): FieldError[] {
  return Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, value]) => [
      ...qualifiedNameErrors(key).map((message) => invalidValue(field, key, message)),
      ...labelValueErrors(value).map((message) => invalidValue(field, value, message)),
    ]);
}

/** An object that is being deleted takes no new finalizer: it could never go. */
function addedFinalizerErrors(object: JsonObject, current: JsonObject): FieldError[] {
  if (textAt(current, 'metadata', 'deletionTimestamp') === '') return [];
  const before = listAt(current, 'metadata', 'finalizers');
  const added = listAt(object, 'metadata', 'finalizers').filter((finalizer) => !before.includes(finalizer));
  if (added.length === 0) return [];
  const shown = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
  return [
    forbiddenField(
      'metadata.finalizers',
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${shown}}`,
    ),
  ];
}

function commonErrors(object: JsonObject): FieldError[] {
  return [
    ...labelErrors('metadata.labels', textsAt(object, 'metadata', 'labels')),
    ...annotationErrors(textsAt(object, 'metadata', 'annotations')),
    ...textListAt(object, 'metadata', 'finalizers').flatMap((finalizer, index) =>
      finalizerErrors(`metadata.finalizers[${index}]`, finalizer),
    ),
  ];
}

function annotationErrors(annotations: Readonly<Record<string, string>>): FieldError[] {
  const entries = Object.entries(annotations).sort(([a], [b]) => (a < b ? -1 : 1));
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    // An annotation's key is checked in lower case: its case is free.
    ...entries.flatMap(([key]) =>
      qualifiedNameErrors(key.toLowerCase()).map((message) => invalidValue('metadata.annotations', key, message)),
    ),
    ...(size > ANNOTATIONS_LIMIT ? [tooLong('metadata.annotations', ANNOTATIONS_LIMIT)] : []),
  ];
}

function finalizerErrors(field: string, finalizer: string): FieldError[] {
  const errors = qualifiedNameErrors(finalizer).map((message) => invalidValue(field, finalizer, message));
  if (finalizer.includes('/') || STANDARD_FINALIZERS.has(finalizer)) return errors;
  return [
    ...errors,
    invalidValue(field, finalizer, 'name is neither a standard finalizer name nor is it fully qualified'),
  ];
}
