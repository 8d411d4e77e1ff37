import { isDeepStrictEqual } from 'node:util';

import type { Service } from '@cloudstack-ccm/kubernetes';

/** Keeps a Service until its load balancer is gone. */
export const CLEANUP_FINALIZER = 'service.kubernetes.io/load-balancer-cleanup';

/** A load balancer of ours is wanted: a class, even an empty one, means that somebody else provides it. */
export function wantsLoadBalancer({ spec }: Service): boolean {
  return spec.type === 'LoadBalancer' && spec.loadBalancerClass === undefined;
}

export function hasCleanupFinalizer({ metadata }: Service): boolean {
  return metadata.finalizers.includes(CLEANUP_FINALIZER);
}

/** Something of ours is to go: the Service is being deleted, or is no load balancer any more. */
export function needsCleanup(service: Service): boolean {
  const ending = service.metadata.deletionTimestamp !== undefined || service.spec.type !== 'LoadBalancer';
  return hasCleanupFinalizer(service) && ending;
}

/** True if the change of a Service can change its load balancer. Labels, selector and status cannot. */
export function needsUpdate(before: Service, after: Service): boolean {
  const wanted = wantsLoadBalancer(before);
  const wants = wantsLoadBalancer(after);
  if (!wanted && !wants) return false;
  return wanted !== wants || !isDeepStrictEqual(relevant(before), relevant(after));
}

/** What of a Service bears on its load balancer. Lists count by order, unset and empty source ranges differ. */
function relevant({ metadata, spec }: Service): unknown {
  return {
    uid: metadata.uid,
    annotations: metadata.annotations,
    sourceRanges: spec.loadBalancerSourceRanges,
    ports: spec.ports,
    sessionAffinity: spec.sessionAffinity,
    clientIpTimeout: spec.clientIPTimeoutSeconds,
    loadBalancerIp: spec.loadBalancerIP,
    externalIps: spec.externalIPs,
    externalTrafficPolicy: spec.externalTrafficPolicy,
    healthCheckNodePort: spec.healthCheckNodePort,
    ipFamilies: spec.ipFamilies.length,
  };
}
