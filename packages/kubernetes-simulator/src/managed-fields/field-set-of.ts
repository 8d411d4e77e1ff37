import { isList, isObject, type JsonValue } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import { FieldSet, FieldSetBuilder, type PathElement } from './field-set.ts';
import { fieldElement, isLeaf, itemElement, schemaBelow } from './path-element.ts';

/** The fields that an object sets: what the one who applies it comes to own. */
export function fieldSetOf(value: JsonValue, schema: Schema): FieldSet {
  const builder = new FieldSetBuilder();
  visit(value, schema, [], builder);
  return builder.build();
}

/** Adds the named fields on the way to each member: `spec` for `spec.ports`, but no key of a map. */
export function withNamedFields(set: FieldSet, schema: Schema | undefined): FieldSet {
  return FieldSet.from(
    [...set.nodes].map(([element, { member, children }]) => {
      const below = elementSchema(schema, element);
      const named = schema?.kind === 'struct' && element.startsWith('f:') && below !== undefined;
      return [element, { member: member || (named && !children.isEmpty), children: withNamedFields(children, below) }];
    }),
  );
}

function elementSchema(schema: Schema | undefined, element: PathElement): Schema | undefined {
  if (schema?.kind === 'list') return schema.items;
  return schema && schemaBelow(schema, element.slice(2));
}

function visit(value: JsonValue, schema: Schema, path: readonly PathElement[], builder: FieldSetBuilder): void {
  if (isLeaf(schema)) return builder.insert(path);
  if (schema.kind === 'list') {
    for (const item of isList(value) ? value : []) {
      const at = [...path, itemElement(schema, item)];
      visit(item, schema.items, at, builder);
      builder.insert(at);
    }
    return;
  }
  for (const [key, item] of Object.entries(isObject(value) ? value : {})) {
    visitEntry(item, schemaBelow(schema, key), {
      at: [...path, fieldElement(key)],
      named: schema.kind === 'struct',
      builder,
    });
  }
}

interface Entry {
  readonly at: readonly PathElement[];
  readonly named: boolean;
  readonly builder: FieldSetBuilder;
}

function visitEntry(item: JsonValue, schema: Schema | undefined, { at, named, builder }: Entry): void {
  if (!schema) return;
  visit(item, schema, at, builder);
  const isEmpty = item === null || (isObject(item) && Object.keys(item).length === 0);
  if (isEmpty || !named) builder.insert(at);
}
