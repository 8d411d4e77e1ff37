import type { SystemMachine } from '../src/entities/public-ip.ts';
import type { World } from '../src/scene/world.ts';
import type { Bindings } from './bindings.ts';

/** Wall time when the recording began. */
export const RECORDED_START = Date.UTC(2026, 10, 30, 22, 7, 0);

export interface SceneAccount {
  readonly caller: string;
  readonly name: string;
  readonly domain: 'ROOT' | 'ROOT/tenants' | 'ROOT/partners';
  readonly type: 'user' | 'domain-admin';
  readonly accountId: string;
  readonly userId: string;
}

/** The recorded callers, in the order of their internal ids. `admin` and `system` come with every installation. */
const ACCOUNTS: readonly SceneAccount[] = [
  {
    caller: 'user',
    name: 'k8s',
    domain: 'ROOT/tenants',
    type: 'user',
    accountId: '16a1ee93-1b42-4b52-97fe-5dbba24724bc',
    userId: 'c5624b74-0281-4414-9da2-83033b5db3ee',
  },
  {
    caller: 'other',
    name: 'other',
    domain: 'ROOT/tenants',
    type: 'user',
    accountId: '2dba96ce-014e-48e4-a093-a97dde8dcc88',
    userId: '27317927-0f99-4b27-8970-2d2ef081f1a2',
  },
  {
    caller: 'domadmin',
    name: 'tenants-admin',
    domain: 'ROOT/tenants',
    type: 'domain-admin',
    accountId: 'c9868d46-3d5e-4abb-a61a-51f1f9c65384',
    userId: '2aaeed80-d5c2-4e03-b403-e4036d50ad6e',
  },
  {
    caller: 'foreign',
    name: 'foreign',
    domain: 'ROOT/partners',
    type: 'user',
    accountId: 'a32a621f-a728-493a-91fc-ef690ed75cf8',
    userId: '44f71827-8b84-490b-83fb-c3fada1849ea',
  },
];

export const CUSTOM_ROLE_ACCOUNT = 'ccm';

/** The account behind a caller's name in the recordings. @throws if there is none. */
export function accountOf(caller: string): string {
  if (caller === 'admin' || caller === CUSTOM_ROLE_ACCOUNT) return caller;
  const account = ACCOUNTS.find((one) => one.caller === caller);
  if (!account) throw new Error(`The recordings have no caller ${caller}`);
  return account.name;
}

export const ZONE = 'b0159552-ebcf-4abb-9f17-fe2e0ec321f8';

/**
 * The installation before the first recorded call: one advanced zone with two clusters of two hosts, three domains, the
 * callers' accounts, and 111 public addresses, two of them in use by system machines.
 */
export function contractScene(world: World): void {
  const { state } = world.backend;
  world.domain({ id: 'd71f7d7c-1620-40aa-904f-b3da14940871', name: 'tenants' });
  world.domain({ id: 'c0e8b04b-a6d3-49fd-ab9a-f692de507aee', name: 'partners' });
  // CloudStack makes itself a third account.
  world.account({ name: 'baremetal-system-account' });
  for (const { accountId, ...account } of ACCOUNTS) world.account({ ...account, id: accountId });
  const zone = world.zone({ id: ZONE, name: 'zone-a', publicRange: ['203.0.113.10', '203.0.113.120'] });
  addHosts(world, zone.name);
  for (const [address, systemMachine] of Object.entries(SYSTEM_MACHINES)) useBySystem(world, address, systemMachine);
  addOfferings(world);
  state.settings = { ...state.settings, expungeDelaySeconds: 60, guestDomainSuffix: 'cs.example' };
}

/** Two clusters of two hosts; the zone brought the first one along. */
function addHosts(world: World, zone: string): void {
  const { hosts } = world.backend.state;
  const first = hosts.find(() => true);
  if (first) hosts.update(first.id, { name: AGENTS[0] });
  world.host({ name: AGENTS[1], zone });
  for (const name of AGENTS.slice(2)) world.host({ name, zone, cluster: 'cluster-1' });
}

