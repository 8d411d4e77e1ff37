import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readNetworkPattern, type NetworkPattern } from '../cloud-config/network-pattern.ts';
import { DEFAULT_NODE_OPTIONS, type NodeOptions } from '../cloud-config/node-options.ts';
import { addressesOf } from './addresses.ts';
import { machine, nic } from './testing/machines.ts';

const L2 = nic({
  id: 'nic-0',
  networkId: 'net-l2',
  networkName: 'net-l2',
  type: 'L2',
  isDefault: false,
  ipAddress: undefined,
});
const STORAGE = nic({
  id: 'nic-2',
  networkId: 'net-2',
  networkName: 'Storage',
  isDefault: false,
  ipAddress: '10.2.2.2',
});
const LAN = nic({ id: 'nic-3', networkId: 'net-3', networkName: 'Lan', isDefault: false, ipAddress: '10.3.3.3' });
const SHARED = nic({ ...LAN, type: 'Shared', ipAddress: '203.0.113.77' });

type Changes = Parameters<typeof machine>[1];

const textOf = (changes: Changes, options: Partial<NodeOptions> = {}): readonly string[] =>
  addressesOf(machine('vm-1', changes), { ...DEFAULT_NODE_OPTIONS, ...options }).addresses.map(
    ({ type, address }) => `${type} ${address}`,
  );

const lackOf = (changes: Changes, options: Partial<NodeOptions> = {}): string =>
  addressesOf(machine('vm-1', changes), { ...DEFAULT_NODE_OPTIONS, ...options }).lack ?? '';

function patterns(...texts: readonly string[]): readonly NetworkPattern[] {
  return texts.map(readNetworkPattern).filter((pattern) => pattern !== undefined);
}

test('takes the address of the default network card, wherever it stands in the list', () => {
  assert.deepEqual(textOf({ nics: [L2, nic()] }), ['InternalIP 10.1.1.11']);
  assert.deepEqual(textOf({ nics: [STORAGE, nic(), LAN] }), ['InternalIP 10.1.1.11']);
});

test('without configured networks there is no order but that of the default card', () => {
  assert.deepEqual(textOf({ nics: [STORAGE, nic()] }, { networkOrder: 'configured' }), ['InternalIP 10.1.1.11']);
});

test('takes a card with an address when the default one has none', () => {
  const bare = nic({ isDefault: true, ipAddress: undefined });
  assert.deepEqual(textOf({ nics: [bare, STORAGE] }), ['InternalIP 10.2.2.2']);
});

test('gives IPv6 after IPv4, and IPv6 alone', () => {
  assert.deepEqual(textOf({ nics: [nic({ ip6Address: '2001:db8::1' })] }), [
    'InternalIP 10.1.1.11',
    'InternalIP 2001:db8::1',
  ]);
  assert.deepEqual(textOf({ nics: [nic({ ipAddress: undefined, ip6Address: '2001:db8::1' })] }), [
    'InternalIP 2001:db8::1',
  ]);
});

test('gives the families that are configured, in their order', () => {
  const dual = { nics: [nic({ ip6Address: '2001:db8::1' })], publicIp: '203.0.113.9' };
  assert.deepEqual(textOf(dual, { families: ['ipv6', 'ipv4'] }), [
    'InternalIP 2001:db8::1',
    'InternalIP 10.1.1.11',
    'ExternalIP 203.0.113.9',
  ]);
  assert.deepEqual(textOf(dual, { families: ['ipv6'] }), ['InternalIP 2001:db8::1']);
  assert.deepEqual(textOf(dual, { families: ['ipv4'] }), ['InternalIP 10.1.1.11', 'ExternalIP 203.0.113.9']);
});

test('gives the address of a static NAT as the external one, once', () => {
  assert.deepEqual(textOf({ publicIp: '203.0.113.9' }), ['InternalIP 10.1.1.11', 'ExternalIP 203.0.113.9']);
  const onCard = { publicIp: '203.0.113.9', nics: [nic({ publicIp: '203.0.113.9' })] };
  assert.deepEqual(textOf(onCard), ['InternalIP 10.1.1.11', 'ExternalIP 203.0.113.9']);
  assert.deepEqual(textOf(onCard, { externalSources: [] }), ['InternalIP 10.1.1.11']);
  assert.deepEqual(textOf(onCard, { excludedNetworks: patterns('203.0.113.0/24') }), ['InternalIP 10.1.1.11']);
});

