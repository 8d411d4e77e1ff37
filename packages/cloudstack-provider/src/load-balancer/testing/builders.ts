import type {
  FirewallRule,
  LoadBalancerRule,
  Network,
  NetworkAclItem,
  PublicIp,
} from '@cloudstack-ccm/cloudstack-client';
import type { ServiceView } from '@cloudstack-ccm/cloud-controllers';
import type { Circumstances } from '../plan/circumstances.ts';
import { desire, type Desire } from '../plan/desired.ts';
import type { Member, WantedMembers } from '../members/members.ts';
import type { NetworkFacts } from '../plan/network-facts.ts';
import { observe, type Observed, type Snapshot } from '../plan/observed.ts';
import { serverFeatures } from '../plan/server-features.ts';
import { readWish } from '../annotations/wish.ts';
import { LB, UID, view } from './service.ts';

export const OWNER = { clusterUid: 'cluster-1', serviceUid: UID, serviceName: 'default/web' };
export const ADDRESS = { id: 'ip-20', ipAddress: '203.0.113.20' };
export const MEMBERS: readonly Member[] = ['1', '2', '3'].map((n) => ({ machineId: `vm-${n}`, name: `node-${n}` }));

const UNOWNED = { account: 'k8s', domainId: 'd', projectId: undefined };

export function network(changes: Partial<NetworkFacts> = {}): NetworkFacts {
  return {
    id: 'net-iso',
    name: 'net-iso',
    zoneId: 'zone-a',
    offering: 'DefaultIsolated',
    vpcId: undefined,
    hasLoadBalancing: true,
    providers: ['VirtualRouter'],
    virtualRouter: true,
    access: 'firewall',
    aclId: undefined,
    aclName: undefined,
    stickinessMethods: [],
    ...changes,
  };
}

export function tier(changes: Partial<NetworkFacts> = {}): NetworkFacts {
  return network({
    id: 'net-tier',
    name: 'net-tier',
    vpcId: 'vpc-1',
    providers: ['VpcVirtualRouter'],
    access: 'network-acl',
    aclId: 'acl-1',
    aclName: 'acl-custom',
    ...changes,
  });
}

export function rule(changes: Partial<LoadBalancerRule> = {}): LoadBalancerRule {
  return {
    id: `rule-${changes.publicPort ?? 80}`,
    name: `${LB}-tcp-${changes.publicPort ?? 80}`,
    description: '',
    publicIpId: ADDRESS.id,
    publicIp: ADDRESS.ipAddress,
    publicPort: 80,
    privatePort: 31_080,
    algorithm: 'roundrobin',
    protocol: 'tcp',
    networkId: 'net-iso',
    sourceCidrs: ['0.0.0.0/0'],
    state: 'Active',
    zoneId: 'zone-a',
    tags: [],
    ...UNOWNED,
    ...changes,
  };
}

export function firewallRule(changes: Partial<FirewallRule> = {}): FirewallRule {
  const port = changes.startPort ?? 80;
  return {
    id: `fw-${port}`,
    protocol: 'tcp',
    startPort: port,
    endPort: port,
    ipAddressId: ADDRESS.id,
    ipAddress: ADDRESS.ipAddress,
    networkId: 'net-iso',
    vpcId: undefined,
    state: 'Active',
    sourceCidrs: ['0.0.0.0/0'],
    icmpType: undefined,
    icmpCode: undefined,
    tags: [],
    ...changes,
  };
}

export function aclItem(changes: Partial<NetworkAclItem> = {}): NetworkAclItem {
  const port = changes.startPort ?? 80;
  return {
    id: `item-${changes.number ?? 1}`,
    protocol: 'tcp',
    startPort: port,
    endPort: port,
    trafficType: 'Ingress',
    action: 'Allow',
    number: 1,
    sourceCidrs: ['0.0.0.0/0'],
    aclId: 'acl-1',
    aclName: 'acl-custom',
    reason: '',
    state: 'Active',
    icmpType: undefined,
    icmpCode: undefined,
    tags: [],
    ...changes,
  };
}

export function publicIp(changes: Partial<PublicIp> = {}): PublicIp {
  return {
    ...ADDRESS,
    state: 'Allocated',
    allocated: '2026-11-30T22:20:31+0000',
    zoneId: 'zone-a',
    associatedNetworkId: 'net-iso',
    associatedNetworkName: 'net-iso',
    vpcId: undefined,
    publicNetworkId: 'public',
    isSourceNat: false,
    isStaticNat: false,
    isSystem: false,
    isPortable: false,
    forVirtualNetwork: true,
    virtualMachineId: undefined,
    hasRules: false,
    tags: [],
    pendingJobId: undefined,
    ...UNOWNED,
    ...changes,
  };
}

export function apiNetwork(changes: Partial<Network> = {}): Network {
  return {
    id: 'net-iso',
    name: 'net-iso',
    zoneId: 'zone-a',
    zoneName: 'zone-a',
    type: 'Isolated',
    state: 'Implemented',
    cidr: '10.1.1.0/24',
    ip6Cidr: undefined,
    vpcId: undefined,
    aclId: undefined,
    aclName: undefined,
    networkOfferingName: 'DefaultIsolated',
    networkOfferingConserveMode: true,
    services: new Map(),
    tags: [],
    ...UNOWNED,
    ...changes,
  };
}

export function members(...present: readonly Member[]): WantedMembers {
  const addresses = new Map<string, never>();
  const nodes = new Map((present.length > 0 ? present : MEMBERS).map(({ machineId, name }) => [machineId, name]));
  return { nodes, addresses, doubtful: { ids: new Set(), names: new Set() }, skipped: [], pending: [] };
}

/** What is desired for a Service, in an isolated network on CloudStack 4.22 unless told otherwise. */
export function desireFor(
  service: Partial<ServiceView>,
  facts: { readonly network?: NetworkFacts; readonly version?: string; readonly members?: WantedMembers } = {},
): Desire {
  const { wish, problems } = readWish(view(service));
  if (!wish) throw new Error(problems.map((problem) => problem.message).join());
  const features = serverFeatures(facts.version ?? '4.22.1.0');
  return desire({
    loadBalancer: LB,
    wish,
    network: facts.network ?? network(),
    features,
    members: facts.members ?? members(),
  });
}

export function desired(...input: Parameters<typeof desireFor>): NonNullable<Desire['desired']> {
  const { desired: wanted, problems } = desireFor(...input);
  if (!wanted) throw new Error(problems.map((problem) => problem.message).join());
  return wanted;
}

/** What was read; the members of every rule are node-1 to node-3 unless told otherwise. */
export function observed(snapshot: Partial<Snapshot> = {}): Observed {
  const rules = snapshot.rules ?? [];
  return observe({
    rules,
    members: new Map(rules.map(({ id }) => [id, MEMBERS])),
    policies: new Map(),
    firewallRules: [],
    aclItems: [],
    ...snapshot,
  });
}

export function circumstances(changes: Partial<Circumstances> & { readonly version?: string } = {}): Circumstances {
  const { version = '4.22.1.0', ...others } = changes;
  return {
    owner: OWNER,
    features: serverFeatures(version),
    address: ADDRESS,
    aclList: undefined,
    expectedCidrs: ['0.0.0.0/0'],
    adopting: false,
    inheritedRanges: undefined,
    marks: true,
    notedOpenings: { ours: new Set(), made: new Set(), foreign: new Set(), takenAddresses: new Set() },
    accessRules: 'all',
    ...others,
  };
}
