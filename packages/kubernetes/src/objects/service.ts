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
  };
}
