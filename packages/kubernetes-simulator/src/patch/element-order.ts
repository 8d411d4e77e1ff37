import { isObject, type JsonValue, sameJson } from '../json.ts';

interface Merged {
  readonly merged: readonly JsonValue[];
  /** The order that the patch asks for, as items or bare merge keys. */
  readonly wanted: readonly JsonValue[];
  /** The list as it was on the server. */
  readonly server: readonly JsonValue[];
  readonly mergeKey: string | undefined;
}

/**
 * Orders a merged list: items that the patch names follow its order, all others keep the server's, and where the two
 * meet, an item of the server's goes first only if it stood before the next named one.
 */
export function orderMerged({ merged, wanted, server, mergeKey }: Merged): readonly JsonValue[] {
  const rank = (list: readonly JsonValue[], item: JsonValue): number =>
    list.findIndex((other) => sameItem(other, item, mergeKey));
  const by = (list: readonly JsonValue[]) => (a: JsonValue, b: JsonValue) => rank(list, a) - rank(list, b);
  const named = merged.filter((item) => rank(wanted, item) >= 0).toSorted(by(wanted));
  const others = merged.filter((item) => rank(wanted, item) < 0).toSorted(by(server));
  const result: JsonValue[] = [];
  while (named.length > 0 || others.length > 0) {
    const [first] = named;
    const [other] = others;
    const serverFirst =
      first === undefined || (other !== undefined && isBefore(rank(server, other), rank(server, first)));
    const next = serverFirst ? others.shift() : named.shift();
    if (next !== undefined) result.push(next);
  }
  return result;
}

function isBefore(rank: number, other: number): boolean {
  return rank >= 0 && other >= 0 && rank < other;
}

function sameItem(left: JsonValue, right: JsonValue, mergeKey: string | undefined): boolean {
  if (mergeKey === undefined) return sameJson(left, right);
  return isObject(left) && isObject(right) && sameJson(left[mergeKey], right[mergeKey]);
}
