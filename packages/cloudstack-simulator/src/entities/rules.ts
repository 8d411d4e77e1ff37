import type { Row } from '../table.ts';
import type { Owned } from './identity.ts';

/** The API shows `Revoke` as `Deleting`. */
export type RuleState = 'Staged' | 'Add' | 'Active' | 'Revoke';

interface Rule extends Row, Owned {
  readonly publicIpId: string;
  readonly networkId: string;
  readonly state: RuleState;
  readonly created: number;
}

export interface LoadBalancerRule extends Rule {
  readonly name: string;
  readonly description?: string;
  readonly publicPort: number;
  readonly privatePort: number;
  /** Of an internal load balancer: an address of a tier, in place of a public one. Its `publicIpId` is empty. */
  readonly source?: { readonly address: string; readonly networkId: string };
  /** As the caller spelt it. */
  readonly algorithm: string;
  readonly protocol?: string;
  /** As stored: create joins with spaces, update with commas. */
  readonly cidrList?: string;
  readonly members: readonly Member[];
  readonly sslCertificateId?: string;
  /** An autoscale group that feeds the rule: members can't be changed by hand. */
  readonly autoscaleGroupId?: string;
}

export interface Member {
  readonly virtualMachineId: string;
  readonly address: string;
  /** Marked for removal: still listed, gone after the next apply that works. */
  readonly revoked: boolean;
}

export interface FirewallRule extends Rule {
  readonly direction: 'ingress';
  readonly protocol: string;
  readonly startPort?: number;
  readonly endPort?: number;
  readonly cidrs: readonly string[];
  readonly icmpType?: number;
  readonly icmpCode?: number;
  /** The load balancer or port forwarding rule that opened it, and takes it along when deleted. */
  readonly relatedRuleId?: string;
}

export interface EgressRule extends Row, Owned {
  readonly networkId: string;
  readonly state: RuleState;
  readonly protocol: string;
  readonly startPort?: number;
  readonly endPort?: number;
  readonly cidrs: readonly string[];
  readonly destinationCidrs: readonly string[];
  readonly icmpType?: number;
  readonly icmpCode?: number;
  readonly created: number;
}

export interface PortForwardingRule extends Rule {
  readonly protocol: string;
  readonly publicPort: number;
  readonly publicEndPort: number;
  readonly privatePort: number;
  readonly privateEndPort: number;
  readonly virtualMachineId: string;
  readonly guestAddress: string;
  readonly cidrs: readonly string[];
}

/** An autoscale group, as far as the load balancer rule that it feeds is concerned. */
export interface AutoscaleGroup extends Row, Owned {
  readonly name: string;
  readonly loadBalancerRuleId: string;
  readonly minMembers: number;
  readonly maxMembers: number;
  /** Seconds. */
  readonly interval: number;
  readonly scaleUpPolicyIds: readonly string[];
  readonly scaleDownPolicyIds: readonly string[];
  readonly profileId: string;
  readonly state: 'ENABLED' | 'DISABLED';
  readonly created: number;
}

export interface StickinessPolicy extends Row {
  readonly loadBalancerRuleId: string;
  readonly name: string;
  readonly methodName: string;
  readonly description?: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly state: RuleState;
}

export interface HealthCheckPolicy extends Row {
  readonly loadBalancerRuleId: string;
  readonly pingPath: string;
  readonly description?: string;
  readonly responseTime: number;
  readonly interval: number;
  readonly healthyThreshold: number;
  readonly unhealthyThreshold: number;
  readonly state: RuleState;
}

export interface SslCertificate extends Row, Owned {
  readonly name: string;
  readonly certificate: string;
  readonly privateKey: string;
  readonly chain?: string;
  readonly fingerprint: string;
}
