import type { State } from './state.ts';
import type { Row, Table } from './table.ts';

/** The kinds of things that a parameter can name by id. */
export type EntityKind =
  | 'account'
  | 'acl-item'
  | 'acl-list'
  | 'domain'
  | 'egress-rule'
  | 'event'
  | 'firewall-rule'
  | 'health-check-policy'
  | 'host'
  | 'job'
  | 'load-balancer-rule'
  | 'network'
  | 'network-offering'
  | 'nic'
  | 'physical-network'
  | 'port-forwarding-rule'
  | 'project'
  | 'public-ip'
  | 'any-network'
  | 'role'
  | 'router'
  | 'secondary-ip'
  | 'service-offering'
  | 'ssl-certificate'
  | 'stickiness-policy'
  | 'template'
  | 'user'
  | 'virtual-machine'
  | 'vpc'
  | 'vpc-offering'
  | 'zone';

type AnyTable = Pick<Table<Row>, 'get' | 'byInternalId'>;

function table(state: State, kind: EntityKind): AnyTable | undefined {
  switch (kind) {
    case 'account':
      return state.accounts;
    case 'acl-item':
      return state.aclItems;
    case 'acl-list':
      return state.aclLists;
    case 'domain':
      return state.domains;
    case 'egress-rule':
      return state.egressRules;
    case 'event':
      return state.events;
    case 'firewall-rule':
      return state.firewallRules;
    case 'health-check-policy':
      return state.healthCheckPolicies;
    case 'host':
      return state.hosts;
    case 'job':
      return state.jobs;
    case 'load-balancer-rule':
      return state.loadBalancerRules;
    case 'network':
      return state.networks;
    case 'network-offering':
      return state.networkOfferings;
    case 'port-forwarding-rule':
      return state.portForwardingRules;
    case 'project':
      return state.projects;
    case 'public-ip':
      return state.publicIps;
    case 'role':
      return state.roles;
    case 'router':
      return state.routers;
    case 'service-offering':
      return state.serviceOfferings;
    case 'ssl-certificate':
      return state.sslCertificates;
    case 'stickiness-policy':
      return state.stickinessPolicies;
    case 'template':
      return state.templates;
    case 'user':
      return state.users;
    case 'virtual-machine':
      return state.virtualMachines;
    case 'vpc':
      return state.vpcs;
    case 'vpc-offering':
      return state.vpcOfferings;
    case 'zone':
      return state.zones;
    case 'nic':
    case 'secondary-ip':
    case 'physical-network':
    case 'any-network':
      return undefined;
  }
}

/**
 * The UUID of the row that a caller named, by UUID or by the internal id that old clients use; undefined if there has
 * never been one. Rows that are only marked as removed still count.
 */
export function resolveId(state: State, kind: EntityKind, value: string): string | undefined {
  const rows = table(state, kind);
  if (!rows) return resolveInner(state, kind, value);
  if (rows.get(value)) return value;
  return /^\d+$/.test(value) ? rows.byInternalId(Number(value))?.id : undefined;
}

/** Things that have no table of their own. */
function resolveInner(state: State, kind: EntityKind, value: string): string | undefined {
  if (kind === 'physical-network') return state.zones.find((zone) => zone.physicalNetworkId === value) && value;
  if (kind === 'any-network') {
    return state.zones.find((zone) => zone.publicNetworkId === value) ? value : resolveId(state, 'network', value);
  }
  const owner = state.virtualMachines.find((vm) =>
    vm.nics.some((nic) => (kind === 'nic' ? nic.id === value : nic.secondaryIps.some((ip) => ip.id === value))),
  );
  return owner && value;
}
