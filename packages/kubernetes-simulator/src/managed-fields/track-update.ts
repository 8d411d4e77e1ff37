import type { JsonObject } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import { type Comparison, compareObjects } from './compare.ts';
import { FieldSet } from './field-set.ts';
import { type Owner, type OwnerIdentity, sameOwner } from './owners.ts';

/** Fields of the metadata that belong to the API server and are never owned. */
const UNOWNED = FieldSet.of([
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['f:metadata', `f:${name}`]),
]);

export interface UpdateOfFields {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly schema: Schema;
  /** Top-level fields that this kind of request cannot change, for example `status`. */
  readonly resetFields: readonly string[];
}

interface Update extends UpdateOfFields {
  readonly owners: readonly Owner[];
  readonly writer: OwnerIdentity;
  readonly time: string;
}

/** Who owns what after a write that was no server-side apply: the writer takes all that it changed. */
export function trackUpdate({ owners, writer, time, ...update }: Update): Owner[] {
  const comparison = compareFields(update);
  const changed = comparison.added.union(comparison.modified);
  const others = owners.map((owner) => ({
    ...owner,
    fields: owner.fields.difference(changed.union(comparison.removed)),
  }));
  const taken = changed.difference(UNOWNED);
  if (taken.isEmpty) return others;
  const mine =
    owners.find((owner) => sameOwner(owner, writer))?.fields.difference(comparison.removed) ?? FieldSet.empty;
  return [...others.filter((owner) => !sameOwner(owner, writer)), { ...writer, time, fields: mine.union(taken) }];
}

/** What a write changed, without the fields that it cannot change. */
export function compareFields({ before, after, schema, resetFields }: UpdateOfFields): Comparison {
  const { added, modified, removed } = compareObjects(before, after, schema);
  const reset = FieldSet.of(resetFields.map((name) => [`f:${name}`]));
  return { added: added.without(reset), modified: modified.without(reset), removed: removed.without(reset) };
}

/** Without the fields that belong to the API server. */
export function ownable(fields: FieldSet): FieldSet {
  return fields.difference(UNOWNED);
}
