import type { Row } from './table.ts';

/** A row that belongs to an account. A project owns through its own pseudo account. */
export interface Owned {
  readonly accountId: string;
}

export interface Domain extends Row {
  readonly name: string;
  /** From the root down, for example `ROOT/tenants`. */
  readonly path: string;
  readonly parentId?: string;
  /** Name appended to machine names in networks of the domain. */
  readonly networkDomain?: string;
}

export type RoleType = 'Admin' | 'ResourceAdmin' | 'DomainAdmin' | 'User';

export interface Role extends Row {
  readonly name: string;
  readonly type: RoleType;
  readonly description?: string;
  readonly isDefault: boolean;
  /** Asked in order before the defaults of the role's type; the first whose name (or `*` pattern) matches decides. */
  readonly rules: readonly RoleRule[];
}

export interface RoleRule {
  readonly id: string;
  readonly command: string;
  readonly allow: boolean;
}

export type AccountType = 'user' | 'admin' | 'domain-admin' | 'project';
export type AccountState = 'enabled' | 'disabled' | 'locked';

export interface Account extends Row {
  readonly name: string;
  readonly domainId: string;
  readonly type: AccountType;
  readonly roleId: string;
  readonly state: AccountState;
  readonly created: number;
}

export interface User extends Row, Owned {
  readonly username: string;
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string;
  readonly password?: string;
  readonly timezone?: string;
  readonly state: AccountState;
  readonly apiKey?: string;
  readonly secretKey?: string;
  readonly created: number;
}

/** `accountId` is the pseudo account that owns the project's things. */
export interface Project extends Row, Owned {
  readonly name: string;
  readonly displaytext: string;
  readonly domainId: string;
  readonly state: 'Active' | 'Disabled' | 'Suspended';
  readonly members: readonly ProjectMember[];
  readonly created: number;
}

export interface ProjectMember {
  readonly accountId: string;
  readonly role: 'Admin' | 'Regular';
}

export interface Zone extends Row {
  readonly name: string;
  readonly networkType: 'Basic' | 'Advanced';
  readonly securityGroupsEnabled: boolean;
  readonly allocationState: 'Enabled' | 'Disabled';
  readonly dns1: string;
  readonly internalDns1: string;
  readonly guestCidr: string;
  readonly zoneToken: string;
  readonly physicalNetworkId: string;
  /** The network that public addresses are in; it has no name and is never listed. */
  readonly publicNetworkId: string;
  readonly description?: string;
}

export interface Host extends Row {
  readonly name: string;
  readonly zoneId: string;
  readonly state: 'Up' | 'Down';
}

export interface ServiceOffering extends Row {
  readonly name: string;
  readonly displaytext: string;
  readonly cpuNumber: number;
  readonly cpuSpeed: number;
  /** In MB. */
  readonly memory: number;
  readonly created: number;
}

export interface Template extends Row {
  readonly name: string;
  readonly displaytext: string;
  readonly osTypeId: string;
  readonly osDisplayName: string;
  readonly passwordEnabled: boolean;
  readonly state: 'Active' | 'Inactive';
  readonly created: number;
}

/** One service of an offering: the providers that may serve it, first is used. */
export interface Service {
  readonly name: string;
  readonly providers: readonly string[];
}

export type GuestType = 'Isolated' | 'Shared' | 'L2';

export interface NetworkOffering extends Row {
  readonly name: string;
  readonly displaytext: string;
  readonly guestType: GuestType;
  readonly state: 'Enabled' | 'Disabled';
  readonly availability: 'Required' | 'Optional';
  readonly isDefault: boolean;
  readonly conserveMode: boolean;
  readonly forVpc: boolean;
  readonly specifyIpRanges: boolean;
  readonly specifyVlan: boolean;
  readonly egressDefaultPolicy: boolean;
  readonly services: readonly Service[];
  /** A routed network has no NAT and no load balancing. */
  readonly routed: boolean;
  readonly created: number;
}

export interface VpcOffering extends Row {
  readonly name: string;
  readonly displaytext: string;
  readonly isDefault: boolean;
  readonly state: 'Enabled' | 'Disabled';
  readonly services: readonly Service[];
  /** From 4.23: one address may serve several tiers. */
  readonly conserveMode: boolean;
  readonly created: number;
}

export type NetworkState = 'Allocated' | 'Setup' | 'Implementing' | 'Implemented' | 'Shutdown' | 'Destroy';

export interface Network extends Row, Owned {
  readonly name: string;
  readonly displaytext: string;
  readonly zoneId: string;
  readonly offeringId: string;
  readonly guestType: GuestType;
  readonly aclType: 'Account' | 'Domain';
  /** For networks of a domain: the domain whose accounts may use it. */
  readonly domainId?: string;
  readonly subdomainAccess?: boolean;
  readonly state: NetworkState;
  /** Absent in layer 2 networks. */
  readonly gateway?: string;
  readonly netmask?: string;
  readonly cidr?: string;
  readonly ip6Gateway?: string;
  readonly ip6Cidr?: string;
  readonly vlan?: number;
  readonly networkDomain: string;
  readonly vpcId?: string;
  readonly aclListId?: string;
  readonly restartRequired: boolean;
  readonly created: number;
  /** When it was removed. The row stays: "removed" and "never existed" are different answers. */
  readonly removed?: number;
}

