import type { Reader } from '../decode.ts';
import { kind, optional } from './kind.ts';
import type { KubernetesObject } from './metadata.ts';

export interface ServicePort {
  readonly name: string;
  readonly protocol: string;
  readonly port: number;
  /** 0 when none is allocated. */
  readonly nodePort: number;
  readonly targetPort: number | string;
  readonly appProtocol: string;
}

export interface PortStatus {
  readonly port: number;
  readonly protocol: string;
  readonly error?: string;
}

export interface LoadBalancerIngress {
  readonly ip?: string;
  readonly hostname?: string;
  readonly ipMode?: string;
  readonly ports?: readonly PortStatus[];
}

/** As `metav1.Condition`: one per type. */
export interface Condition {
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** A CamelCase word. */
  readonly reason: string;
  readonly message: string;
  /** RFC 3339: when `status` changed last. */
  readonly lastTransitionTime: string;
}

/** The fields of a Service that the controllers read. */
export interface Service extends KubernetesObject {
  readonly spec: {
    readonly type: string;
    readonly ports: readonly ServicePort[];
    /** Undefined when unset; an empty string is a class. */
    readonly loadBalancerClass?: string;
    readonly loadBalancerIP: string;
    /** Undefined when unset: unset and empty count as different. */
    readonly loadBalancerSourceRanges?: readonly string[];
    readonly allocateLoadBalancerNodePorts: boolean;
    readonly externalIPs: readonly string[];
    readonly clusterIPs: readonly string[];
    readonly sessionAffinity: string;
    /** `sessionAffinityConfig.clientIP.timeoutSeconds`. */
    readonly clientIPTimeoutSeconds?: number;
    readonly externalTrafficPolicy: string;
    /** 0 when none is allocated. */
    readonly healthCheckNodePort: number;
    readonly ipFamilies: readonly string[];
    readonly ipFamilyPolicy: string;
  };
  readonly status: {
    readonly loadBalancer: { readonly ingress: readonly LoadBalancerIngress[] };
    readonly conditions: readonly Condition[];
  };
}

export const SERVICES = kind<Service>(
  { apiVersion: 'v1', kind: 'Service', plural: 'services', namespaced: true },
  (service, metadata) => ({
    metadata,
    spec: readSpec(service.object('spec')),
    status: readStatus(service.object('status')),
  }),
);

function readStatus(status: Reader): Service['status'] {
  return {
    loadBalancer: { ingress: status.object('loadBalancer').list('ingress', readIngress) },
    conditions: status.list('conditions', readCondition),
  };
}

function readCondition(condition: Reader): Condition {
  return {
    type: condition.string('type'),
    status: condition.string('status'),
    reason: condition.string('reason'),
    message: condition.string('message'),
    lastTransitionTime: condition.string('lastTransitionTime'),
  };
}

function readSpec(spec: Reader): Service['spec'] {
  return {
    type: spec.string('type'),
    ports: spec.list('ports', readPort),
    ...optional('loadBalancerClass', spec.optionalString('loadBalancerClass')),
    loadBalancerIP: spec.string('loadBalancerIP'),
    ...(spec.has('loadBalancerSourceRanges') && { loadBalancerSourceRanges: spec.strings('loadBalancerSourceRanges') }),
    allocateLoadBalancerNodePorts: spec.boolean('allocateLoadBalancerNodePorts', true),
    externalIPs: spec.strings('externalIPs'),
    clusterIPs: spec.strings('clusterIPs'),
    sessionAffinity: spec.string('sessionAffinity'),
    ...optional('clientIPTimeoutSeconds', affinityTimeout(spec)),
    externalTrafficPolicy: spec.string('externalTrafficPolicy'),
    healthCheckNodePort: spec.number('healthCheckNodePort'),
    ipFamilies: spec.strings('ipFamilies'),
    ipFamilyPolicy: spec.string('ipFamilyPolicy'),
  };
}

function affinityTimeout(spec: Reader): number | undefined {
  return spec.object('sessionAffinityConfig').object('clientIP').optionalNumber('timeoutSeconds');
}

function readPort(port: Reader): ServicePort {
  return {
    name: port.string('name'),
    protocol: port.string('protocol'),
    port: port.number('port'),
    nodePort: port.number('nodePort'),
    targetPort: port.numberOrString('targetPort'),
    appProtocol: port.string('appProtocol'),
  };
}

function readIngress(ingress: Reader): LoadBalancerIngress {
  return {
    ...optional('ip', ingress.optionalString('ip')),
    ...optional('hostname', ingress.optionalString('hostname')),
    ...optional('ipMode', ingress.optionalString('ipMode')),
    ...(ingress.has('ports') && { ports: ingress.list('ports', readPortStatus) }),
  };
}

function readPortStatus(port: Reader): PortStatus {
  return {
    port: port.number('port'),
    protocol: port.string('protocol'),
    ...optional('error', port.optionalString('error')),
  };
}
