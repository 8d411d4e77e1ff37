import { isList, isObject, type JsonObject, type JsonValue, sameJson } from '../json.ts';
import type { ListSchema, Schema } from '../schema/schema.ts';
import { type FieldSet, FieldSetBuilder, type PathElement } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { fieldElement, isLeaf, itemElement, schemaBelow } from './path-element.ts';

/** What changed between two versions of an object. No field is in two of the sets. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

export function compareObjects(before: JsonObject, after: JsonObject, schema: Schema): Comparison {
  const comparer = new Comparer();
  comparer.compare(before, after, schema, []);
  return {
    added: comparer.added.build(),
    modified: comparer.modified.build(),
    removed: comparer.removed.build(),
  };
}

type Side = JsonValue | undefined;

class Comparer {
  readonly added = new FieldSetBuilder();
  readonly modified = new FieldSetBuilder();
  readonly removed = new FieldSetBuilder();

  compare(before: Side, after: Side, schema: Schema, path: readonly PathElement[]): void {
    // Two empty containers are compared as leaves, so that "empty" and "null" stay two things.
    if (isLeaf(schema) || (isEmpty(before) && isEmpty(after))) return this.#leaf(before, after, path);
    if (schema.kind === 'list') this.#items(before, after, schema, path);
    else this.#entries(before, after, schema, path);
    if (before === undefined) this.added.insert(path);
    else if (after === undefined) this.removed.insert(path);
  }

  #leaf(before: Side, after: Side, path: readonly PathElement[]): void {
    if (before === undefined) this.added.insert(path);
    else if (after === undefined) this.removed.insert(path);
    else if (!sameJson(before, after)) this.modified.insert(path);
  }

  #entries(before: Side, after: Side, schema: Schema, path: readonly PathElement[]): void {
    const left = isObject(before) ? before : {};
    const right = isObject(after) ? after : {};
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      const below = schemaBelow(schema, key);
      if (below) this.compare(left[key], right[key], below, [...path, fieldElement(key)]);
    }
  }

  #items(before: Side, after: Side, schema: ListSchema, path: readonly PathElement[]): void {
    const left = byElement(before, schema);
    const right = byElement(after, schema);
    for (const element of new Set([...left.keys(), ...right.keys()])) {
      const [lefts = [], rights = []] = [left.get(element), right.get(element)];
      if (lefts.length > 1 || rights.length > 1) this.#repeated(lefts, rights, schema.items, [...path, element]);
      else this.compare(lefts[0], rights[0], schema.items, [...path, element]);
    }
  }

  /** Items with one key twice have no identity each: they are one leaf together, and none has fields of its own. */
  #repeated(
    before: readonly JsonValue[],
    after: readonly JsonValue[],
    schema: Schema,
    path: readonly PathElement[],
  ): void {
    this.#leaf(asLeaf(before), asLeaf(after), path);
    const [only] = before;
    if (before.length === 1 && only !== undefined) insertAll(this.removed, fieldSetOf(only, schema), path);
    const [left] = after;
    if (after.length === 1 && left !== undefined) insertAll(this.added, fieldSetOf(left, schema), path);
  }
}

function insertAll(builder: FieldSetBuilder, fields: FieldSet, path: readonly PathElement[]): void {
  for (const below of fields.paths()) builder.insert([...path, ...below]);
}

function byElement(list: Side, schema: ListSchema): Map<PathElement, JsonValue[]> {
  const result = new Map<PathElement, JsonValue[]>();
  for (const item of isList(list) ? list : []) {
    const element = itemElement(schema, item);
    result.set(element, [...(result.get(element) ?? []), item]);
  }
  return result;
}

function asLeaf(items: readonly JsonValue[]): Side {
  return items.length === 0 ? undefined : items;
}

function isEmpty(side: Side): boolean {
  if (side === undefined || side === null) return true;
  return isList(side) ? side.length === 0 : isObject(side) && Object.keys(side).length === 0;
}
