import type { State } from './state.ts';
import type { Row, Table } from './table.ts';

/** The kinds of things that a parameter can name by id. */
export type EntityKind =
  | 'account'
  | 'acl-item'
  | 'acl-list'
  | 'autoscale-group'
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
  | 'management-server'
  /** Kinds of which the simulator has none: no id of theirs is ever known. */
  | 'not-simulated'
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
  | 'vlan'
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
    case 'autoscale-group':
      return state.autoscaleGroups;
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
    case 'management-server':
    case 'not-simulated':
    case 'vlan':
      return undefined;
  }
}

/**
 * The UUID of the row that a caller named, by UUID or by the internal id that old clients use; undefined if there has
 * never been one. Rows that are only marked as removed still count.
 */
export function resolveId(state: State, kind: EntityKind, value: string): string | undefined {
  const rows = table(state, kind);
  if (!rows) return INNER[kind]?.(state, value);
  if (rows.get(value)) return value;
  return /^\d+$/.test(value) ? rows.byInternalId(Number(value))?.id : undefined;
}

/** The only management server there is. */
export const MANAGEMENT_SERVER_ID = '768e1a05-79d1-4d80-948f-6a83c17031da';

type Resolve = (state: State, value: string) => string | undefined;

/** Things that have no table of their own. */
const INNER: Partial<Readonly<Record<EntityKind, Resolve>>> = {
  'management-server': (_, value) => (value === MANAGEMENT_SERVER_ID ? value : undefined),
  'physical-network': (state, value) => state.zones.find((zone) => zone.physicalNetworkId === value) && value,
  vlan: (state, value) => state.zones.find((zone) => zone.publicVlan.id === value) && value,
  'any-network': (state, value) =>
    state.zones.find((zone) => zone.publicNetworkId === value) ? value : resolveId(state, 'network', value),
  nic: (state, value) => state.virtualMachines.find((vm) => vm.nics.some(({ id }) => id === value)) && value,
  'secondary-ip': (state, value) =>
    state.virtualMachines.find((vm) => vm.nics.some((nic) => nic.secondaryIps.some(({ id }) => id === value))) && value,
};
