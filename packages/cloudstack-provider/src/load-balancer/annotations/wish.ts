import { parseCidr, parseIp } from '@cloudstack-ccm/base';
import type { ServicePort, ServiceView } from '@cloudstack-ccm/cloud-controllers';
import { isSelected, type PortSelection } from './annotation-values.ts';
import { ANNOTATIONS, nameOf, readAnnotations, type Settings } from './annotations.ts';
import type { Problem } from './problem.ts';
import type { Algorithm, RuleProtocol, Transport } from '../plan/protocol.ts';
import { needsHttp, readStickiness, type Stickiness } from './stickiness.ts';

/** What a Service asks for, read and checked as far as that is possible without looking at the cloud. */
export interface Wish {
  readonly ports: readonly WishedPort[];
  readonly algorithm: Algorithm;
  /** From the annotation: the list of the rules. Undefined when absent. */
  readonly sourceCidrs: readonly string[] | undefined;
  /** From `spec.loadBalancerSourceRanges`. Undefined when empty. */
  readonly sourceRanges: readonly string[] | undefined;
  readonly stickiness: Stickiness | undefined;
  readonly requestedAddress: RequestedAddress | undefined;
  readonly settings: Settings;
}

export interface WishedPort {
  readonly protocol: RuleProtocol;
  readonly transport: Transport;
  readonly publicPort: number;
  /** The node port. */
  readonly privatePort: number;
  /** True if plain HTTP is spoken, as far as the Service says. */
  readonly http: boolean;
}

export interface RequestedAddress {
  readonly address: string;
  /** Where it is written. */
  readonly field: string;
}

export interface ReadWish {
  /** Undefined when there are problems. */
  readonly wish: Wish | undefined;
  readonly problems: readonly Problem[];
  /** What does not stand in the way, but will surprise its author. */
  readonly warnings: readonly Problem[];
}

export function readWish(service: ServiceView): ReadWish {
  const { settings, problems: annotationProblems, warnings } = readAnnotations(service.annotations);
  const sticky = readStickiness(settings.stickinessMethod, settings.stickinessParameters);
  const problems = [
    ...portProblems(service),
    ...affinityProblems(service),
    ...rangeProblems(service),
    ...addressProblems(service),
    ...familyProblems(service),
    ...annotationProblems,
    ...selectionProblems(service, settings.proxyProtocol),
    ...sticky.problems,
    ...stickyPortProblems(service, sticky.stickiness),
  ];
  if (problems.length > 0) return { wish: undefined, problems, warnings };
  const { loadBalancerSourceRanges: ranges, sessionAffinity } = service;
  const wish = {
    ports: service.ports.map((port) => wishedPort(port, settings.proxyProtocol)),
    algorithm: settings.algorithm ?? (sessionAffinity === 'ClientIP' ? 'source' : 'roundrobin'),
    sourceCidrs: settings.sourceCidrs,
    sourceRanges: ranges.length > 0 ? ranges.map((range) => parseCidr(range.trim())?.text ?? range) : undefined,
    stickiness: sticky.stickiness,
    requestedAddress: requestedAddress(service, settings),
    settings,
  } as const;
  return { wish, problems, warnings };
}

/** The annotation wins over the field of the spec. */
export function requestedAddress(
  service: Pick<ServiceView, 'loadBalancerIp'>,
  settings: Settings,
): RequestedAddress | undefined {
  if (settings.address !== undefined) return { address: settings.address, field: nameOf(ANNOTATIONS.address) };
  if (service.loadBalancerIp === '') return undefined;
  return { address: service.loadBalancerIp, field: 'spec.loadBalancerIP' };
}

function wishedPort(port: ServicePort, proxyProtocol: PortSelection): WishedPort {
  const transport = port.protocol === 'UDP' ? 'udp' : 'tcp';
  const proxied = transport === 'tcp' && isSelected(proxyProtocol, port.port);
  return {
    protocol: proxied ? 'tcp-proxy' : transport,
    transport,
    publicPort: port.port,
    privatePort: port.nodePort,
    http: port.appProtocol.toLowerCase() === 'http',
  };
}

function portProblems({ ports }: ServiceView): readonly Problem[] {
  if (ports.length === 0) return [{ field: 'spec.ports', message: 'requested load balancer with no ports' }];
  return ports.flatMap((port) => {
    if (port.protocol !== 'TCP' && port.protocol !== 'UDP') {
      const message = `unsupported load balancer protocol: ${port.protocol}, asked for by port ${port.port}`;
      return [{ field: 'spec.ports.protocol', message }];
    }
    if (port.nodePort !== 0) return [];
    const message = `port ${port.port} has no node port: leave spec.allocateLoadBalancerNodePorts at true`;
    return [{ field: 'spec.ports.nodePort', message }];
  });
}

function affinityProblems({ sessionAffinity }: ServiceView): readonly Problem[] {
  if (['', 'None', 'ClientIP'].includes(sessionAffinity)) return [];
  const message = `unsupported load balancer affinity: ${sessionAffinity}; spec.sessionAffinity is None or ClientIP`;
  return [{ field: 'spec.sessionAffinity', message }];
}

function rangeProblems({ loadBalancerSourceRanges: ranges }: ServiceView): readonly Problem[] {
  const field = 'spec.loadBalancerSourceRanges';
  return ranges
    .filter((range) => !parseCidr(range.trim()))
    .map((range) => ({ field, message: `invalid CIDR "${range}" in ${field}` }));
}

function addressProblems({ loadBalancerIp }: ServiceView): readonly Problem[] {
  if (loadBalancerIp === '' || parseIp(loadBalancerIp)?.family === 4) return [];
  const message = `could not find IP address ${loadBalancerIp}: spec.loadBalancerIP is no IPv4 address`;
  return [{ field: 'spec.loadBalancerIP', message }];
}

/** CloudStack's public addresses are IPv4 only. */
function familyProblems({ ipFamilies }: ServiceView): readonly Problem[] {
  if (ipFamilies.length === 0 || ipFamilies.includes('IPv4')) return [];
  const message = 'CloudStack has no IPv6 load balancer addresses: add IPv4 to spec.ipFamilies';
  return [{ field: 'spec.ipFamilies', message }];
}

function selectionProblems({ ports }: ServiceView, selection: PortSelection): readonly Problem[] {
  if (selection === 'all' || selection === 'none') return [];
  const tcp = new Set(ports.filter((port) => port.protocol === 'TCP').map((port) => port.port));
  const field = nameOf(ANNOTATIONS.proxyProtocol);
  return [...selection]
    .filter((port) => !tcp.has(port))
    .map((port) => ({ field, message: `annotation ${field}: ${port} is no TCP port of the Service` }));
}

function stickyPortProblems({ ports }: ServiceView, stickiness: Stickiness | undefined): readonly Problem[] {
  if (!stickiness || !needsHttp(stickiness.method)) return [];
  if (ports.some((port) => port.protocol === 'TCP' && port.appProtocol.toLowerCase() === 'http')) return [];
  const message = `stickiness method ${stickiness.method} only works on plain HTTP ports: set appProtocol: http on them`;
  return [{ field: nameOf(ANNOTATIONS.stickinessMethod), message }];
}
