import { insufficientCapacity } from '../api-error.ts';
import type { PageChange } from '../page-change.ts';
import type { Random } from '../random.ts';
import type { State, VirtualMachine } from '../state.ts';
import type { Row, Table } from '../table.ts';
import type { Backend } from './backend.ts';
import { deleteFirewall, deleteLoadBalancer } from './load-balancers.ts';
import { makeNic } from './nics.ts';
import { freePublicIp, freeUp, takePublicIp } from './public-ips.ts';
import { expunge } from './virtual-machines.ts';

/** Changes some of the rows that a list is made of; `shown` of them were on the pages before. */
export function changeRows(backend: Backend, rows: readonly unknown[], shown: number, change: PageChange): void {
  const known = rows.filter(isRow);
  for (const row of chosen(backend.random, known, shown, change)) {
    const table = backend.state.tableOf(row.id);
    if (table) CHANGES[change.change](backend, table, row);
  }
}

const CHANGES: Readonly<Record<PageChange['change'], (backend: Backend, table: Table<Row>, row: Row) => void>> = {
  delete: remove,
  create: addTwin,
  move: (_, table, row) => table.moveToEnd(row.id),
};

function chosen(random: Random, rows: readonly Row[], shown: number, change: PageChange): readonly Row[] {
  const { objects, number = 1 } = change;
  if (objects) return rows.filter((row) => objects.includes(row.id) || objects.includes(nameOf(row)));
  const [first, last] = [rows[0], rows.at(-1)];
  const newestFirst = first !== undefined && last !== undefined && first.internalId > last.internalId;
  // What moves to the front must come from further back to be missed; all else is felt when an early page shrinks.
  const pool = newestFirst && change.change === 'move' ? rows.slice(shown) : rows.slice(0, shown);
  const left = [...pool];
  return Array.from({ length: Math.min(number, left.length) }, () =>
    left.splice(random.integer(0, left.length - 1), 1),
  ).flat();
}

function remove(backend: Backend, table: Table<Row>, { id }: Row): void {
  const { state, clock } = backend;
  const rule = state.loadBalancerRules.get(id);
  if (rule) return deleteLoadBalancer(state, rule);
  if (state.firewallRules.get(id)) return deleteFirewall(state, id);
  if (state.publicIps.get(id)) return freeUp(backend, id);
  if (state.virtualMachines.get(id)) return expunge(backend, id);
  if (state.networks.get(id)) return void state.networks.update(id, { state: 'Destroy', removed: clock.now() });
  if (state.vpcs.get(id)) return void state.vpcs.update(id, { removed: clock.now() });
  table.delete(id);
}

function addTwin(backend: Backend, table: Table<Row>, row: Row): void {
  const { state, random } = backend;
  const ip = state.publicIps.get(row.id);
  if (ip) return addAddress(backend, ip);
  const name = nameOf(row);
  const { internalId: _, ...fields } = row;
  table.add({
    ...fields,
    ...ownFields(backend, row.id),
    id: random.uuid(),
    ...(name !== '' && { name: `${name}-twin` }),
  });
}

function addAddress(backend: Backend, ip: Parameters<typeof takePublicIp>[1]): void {
  const { accountId, zoneId, networkId, vpcId } = ip;
  const free = freePublicIp(backend.state, zoneId);
  if (!free || accountId === undefined) throw insufficientCapacity('Insufficient address capacity');
  takePublicIp(backend, free, {
    accountId,
    zoneId,
    ...(networkId !== undefined && { networkId }),
    ...(vpcId !== undefined && { vpcId }),
  });
}

/** What two of a kind must not share. */
function ownFields(backend: Backend, id: string): object {
  const { state } = backend;
  const vm = state.virtualMachines.get(id);
  if (vm) return { nics: twinNics(backend, vm), displayname: `${vm.displayname}-twin` };
  const rule = state.loadBalancerRules.get(id);
  if (rule) return { publicPort: freePort(state, rule.publicIpId, rule.source?.networkId), members: [] };
  const item = state.aclItems.get(id);
  if (item) return { number: 1 + Math.max(...state.aclItems.by('listId', item.listId).map((one) => one.number)) };
  const firewall = state.firewallRules.get(id) ?? state.portForwardingRules.get(id);
  if (!firewall) return {};
  const port = freePort(state, firewall.publicIpId);
  const ports = { startPort: port, endPort: port, publicPort: port, publicEndPort: port };
  return { ...ports, relatedRuleId: undefined };
}

function twinNics(backend: Backend, vm: VirtualMachine): VirtualMachine['nics'] {
  return vm.nics.flatMap(({ networkId, deviceId, isDefault }) => {
    const network = backend.state.networks.get(networkId);
    return network ? [makeNic(backend, { network }, deviceId, isDefault)] : [];
  });
}

/** A port above all that rules of the address use. */
function freePort(state: State, publicIpId: string, tierId = ''): number {
  const ports = [
    ...state.loadBalancerRules.by('publicIpId', publicIpId).map((rule) => rule.publicPort),
    ...state.loadBalancerRules.by('sourceNetworkId', tierId).map((rule) => rule.publicPort),
    ...state.firewallRules.by('publicIpId', publicIpId).map((rule) => rule.endPort ?? 0),
    ...state.portForwardingRules.by('publicIpId', publicIpId).map((rule) => rule.publicEndPort),
  ];
  return Math.max(...ports) + 1;
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'id' in value && 'internalId' in value;
}

function nameOf(row: Row): string {
  return 'name' in row && typeof row.name === 'string' ? row.name : '';
}
