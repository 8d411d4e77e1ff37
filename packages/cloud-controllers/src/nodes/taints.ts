import type { Taint } from '@cloudstack-ccm/kubernetes';

type TaintId = Pick<Taint, 'key' | 'effect'>;

/** Two taints are the same when key and effect are; the value does not count. */
export function hasTaint(taints: readonly Taint[], wanted: TaintId): boolean {
  return taints.some((taint) => matches(taint, wanted));
}

export function hasTaintKey(taints: readonly Taint[], key: string): boolean {
  return taints.some((taint) => taint.key === key);
}

/** The list with the taint: replaced in place where it stands with another value, else at the end. */
export function withTaint(taints: readonly Taint[], added: Taint): readonly Taint[] {
  if (!hasTaint(taints, added)) return [...taints, added];
  return taints.map((taint) => (matches(taint, added) ? added : taint));
}

export function withoutTaint(taints: readonly Taint[], removed: TaintId): readonly Taint[] {
  return taints.filter((taint) => !matches(taint, removed));
}

function matches(taint: TaintId, other: TaintId): boolean {
  return taint.key === other.key && taint.effect === other.effect;
}
