import { type JsonObject, sameJson } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import { applyConflict, type FieldConflict } from './apply-conflict.ts';
import { FieldSet } from './field-set.ts';
import { fieldSetOf, withNamedFields } from './field-set-of.ts';
import { mergeValues } from './merge-values.ts';
import { type Owner, type OwnerIdentity, sameOwner } from './owners.ts';
import { removeFields } from './remove-fields.ts';
import { compareFields, ownable } from './track-update.ts';

export interface ApplyRequest {
  readonly live: JsonObject;
  /** What the applier wants, and only that. */
  readonly configuration: JsonObject;
  readonly schema: Schema;
  readonly resetFields: readonly string[];
  readonly owners: readonly Owner[];
  readonly writer: OwnerIdentity;
  readonly time: string;
  /** Take fields that others own. */
  readonly force: boolean;
  /** Conflicts on these fields are no conflicts: they were the applier's own by the last-applied annotation. */
  readonly allowed: FieldSet;
}

export interface ApplyResult {
  readonly object: JsonObject;
  readonly owners: readonly Owner[];
}

/**
 * Server-side apply: lays the configuration over the live object, takes away what the applier owned before, does not
 * want any more and nobody else owns, and records the new ownership.
 * @throws ApiError Conflict that names each field that another manager owns with another value.
 */
export function applyConfiguration(request: ApplyRequest): ApplyResult {
  const { live, configuration, schema, owners, writer, time, resetFields } = request;
  const reset = FieldSet.of(resetFields.map((name) => [`f:${name}`]));
  const wanted = fieldSetOf(configuration, schema).without(reset);
  const previous = owners.find((owner) => sameOwner(owner, writer));
  const others = owners.filter((owner) => owner !== previous);
  const merged = mergeValues(live, configuration, schema);
  const claimed = others.reduce((claims, { fields }) => claims.union(fields), wanted);
  const object = previous ? prune(merged, previous.fields, claimed, schema) : merged;
  const left = giveWay(others, request, object);
  // An apply that changes nothing is no news.
  const applied = sameJson(object, live) ? (previous?.time ?? '') : time;
  return { object, owners: [...left, { ...writer, time: applied, fields: ownable(wanted) }] };
}

/** Takes away what was the applier's alone and is not wanted any more, but never what somebody else claims. */
function prune(merged: JsonObject, previous: FieldSet, claimed: FieldSet, schema: Schema): JsonObject {
  const named = (fields: FieldSet): FieldSet => withNamedFields(fields, schema);
  const all = named(fieldSetOf(merged, schema));
  const last = named(previous);
  const pruned = removeFields(merged, last, schema);
  const kept = named(fieldSetOf(pruned, schema)).union(named(claimed));
  const withClaims = removeFields(merged, all.difference(kept), schema);
  const gone = all.difference(named(fieldSetOf(withClaims, schema))).intersection(last);
  return removeFields(merged, gone, schema);
}

/** The other owners after this apply. @throws ApiError Conflict if they did not agree. */
function giveWay(others: readonly Owner[], request: ApplyRequest, after: JsonObject): Owner[] {
  const { added, modified, removed } = compareFields({ ...request, before: request.live, after });
  const changed = added.union(modified);
  const conflicts = others.map((owner): FieldConflict => ({ owner, fields: owner.fields.intersection(changed) }));
  const real = conflicts.map(({ owner, fields }) => ({ owner, fields: fields.difference(request.allowed) }));
  if (!request.force && real.some(({ fields }) => !fields.isEmpty)) throw applyConflict(real);
  return others.map((owner) => ({ ...owner, fields: owner.fields.difference(changed.union(removed)) }));
}
