import type { Account, Domain, Project, Role, User } from './entities/identity.ts';
import type { Host, NetworkOffering, ServiceOffering, Template, VpcOffering, Zone } from './entities/zone.ts';
import type { Network, Router, Vpc } from './entities/network.ts';
import type { VirtualMachine } from './entities/virtual-machine.ts';
import type { PublicIp } from './entities/public-ip.ts';
import type {
  AutoscaleGroup,
  EgressRule,
  FirewallRule,
  HealthCheckPolicy,
  LoadBalancerRule,
  PortForwardingRule,
  SslCertificate,
  StickinessPolicy,
} from './entities/rules.ts';
import type { AclItem, AclList } from './entities/network-acl.ts';
import type { Event, Job, Tag } from './entities/records.ts';
import { Sequence, Table, type Row, type TableSnapshot } from './table.ts';
import { defaultSettings, type Settings } from './settings.ts';

export type * from './entities/identity.ts';
export type * from './entities/zone.ts';
export type * from './entities/network.ts';
export type * from './entities/virtual-machine.ts';
export type * from './entities/public-ip.ts';
export type * from './entities/rules.ts';
export type * from './entities/network-acl.ts';
export type * from './entities/records.ts';

/** A remembered state. Rows are values, so it stays as it was. */
export interface StateSnapshot {
  readonly tables: Readonly<Record<string, TableSnapshot<Row>>>;
  readonly settings: Settings;
  readonly sharedSequence: number;
}

const one = (key: string | undefined): readonly string[] => (key === undefined ? [] : [key]);

interface AnyTable {
  snapshot(): TableSnapshot<Row>;
  restore(snapshot: TableSnapshot<Row>): void;
  update(id: string, change: Partial<Row>): Row | undefined;
}

/** Everything the management server knows: one table a kind of thing, and the global settings. */
export class State {
  /** Load balancer, firewall and port forwarding rules share one numbering. */
  readonly #rules = new Sequence();

