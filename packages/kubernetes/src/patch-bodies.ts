import type { NodeAddress, Taint } from './objects/node.ts';
import type { Condition, LoadBalancerIngress } from './objects/service.ts';
import { mergePatch, type Patch, strategicPatch } from './patch.ts';

/**
 * Takes the list of finalizers from `before` to `after` without touching those that others add meanwhile. That is
 * also why the last one is taken out by name: client-go's `null` would wipe theirs too.
 * @returns undefined if nothing changes.
 */
export function finalizersPatch(before: readonly string[], after: readonly string[]): Patch | undefined {
  const added = after.filter((finalizer) => !before.includes(finalizer));
  const removed = before.filter((finalizer) => !after.includes(finalizer));
  if (added.length + removed.length === 0) return undefined;
  return strategicPatch({
    metadata: {
      ...(removed.length > 0 && { '$deleteFromPrimitiveList/finalizers': removed }),
      ...(before.length > 0 && after.length > 0 && { '$setElementOrder/finalizers': after }),
      ...(added.length > 0 && { finalizers: added }),
    },
  });
}

export interface ServiceStatusChange {
  /** All of `status.loadBalancer.ingress`; undefined leaves it. */
  readonly ingress?: readonly LoadBalancerIngress[] | undefined;
  /** Conditions that are new or different; others, of whomever, stay. */
  readonly conditions?: readonly Condition[] | undefined;
  /** Types of conditions that go. */
  readonly removed?: readonly string[] | undefined;
}

/** Changes a Service's status. For the status subresource. */
export function serviceStatusPatch({ ingress, conditions = [], removed = [] }: ServiceStatusChange): Patch {
  const items = [...conditions, ...removed.map((type) => ({ $patch: 'delete', type }))];
  return strategicPatch({
    status: {
      ...(ingress && { loadBalancer: { ingress: ingress.length > 0 ? ingress : null } }),
      ...(items.length > 0 && { conditions: items }),
    },
  });
}

/** Replaces `status.addresses` as a whole: merged by their key, two addresses of one type would become one. */
export function addressesPatch(addresses: readonly NodeAddress[]): Patch {
  return strategicPatch({ status: { addresses: [...addresses, { $patch: 'replace' }] } });
}

/** Sets these labels and leaves all others alone; null removes. */
export function labelsPatch(labels: Readonly<Record<string, string | null>>): Patch {
  return mergePatch({ metadata: { labels } });
}

/** Sets these annotations and leaves all others alone; null removes. */
export function annotationsPatch(annotations: Readonly<Record<string, string | null>>): Patch {
  return mergePatch({ metadata: { annotations } });
}

/**
 * Replaces `spec.taints` as a whole, as they are an atomic list.
 * @param resourceVersion of the node that the list was read from: a conflict (409) tells that it has changed since.
 */
export function taintsPatch(resourceVersion: string, taints: readonly Taint[]): Patch {
  return mergePatch({ metadata: { resourceVersion }, spec: { taints: taints.length > 0 ? taints : null } });
}
