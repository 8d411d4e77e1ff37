import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressesOf } from './addresses.ts';
import { NodeUnresolvedError } from './errors.ts';
import { machine, nic, node } from './testing/machines.ts';

const L2 = nic({
  id: 'nic-0',
  networkId: 'net-l2',
  networkName: 'net-l2',
  type: 'L2',
  isDefault: false,
  ipAddress: undefined,
});

const textOf = (changes: Parameters<typeof machine>[1]): readonly string[] =>
  addressesOf(node('node-1'), machine('vm-1', changes)).map(({ type, address }) => `${type} ${address}`);

test('takes the address of the default network card, wherever it stands in the list', () => {
  assert.deepEqual(textOf({ nics: [L2, nic()] }), ['InternalIP 10.1.1.11']);
  assert.deepEqual(textOf({ nics: [nic({ isDefault: false, ipAddress: '10.9.9.9' }), nic()] }), [
    'InternalIP 10.1.1.11',
  ]);
});

test('takes a card with an address when the default one has none', () => {
  const bare = nic({ isDefault: true, ipAddress: undefined });
  assert.deepEqual(textOf({ nics: [bare, nic({ isDefault: false, ipAddress: '10.2.2.2' })] }), ['InternalIP 10.2.2.2']);
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

test('gives the address of a static NAT as the external one', () => {
  assert.deepEqual(textOf({ publicIp: '203.0.113.9' }), ['InternalIP 10.1.1.11', 'ExternalIP 203.0.113.9']);
});

test('a machine without a network card, or without an address yet, waits', () => {
  const refused = (changes: Parameters<typeof machine>[1], text: RegExp): void => {
    assert.throws(
      () => textOf(changes),
      (error) => error instanceof NodeUnresolvedError && error.node === 'node-1' && text.test(error.message),
    );
  };
  refused({ nics: [] }, /has no network card/);
  refused(
    { nics: [nic({ ipAddress: undefined })], state: 'Starting' },
    /vm-1 \(Starting\) has no address in network net-iso yet/,
  );
});