const AGENTS = [
  'SimulatedAgent.1ef3c2fe-8cde-4049-9297-9f6f2c991712',
  'SimulatedAgent.399fd3f9-b379-470f-a301-7c7b08dab404',
  'SimulatedAgent.e4e74c49-798b-47ec-bbe2-5e4f7f0a20ea',
  'SimulatedAgent.ca21fd56-f5ff-4394-b9b9-4c5e7b12911e',
] as const;

const SYSTEM_MACHINES = {
  '203.0.113.10': { id: '5dc3a34d-db1c-4448-9d76-1c8f07a84634', name: 'v-1-VM', type: 'ConsoleProxy' },
  '203.0.113.11': { id: '2f67e316-5d71-4054-bb98-a66c2266e125', name: 's-2-VM', type: 'SecondaryStorageVm' },
} as const;

function useBySystem(world: World, address: string, systemMachine: SystemMachine): void {
  const { state, clock } = world.backend;
  const [row] = state.publicIps.by('address', address);
  const accountId = world.owner('system').id;
  const taken = { state: 'Allocated', accountId, isSystem: true, systemMachine, allocated: clock.now() } as const;
  if (row) state.publicIps.update(row.id, taken);
}

function addOfferings(world: World): void {
  const { state, clock } = world.backend;
  // The first pair was made twice.
  for (const ids of [
    ['bed0ede4-54a4-4218-a0c0-e6eec3373891', 'f30ee1fa-18ce-4eec-865f-f61674ef2b6b'],
    ['e4895136-074a-4ef4-ab8c-0ac563692522', '5029bb8a-4acd-4a2a-ba6b-4c52aff2f8b1'],
  ] as const) {
    const created = clock.now();
    const [large, small] = ids;
    const twoCores = { cpuNumber: 2, cpuSpeed: 1000, memory: 4096, created };
    state.serviceOfferings.add({ id: large, name: '2C-4G', displaytext: '2 cores 4 GB', ...twoCores });
    const oneCore = { cpuNumber: 1, cpuSpeed: 500, memory: 1024, created };
    state.serviceOfferings.add({ id: small, name: '1C-1G', displaytext: '1 core 1 GB', ...oneCore });
  }
  const tier = state.networkOfferings.find(({ name }) => name === 'DefaultIsolatedNetworkOfferingForVpcNetworks');
  if (!tier) throw new Error('The installation has no offering for VPC tiers');
  const services = TIER_IN_CONSERVE_MODE.split(' ').map((name) => ({ name, providers: ['VpcVirtualRouter'] }));
  const own = {
    name: 'VpcTierConserve',
    displaytext: 'conserve',
    conserveMode: true,
    isDefault: false,
    services,
  };
  // Not yet enabled: nobody sees it in lists until it is needed.
  state.networkOfferings.add({ ...tier, id: '41b89832-4cd3-4ff7-a714-e198ed65d53c', ...own, state: 'Disabled' });
}

const TIER_IN_CONSERVE_MODE = 'StaticNat Dns SourceNat Lb NetworkACL PortForwarding Dhcp UserData';

/** An account whose role may also read the management servers' metrics; it was made late. */
export function addCustomRoleAccount(state: World['backend']['state']): void {
  const [name, domain] = [CUSTOM_ROLE_ACCOUNT, state.domains.find(({ path }) => path === 'ROOT/tenants')];
  const rule = { id: 'a0000000-0000-4000-8000-000000000001', command: 'listManagementServersMetrics', allow: true };
  const role = { name, type: 'User', isDefault: false, rules: [rule] } as const;
  state.roles.add({ id: 'a0000000-0000-4000-8000-000000000002', ...role });
  const [accountId, userId] = ['c77d26c5-c6d1-4498-bf11-5c3e8d434667', '354477b2-3463-4957-a790-0034e086ffd5'];
  const common = { state: 'enabled', created: RECORDED_START } as const;
  const roleId = 'a0000000-0000-4000-8000-000000000002';
  state.accounts.add({ id: accountId, name, domainId: domain?.id ?? '', type: 'user', roleId, ...common });
  const person = { username: name, firstname: name, lastname: 'example', email: 'ccm@example.org' };
  state.users.add({ id: userId, accountId, ...person, apiKey: 'ccm-key', secretKey: 'ccm-secret', ...common });
}

