import type { JsonValue } from '../json.ts';
import type { ListSchema, Schema } from '../schema/schema.ts';
import type { PathElement } from './field-set.ts';
import { itemElement } from './path-element.ts';

type Merge = (live: JsonValue | undefined, applied: JsonValue | undefined, schema: Schema) => JsonValue;

interface Item {
  readonly key: PathElement;
  readonly value: JsonValue;
}

/**
 * Merges two lists of items that have an identity. Items that both have come in the applied order; those that only
 * the live list has keep their places between them, and stand before what is new.
 */
export function mergeLists(
  live: readonly JsonValue[],
  applied: readonly JsonValue[],
  schema: ListSchema,
  merge: Merge,
): JsonValue[] {
  const ours = live.map((value): Item => ({ key: itemElement(schema, value), value }));
  const theirs = applied.map((value): Item => ({ key: itemElement(schema, value), value }));
  const known = new Map(ours.map(({ key, value }) => [key, value]));
  const wanted = new Set(theirs.map(({ key }) => key));
  const result: JsonValue[] = [];
  for (const [index, item] of theirs.entries()) {
    // Ours that stand before the next shared item go first; shared ones that come later in theirs wait for their turn.
    const nextShared = theirs.slice(index).find(({ key }) => known.has(key));
    const stop = nextShared ? ours.findIndex(({ key }) => key === nextShared.key) : ours.length;
    for (const { key, value } of ours.splice(0, Math.max(0, stop))) if (!wanted.has(key)) result.push(value);
    if (ours[0]?.key === item.key) ours.shift();
    result.push(merge(known.get(item.key), item.value, schema.items));
  }
  for (const { key, value } of ours) if (!wanted.has(key)) result.push(value);
  return result;
}
