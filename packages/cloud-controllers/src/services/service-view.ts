import type {
  LoadBalancerIngress as StatusIngress,
  Service,
  ServicePort as SpecPort,
} from '@cloudstack-ccm/kubernetes';

import type { LoadBalancerIngress, ReadyNodes, ServicePort, ServiceProtocol, ServiceView } from '../cloud.ts';

/** A Service as the cloud is told of it. */
export function serviceView({ metadata, spec, status }: Service, readyNodes?: ReadyNodes): ServiceView {
  return {
    namespace: metadata.namespace,
    name: metadata.name,
    uid: metadata.uid,
    annotations: metadata.annotations,
    ports: spec.ports.map(portView),
    sessionAffinity: spec.sessionAffinity,
    loadBalancerIp: spec.loadBalancerIP,
    loadBalancerSourceRanges: spec.loadBalancerSourceRanges ?? [],
    externalTrafficPolicy: spec.externalTrafficPolicy,
    ipFamilies: spec.ipFamilies,
    ...(readyNodes && { readyNodes }),
    ingress: status.loadBalancer.ingress.map(ingressView),
  };
}

function portView({ name, protocol, port, nodePort, appProtocol }: SpecPort): ServicePort {
  return { name, protocol: protocolOf(protocol), port, nodePort, appProtocol };
}

function protocolOf(protocol: string): ServiceProtocol {
  return protocol === 'UDP' || protocol === 'SCTP' ? protocol : 'TCP';
}

function ingressView({ ip, hostname, ipMode }: StatusIngress): LoadBalancerIngress {
  return {
    ...(ip !== undefined && { ip }),
    ...(hostname !== undefined && { hostname }),
    ...((ipMode === 'VIP' || ipMode === 'Proxy') && { ipMode }),
  };
}