/** Recorded ids of what comes with every installation, by table and name. */
const INSTALLED = {
  domains: { ROOT: '74a6b647-ed09-11f1-a637-000000000001' },
  accounts: { admin: '74a6e60f-ed09-11f1-a637-000000000001' },
  users: { admin: '74a71424-ed09-11f1-a637-000000000001' },
  templates: { 'CentOS 5.6 (64-bit) no GUI (Simulator)': 'a06d2ba3-ed09-11f1-a637-000000000001' },
  aclLists: {
    default_allow: '79153384-ed09-11f1-a637-000000000001',
    default_deny: '79150c9c-ed09-11f1-a637-000000000001',
  },
  networkOfferings: {
    DefaultSharedNetworkOffering: 'ffca5dae-c573-411d-96e8-97bcf8f457f9',
    DefaultIsolatedNetworkOfferingWithSourceNatService: '0c2630f4-54e8-4a27-8ed9-0ae32bfb2504',
    DefaultIsolatedNetworkOfferingForVpcNetworks: 'f83fe356-d362-4f2d-bad1-94152ae4f693',
    DefaultIsolatedNetworkOfferingForVpcNetworksNoLB: 'c6053b16-002b-43dd-bf59-dde312f7f9ff',
    DefaultL2NetworkOffering: '3a327cbc-55d5-4a49-aab6-b061294d49e2',
    DefaultNetworkOfferingforKubernetesService: 'cbc8b606-63ec-4920-9a35-31fd0afc5a0a',
  },
  vpcOfferings: { 'Default VPC offering': '73f3d3e5-94bd-450c-8651-9096e1a83c46' },
} as const;

/** The items of the two default lists have no names: what they say tells them apart. */
const INSTALLED_ACL_ITEMS = [
  ['79152cc8-ed09-11f1-a637-000000000001', 'Deny', 'Egress'],
  ['7915205e-ed09-11f1-a637-000000000001', 'Deny', 'Ingress'],
  ['791570d1-ed09-11f1-a637-000000000001', 'Allow', 'Egress'],
  ['79155c1b-ed09-11f1-a637-000000000001', 'Allow', 'Ingress'],
] as const;

/** Tells the bindings which rows of the installation the recordings mean. */
export function bindInstallation(state: World['backend']['state'], bindings: Bindings): void {
  for (const [table, ids] of Object.entries(INSTALLED)) {
    const rows = rowsOf(state, table);
    for (const [name, recorded] of Object.entries(ids)) {
      const row = rows.find((one) => (one.name ?? one.username) === name);
      if (!row) throw new Error(`The installation has no ${table} ${name}`);
      bindings.bind('id', recorded, row.id);
    }
  }
  for (const [recorded, action, direction] of INSTALLED_ACL_ITEMS) {
    const item = state.aclItems.find((one) => one.action === action && one.trafficType === direction);
    if (!item) throw new Error(`The installation has no item that says ${action} to ${direction}`);
    bindings.bind('id', recorded, item.id);
  }
  bindNeverTaken(state, bindings);
}

/** Nobody ever takes this address: lists of free ones, and errors, are all that shows it. */
const NEVER_TAKEN = ['f0f27486-2039-42e4-8075-e8537dba90fb', '203.0.113.100'] as const;

function bindNeverTaken(state: World['backend']['state'], bindings: Bindings): void {
  const [recorded, address] = NEVER_TAKEN;
  const [ip] = state.publicIps.by('address', address);
  if (!ip) throw new Error(`The installation has no address ${address}`);
  bindings.bind('id', recorded, ip.id);
}

interface NamedRow {
  readonly id: string;
  readonly name?: string;
  readonly username?: string;
}

function rowsOf(state: World['backend']['state'], table: string): NamedRow[] {
  const tables: Readonly<Record<string, { values(): Iterable<NamedRow> }>> = {
    domains: state.domains,
    accounts: state.accounts,
    users: state.users,
    templates: state.templates,
    aclLists: state.aclLists,
    networkOfferings: state.networkOfferings,
    vpcOfferings: state.vpcOfferings,
  };
  return [...(tables[table]?.values() ?? [])];
}