test('gives public addresses in shared networks as external ones', () => {
  assert.deepEqual(textOf({ nics: [nic(), SHARED] }), ['InternalIP 10.1.1.11', 'ExternalIP 203.0.113.77']);
  assert.deepEqual(textOf({ nics: [nic(), SHARED] }, { externalSources: ['static-nat'] }), ['InternalIP 10.1.1.11']);
  assert.deepEqual(textOf({ nics: [nic(), nic({ ...SHARED, ipAddress: '192.168.7.7' })] }), ['InternalIP 10.1.1.11']);
});

test('an address that is the only one is the internal one, also where it is public', () => {
  const only = nic({ type: 'Shared', ipAddress: '203.0.113.77' });
  assert.deepEqual(textOf({ nics: [only] }), ['InternalIP 203.0.113.77', 'ExternalIP 203.0.113.77']);
});

test('gives public IPv6 addresses as external ones, too, where that is configured', () => {
  const dual = nic({ ip6Address: '2001:db8::1' });
  assert.deepEqual(textOf({ nics: [dual] }, { externalSources: ['ipv6'] }), [
    'InternalIP 10.1.1.11',
    'InternalIP 2001:db8::1',
    'ExternalIP 2001:db8::1',
  ]);
  const local = nic({ ip6Address: 'fd00::1' });
  assert.deepEqual(textOf({ nics: [local] }, { externalSources: ['ipv6'] }).length, 2);
});

test('gives secondary addresses where that is configured, after the own ones of their card', () => {
  const nics = [nic({ ip6Address: '2001:db8::1', secondaryIps: ['10.1.1.99', '203.0.113.5'] })];
  assert.deepEqual(textOf({ nics }).length, 2);
  assert.deepEqual(textOf({ nics }, { secondaryAddresses: true }), [
    'InternalIP 10.1.1.11',
    'InternalIP 2001:db8::1',
    'InternalIP 10.1.1.99',
    'ExternalIP 203.0.113.5',
  ]);
});

test('gives the addresses of the configured networks: the default card first, then in their order', () => {
  const nics = [STORAGE, LAN, nic()];
  const networks = patterns('lan', '10.1.0.0/16', 'net-2');
  assert.deepEqual(textOf({ nics }, { networks }), [
    'InternalIP 10.1.1.11',
    'InternalIP 10.3.3.3',
    'InternalIP 10.2.2.2',
  ]);
  assert.deepEqual(textOf({ nics }, { networks, networkOrder: 'configured' }), [
    'InternalIP 10.3.3.3',
    'InternalIP 10.1.1.11',
    'InternalIP 10.2.2.2',
  ]);
  assert.deepEqual(textOf({ nics }, { networks: patterns('10.2.2.0/24') }), ['InternalIP 10.2.2.2']);
});

test('a public address of a further configured network is external, and not internal as well', () => {
  const networks = patterns('net-1', 'lan');
  assert.deepEqual(textOf({ nics: [nic(), SHARED] }, { networks }), [
    'InternalIP 10.1.1.11',
    'ExternalIP 203.0.113.77',
  ]);
  assert.deepEqual(textOf({ nics: [nic(), SHARED] }, { networks: patterns('net-1') }), ['InternalIP 10.1.1.11']);
});

test('leaves out what is excluded by id, name or CIDR, also when it is included', () => {
  const nics = [nic(), STORAGE, LAN];
  assert.deepEqual(textOf({ nics }, { excludedNetworks: patterns('net-1') }), ['InternalIP 10.2.2.2']);
  const networks = patterns('10.0.0.0/8');
  assert.deepEqual(textOf({ nics }, { networks, excludedNetworks: patterns('STORAGE', '10.3.0.0/16') }), [
    'InternalIP 10.1.1.11',
  ]);
});

test('the same machine gives the same addresses in whatever order its cards come', () => {
  const networks = patterns('lan', 'net-1', 'storage');
  const orders = [
    [nic(), STORAGE, LAN],
    [LAN, STORAGE, nic()],
    [STORAGE, nic(), LAN],
  ];
  const [first, ...others] = orders.map((nics) => textOf({ nics }, { networks }));
  for (const other of others) assert.deepEqual(other, first);
});

test('says what a machine lacks that has no network card, no address yet, or none that is let through', () => {
  assert.match(lackOf({ nics: [] }), /vm-1 has no network card/);
  const bare = { nics: [nic({ ipAddress: undefined })], state: 'Starting' };
  assert.match(lackOf(bare), /vm-1 \(Starting\) has no address in network net-iso yet/);
  assert.match(
    lackOf({ nics: [nic()] }, { networks: patterns('elsewhere') }),
    /it has 10\.1\.1\.11 in network net-iso; check node-networks/,
  );
  assert.equal(lackOf({}), '');
});