  readonly domains = new Table<Domain>({});
  readonly roles = new Table<Role>({});
  readonly accounts = new Table<Account>({});
  readonly users = new Table<User, 'accountId' | 'apiKey'>({
    accountId: (row) => [row.accountId],
    apiKey: (row) => [...one(row.apiKey), ...(row.furtherKeys ?? []).map((pair) => pair.apiKey)],
  });
  readonly projects = new Table<Project, 'accountId'>({ accountId: (row) => [row.accountId] });
  readonly zones = new Table<Zone>({});
  readonly hosts = new Table<Host>({});
  readonly serviceOfferings = new Table<ServiceOffering>({});
  readonly templates = new Table<Template>({});
  readonly networkOfferings = new Table<NetworkOffering>({});
  readonly vpcOfferings = new Table<VpcOffering>({});
  readonly networks = new Table<Network, 'accountId' | 'vpcId' | 'aclListId'>({
    accountId: (row) => [row.accountId],
    vpcId: (row) => one(row.vpcId),
    aclListId: (row) => one(row.aclListId),
  });
  readonly vpcs = new Table<Vpc, 'accountId'>({ accountId: (row) => [row.accountId] });
  readonly routers = new Table<Router, 'home'>({ home: (row) => one(row.networkId ?? row.vpcId) });
  readonly virtualMachines = new Table<VirtualMachine, 'accountId' | 'networkId' | 'destroyed'>({
    accountId: (row) => [row.accountId],
    networkId: (row) => (row.removed === undefined ? row.nics.map((nic) => nic.networkId) : []),
    destroyed: (row) => (row.destroyed !== undefined && row.removed === undefined ? ['yes'] : []),
  });
  readonly publicIps = new Table<PublicIp, 'accountId' | 'networkId' | 'vpcId' | 'address' | 'virtualMachineId'>({
    accountId: (row) => one(row.accountId),
    networkId: (row) => one(row.networkId),
    vpcId: (row) => one(row.vpcId),
    address: (row) => [row.address],
    virtualMachineId: (row) => one(row.staticNat?.virtualMachineId),
  });
  readonly loadBalancerRules = new Table<
    LoadBalancerRule,
    'accountId' | 'publicIpId' | 'networkId' | 'sourceNetworkId' | 'virtualMachineId'
  >(
    {
      accountId: (row) => [row.accountId],
      publicIpId: (row) => (row.source ? [] : [row.publicIpId]),
      sourceNetworkId: (row) => one(row.source?.networkId),
      networkId: (row) => [row.networkId],
      virtualMachineId: (row) => row.members.map((member) => member.virtualMachineId),
    },
    this.#rules,
  );
  readonly firewallRules = new Table<FirewallRule, 'accountId' | 'publicIpId' | 'relatedRuleId'>(
    {
      accountId: (row) => [row.accountId],
      publicIpId: (row) => [row.publicIpId],
      relatedRuleId: (row) => one(row.relatedRuleId),
    },
    this.#rules,
  );
  readonly egressRules = new Table<EgressRule, 'networkId'>({ networkId: (row) => [row.networkId] }, this.#rules);
  readonly portForwardingRules = new Table<PortForwardingRule, 'accountId' | 'publicIpId' | 'virtualMachineId'>(
    {
      accountId: (row) => [row.accountId],
      publicIpId: (row) => [row.publicIpId],
      virtualMachineId: (row) => [row.virtualMachineId],
    },
    this.#rules,
  );
  readonly autoscaleGroups = new Table<AutoscaleGroup, 'accountId'>({ accountId: (row) => [row.accountId] });
  readonly stickinessPolicies = new Table<StickinessPolicy, 'ruleId'>({ ruleId: (row) => [row.loadBalancerRuleId] });
  readonly healthCheckPolicies = new Table<HealthCheckPolicy, 'ruleId'>({ ruleId: (row) => [row.loadBalancerRuleId] });
  readonly sslCertificates = new Table<SslCertificate>({});
  readonly aclLists = new Table<AclList, 'vpcId'>({ vpcId: (row) => one(row.vpcId) });
  readonly aclItems = new Table<AclItem, 'listId'>({ listId: (row) => [row.listId] });
  readonly tags = new Table<Tag, 'resourceId'>({ resourceId: (row) => [row.resourceId] });
  readonly events = new Table<Event, 'accountId'>({ accountId: (row) => [row.accountId] });
  readonly jobs = new Table<Job, 'pendingFor'>({
    pendingFor: (row) => (row.status === 'pending' ? one(row.instanceId) : []),
  });

  settings: Settings = defaultSettings;

  snapshot(): StateSnapshot {
    const tables = Object.fromEntries(Object.entries(this.#tables()).map(([name, table]) => [name, table.snapshot()]));
    return { tables, settings: this.settings, sharedSequence: this.#rules.next };
  }

  restore(snapshot: StateSnapshot): void {
    const empty = { rows: [], nextInternalId: 1 };
    for (const [name, table] of Object.entries(this.#tables())) table.restore(snapshot.tables[name] ?? empty);
    this.#rules.next = snapshot.sharedSequence;
    this.settings = snapshot.settings;
  }

  /** Shows a row in ordinary accounts' lists, or keeps it from them. */
  setDisplay(id: string, display: boolean): void {
    for (const table of Object.values(this.#tables())) table.update(id, { display });
  }

  /** The table that holds a row with this id. */
  tableOf(id: string): Table<Row> | undefined {
    // Each table holds more than Row says, and whoever asks by id alone gets back what he puts in.
    const tables = Object.values(this).filter((value): value is Table<Row> => value instanceof Table);
    return tables.find((table) => table.get(id) !== undefined);
  }

  /** Every field that is a table, so that none can be forgotten. */
  #tables(): Record<string, AnyTable> {
    return Object.fromEntries(Object.entries(this).filter(([, value]) => value instanceof Table));
  }
}