export interface Vpc extends Row, Owned {
  readonly name: string;
  readonly displaytext: string;
  readonly zoneId: string;
  readonly cidr: string;
  readonly offeringId: string;
  readonly networkDomain: string;
  readonly state: 'Enabled' | 'Inactive';
  readonly restartRequired: boolean;
  readonly created: number;
  readonly removed?: number;
}

/** The virtual router of a network or of a VPC. It exists from the first machine start (VPC: from the creation) on. */
export interface Router extends Row, Owned {
  readonly name: string;
  readonly zoneId: string;
  /** Exactly one of the two. */
  readonly networkId?: string;
  readonly vpcId?: string;
  readonly state: 'Starting' | 'Running' | 'Stopped';
  readonly created: number;
}

export type VirtualMachineState =
  | 'Starting'
  | 'Running'
  | 'Stopping'
  | 'Stopped'
  | 'Destroyed'
  | 'Expunging'
  | 'Migrating'
  | 'Error'
  | 'Unknown'
  | 'Shutdown'
  | 'Restoring';

export interface SecondaryIp {
  readonly id: string;
  readonly address: string;
}

export interface Nic {
  readonly id: string;
  readonly networkId: string;
  readonly deviceId: number;
  readonly isDefault: boolean;
  readonly macAddress: string;
  /** Absent in layer 2 networks. */
  readonly ipAddress?: string;
  readonly ip6Address?: string;
  readonly secondaryIps: readonly SecondaryIp[];
}

export interface VirtualMachine extends Row, Owned {
  /** The host name. */
  readonly name: string;
  readonly displayname: string;
  readonly userId: string;
  readonly zoneId: string;
  readonly state: VirtualMachineState;
  readonly serviceOfferingId: string;
  readonly templateId: string;
  /** Ordered by device id. */
  readonly nics: readonly Nic[];
  readonly hostId?: string;
  /** The host it last ran on; set once it has run. */
  readonly lastHostId?: string;
  readonly group?: string;
  readonly keypair?: string;
  readonly userdata?: string;
  readonly details: Readonly<Record<string, string>>;
  readonly haEnabled: boolean;
  readonly created: number;
  readonly lastUpdated?: number;
  /** When it was destroyed: the clean-up expunges it some time later. */
  readonly destroyed?: number;
  /** When it was expunged. The row stays. */
  readonly removed?: number;
}

export type PublicIpState = 'Free' | 'Allocating' | 'Allocated' | 'Releasing' | 'Reserved';

/** A public address. It keeps its UUID through release and acquisition, whoever gets it. */
export interface PublicIp extends Row {
  readonly address: string;
  readonly zoneId: string;
  readonly state: PublicIpState;
  /** The owner; absent while Free. */
  readonly accountId?: string;
  readonly networkId?: string;
  readonly vpcId?: string;
  readonly isSourceNat: boolean;
  /** The machine behind it, if static NAT is on. */
  readonly staticNat?: StaticNat;
  readonly isPortable: boolean;
  /** Used by system machines: never given out. */
  readonly isSystem: boolean;
  /** Released, and kept for its former owner for a while. */
  readonly quarantine?: Quarantine;
  readonly allocated?: number;
}

export interface StaticNat {
  readonly virtualMachineId: string;
  readonly guestAddress: string;
}

export interface Quarantine {
  readonly formerAccountId: string;
  readonly until: number;
}

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

export interface AclList extends Row {
  readonly name: string;
  readonly description: string;
  /** Absent for the two default lists and for global ones. */
  readonly vpcId?: string;
  /** `default_allow` and `default_deny`, which nobody can change. */
  readonly isDefault: boolean;
}

export interface AclItem extends Row {
  readonly listId: string;
  /** As the caller spelt it. */
  readonly protocol: string;
  readonly startPort?: number;
  readonly endPort?: number;
  readonly cidrs: readonly string[];
  readonly icmpType?: number;
  readonly icmpCode?: number;
  readonly trafficType: 'Ingress' | 'Egress';
  readonly number: number;
  readonly action: 'Allow' | 'Deny';
  readonly reason?: string;
  readonly state: RuleState;
}

/** A tag. Those of a load balancer rule outlive it. */
export interface Tag extends Row, Owned {
  /** In canonical case, for example `PublicIpAddress`. */
  readonly resourceType: string;
  readonly resourceId: string;
  readonly key: string;
  readonly value: string;
  readonly customer?: string;
}

export interface Event extends Row, Owned {
  readonly type: string;
  readonly level: 'INFO' | 'WARN' | 'ERROR';
  readonly state: 'Created' | 'Scheduled' | 'Started' | 'Completed';
  readonly description: string;
  readonly userId: string;
  readonly created: number;
  readonly resourceId?: string;
  readonly resourceType?: string;
  readonly parentId?: string;
}

/** `accountId` is the caller's account. */
export interface Job extends Row, Owned {
  readonly userId: string;
  readonly command: string;
  /** The Java class that the answer names. */
  readonly commandClass: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly resultCode: number;
  /** What `jobresult` holds; absent while pending and when a restart cut the job. */
  readonly result?: unknown;
  readonly instanceType?: string;
  readonly instanceId?: string;
  /** The network or machine whose jobs run one at a time. */
  readonly queue?: string;
  readonly created: number;
  readonly completed?: number;
  /** True for a job that a management server restart cut. */
  readonly interrupted: boolean;
}
