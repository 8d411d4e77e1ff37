import type { NodeAddress, Taint } from './objects/node.ts';
import type { LoadBalancerIngress } from './objects/service.ts';
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

/** Replaces `status.loadBalancer.ingress` as a whole. For the status subresource. */
export function ingressPatch(ingress: readonly LoadBalancerIngress[]): Patch {
  return strategicPatch({ status: { loadBalancer: { ingress: ingress.length > 0 ? ingress : null } } });
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
