import { isObject, type JsonObject, type JsonValue, listAt, textAt, withValue } from '../json.ts';
import { FieldSet } from './field-set.ts';

/** One entry of `metadata.managedFields`: who wrote which fields last, and how. */
export interface Owner {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string;
  readonly fields: FieldSet;
}

export type OwnerIdentity = Pick<Owner, 'manager' | 'operation' | 'apiVersion' | 'subresource'>;

export function readOwners(object: JsonObject): Owner[] {
  return listAt(object, 'metadata', 'managedFields').map((entry) => ({
    manager: textAt(entry, 'manager'),
    operation: textAt(entry, 'operation') === 'Apply' ? 'Apply' : 'Update',
    apiVersion: textAt(entry, 'apiVersion'),
    subresource: textAt(entry, 'subresource'),
    time: textAt(entry, 'time'),
    fields: FieldSet.fromFieldsV1(isObject(entry) ? entry['fieldsV1'] : undefined),
  }));
}

/** An object as comparisons of its fields see it. */
export function withoutOwners(object: JsonObject): JsonObject {
  return withValue(object, ['metadata', 'managedFields'], undefined);
}

/** The entries as the API server writes and orders them; undefined when nobody owns anything. */
export function writeOwners(owners: readonly Owner[]): JsonValue | undefined {
  const kept = owners.filter(({ fields }) => !fields.isEmpty).sort(byOperationAndTime);
  return kept.length === 0 ? undefined : kept.map(writeOwner);
}

/** True for two entries of one writer: an applier is the same at any API version. */
export function sameOwner(left: OwnerIdentity, right: OwnerIdentity): boolean {
  return (
    left.manager === right.manager &&
    left.operation === right.operation &&
    left.subresource === right.subresource &&
    (left.operation === 'Apply' || left.apiVersion === right.apiVersion)
  );
}

function writeOwner({ manager, operation, apiVersion, subresource, time, fields }: Owner): JsonObject {
  return {
    manager,
    operation,
    apiVersion,
    ...(time && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: fields.toFieldsV1(),
    ...(subresource && { subresource }),
  };
}

function byOperationAndTime(left: Owner, right: Owner): number {
  const keys = (owner: Owner): string[] => [
    owner.operation,
    owner.time,
    owner.manager,
    owner.apiVersion,
    owner.subresource,
  ];
  const others = keys(right);
  for (const [index, key] of keys(left).entries()) {
    const other = others[index] ?? '';
    if (key !== other) return key < other ? -1 : 1;
  }
  return 0;
}
