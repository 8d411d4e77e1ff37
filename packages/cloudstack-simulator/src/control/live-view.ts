import type { CallLog } from '../call-log.ts';
import type { Faults } from '../faults.ts';
import type { LoadBalancerRule, PublicIp, State } from '../state.ts';
import type { VersionProfile } from '../version-profile.ts';

/** The state for people: names instead of ids, and only what matters for networks. */
export interface LiveView {
  readonly version: string;
  /** How many there are of each, shown or not. */
  readonly totals: Readonly<Record<string, number>>;
  readonly networks: readonly Line[];
  readonly virtualMachines: readonly Line[];
  readonly publicIps: readonly Line[];
  readonly loadBalancerRules: readonly Line[];
  readonly portForwardingRules: readonly Line[];
  readonly firewallRules: readonly Line[];
  readonly networkAcls: readonly Line[];
  readonly jobs: readonly Line[];
  readonly faults: readonly Line[];
  readonly lastCalls: readonly Line[];
}

type Line = Readonly<Record<string, string | number>>;

interface Sources {
  readonly state: State;
  readonly profile: VersionProfile;
  readonly faults: Faults;
  readonly callLog: CallLog;
}

/** Rows of one table at most: nobody reads more, and the page stays light. */
const SHOWN = 200;

export function liveView({ state, profile, faults, callLog }: Sources): LiveView {
  const network = (id: string | undefined): string => (id === undefined ? '' : (state.networks.get(id)?.name ?? id));
  const account = (id: string | undefined): string => (id === undefined ? '' : (state.accounts.get(id)?.name ?? id));
  const address = (id: string): string => state.publicIps.get(id)?.address ?? id;
  const rows = {
    networks: state.networks.filter((row) => row.removed === undefined),
    virtualMachines: state.virtualMachines.filter((row) => row.removed === undefined),
    publicIps: state.publicIps.filter((row) => row.state !== 'Free'),
    loadBalancerRules: [...state.loadBalancerRules.values()],
    portForwardingRules: [...state.portForwardingRules.values()],
    firewallRules: [...state.firewallRules.values()],
    networkAcls: state.aclItems.filter((item) => state.aclLists.get(item.listId)?.isDefault !== true),
    jobs: [...state.jobs.values()],
    lastCalls: callLog.entries,
  };
  return {
    version: profile.version,
    totals: Object.fromEntries(Object.entries(rows).map(([part, { length }]) => [part, length])),
    networks: some(rows.networks).map((row) => ({
      name: row.name,
      owner: account(row.accountId),
      type: row.guestType,
      cidr: row.cidr ?? '',
      vpc: row.vpcId === undefined ? '' : (state.vpcs.get(row.vpcId)?.name ?? ''),
      acl: row.aclListId === undefined ? '' : (state.aclLists.get(row.aclListId)?.name ?? ''),
      state: row.state,
      router: state.routers.by('home', row.vpcId ?? row.id)[0]?.state ?? '',
    })),
    virtualMachines: some(rows.virtualMachines).map((row) => ({
      name: row.name,
      owner: account(row.accountId),
      state: row.state,
      addresses: row.nics.map((nic) => `${network(nic.networkId)} ${nic.ipAddress ?? ''}`.trim()).join(', '),
    })),
    publicIps: some(rows.publicIps).map((row) => ({
      address: row.address,
      owner: account(row.accountId),
      network: network(row.networkId),
      state: row.state,
      use: useOf(row),
    })),
    loadBalancerRules: some(rows.loadBalancerRules).map((row) => ({
      name: row.name,
      address: row.source?.address ?? address(row.publicIpId),
      ports: `${row.publicPort} → ${row.privatePort}`,
      protocol: row.protocol ?? '',
      algorithm: row.algorithm,
      sources: row.cidrList ?? '',
      members: memberNames(state, row),
      state: row.state,
    })),
    portForwardingRules: some(rows.portForwardingRules).map((row) => ({
      address: address(row.publicIpId),
      ports: `${row.publicPort}-${row.publicEndPort} → ${row.privatePort}-${row.privateEndPort}`,
      protocol: row.protocol,
      machine: state.virtualMachines.get(row.virtualMachineId)?.name ?? '',
      state: row.state,
    })),
    firewallRules: some(rows.firewallRules).map((row) => ({
      address: address(row.publicIpId),
      protocol: row.protocol,
      ports: row.startPort === undefined ? 'all' : `${row.startPort}-${row.endPort}`,
      sources: row.cidrs.join(', '),
      state: row.state,
    })),
    networkAcls: some(rows.networkAcls).map((row) => ({
      list: state.aclLists.get(row.listId)?.name ?? '',
      number: row.number,
      action: row.action,
      direction: row.trafficType,
      protocol: row.protocol,
      ports: row.startPort === undefined ? 'all' : `${row.startPort}-${row.endPort}`,
      sources: row.cidrs.join(', '),
    })),
    jobs: newest(rows.jobs).map((row) => ({
      command: row.command,
      owner: account(row.accountId),
      status: row.status,
      result: row.status === 'failed' ? `${row.resultCode} ${errorText(row.result)}` : '',
    })),
    faults: faults.list().map(({ id, hits, command = '*', action }) => ({ id, command, kind: action.kind, hits })),
    lastCalls: newest(rows.lastCalls).map((entry) => ({
      time: new Date(entry.time).toISOString().slice(11, 23),
      command: entry.command,
      owner: entry.account ?? '',
      status: entry.outcome.status,
      error: entry.outcome.errorText ?? '',
    })),
  };
}

function some<T>(rows: readonly T[]): readonly T[] {
  return rows.slice(0, SHOWN);
}

function newest<T>(rows: readonly T[]): readonly T[] {
  return rows.slice(-30).toReversed();
}

function useOf(ip: PublicIp): string {
  if (ip.isSourceNat) return 'source NAT';
  if (ip.staticNat) return `static NAT ${ip.staticNat.guestAddress}`;
  return ip.isSystem ? 'system' : '';
}

function memberNames(state: State, rule: LoadBalancerRule): string {
  const name = (id: string): string => state.virtualMachines.get(id)?.name ?? id;
  const words = rule.members
    .slice(0, 20)
    .map((member) => `${name(member.virtualMachineId)}${member.revoked ? ' (going)' : ''}`);
  const more = rule.members.length - words.length;
  return [...words, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

function errorText(result: unknown): string {
  if (typeof result !== 'object' || result === null || !('errortext' in result)) return '';
  return String(result.errortext);
}
