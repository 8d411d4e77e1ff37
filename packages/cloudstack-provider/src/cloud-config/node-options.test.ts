import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCloudConfig } from './cloud-config.ts';
import { indexOfPattern, readNetworkPattern } from './network-pattern.ts';
import type { NodeOptions } from './node-options.ts';

const NEEDED = '[Global]\napi-url = https://cloud.example.test/client/api\napi-key = KEY\nsecret-key = SECRET\n';

const nodes = (lines: string): NodeOptions => readCloudConfig(NEEDED + lines, { file: 'f' }).config.nodes;

test('reads networks by id, name or CIDR, in their order', () => {
  const { networks, excludedNetworks } = nodes(
    'node-networks = Storage Net, 10.1.0.0/16 ,2001:db8::/64\nnode-networks-exclude = 10.1.9.0/24\n',
  );
  assert.deepEqual(
    networks.map((pattern) => (pattern.kind === 'cidr' ? pattern.cidr.text : pattern.idOrName)),
    ['storage net', '10.1.0.0/16', '2001:db8::/64'],
  );
  assert.equal(excludedNetworks.length, 1);
});

test('reads families and sources in the order in which they were written', () => {
  assert.deepEqual(nodes('node-address-families = IPv6, ipv4\n').families, ['ipv6', 'ipv4']);
  assert.deepEqual(nodes('node-address-families = ipv6\n').families, ['ipv6']);
  assert.deepEqual(nodes('node-external-addresses =\n').externalSources, []);
  assert.deepEqual(nodes('node-external-addresses = ipv6,static-nat\n').externalSources, ['ipv6', 'static-nat']);
  assert.deepEqual(nodes('node-tag-label-prefixes = team/, rack\n').tagLabelPrefixes, ['team/', 'rack']);
  assert.equal(nodes('node-host-label = yes\n').hostLabel, true);
  assert.equal(nodes('node-network-order = configured\n').networkOrder, 'configured');
});

for (const [line, expected] of [
  ['node-networks = ok, 10.1.0.0/33', 'f:5:1: node-networks holds something like a CIDR that is none'],
  ['node-networks-exclude = 10.0.0.1/', 'f:5:1: node-networks-exclude holds something like a CIDR that is none'],
  ['node-address-families = ipv5', 'f:5:1: node-address-families must be a list with commas of ipv4, ipv6'],
  ['node-address-families =', 'f:5:1: node-address-families must be a list with commas of ipv4, ipv6'],
  [
    'node-external-addresses = floating',
    'f:5:1: node-external-addresses must be empty or a list with commas of static-nat, shared, ipv6',
  ],
  ['node-network-order = last', 'f:5:1: node-network-order must be default-first or configured'],
] as const) {
  test(`refuses ${line}`, () => {
    assert.throws(() => nodes(`${line}\n`), { message: `could not parse cloud provider config: ${expected}` });
  });
}

test('a pattern means a network by id or name in any case, or each address in a CIDR', () => {
  const placed = { address: '10.1.1.11', networkId: 'NET-1', networkName: 'Lan' };
  const index = (...texts: string[]): number =>
    indexOfPattern(
      texts.map(readNetworkPattern).filter((pattern) => pattern !== undefined),
      placed,
    );
  assert.equal(index('wan', 'LAN'), 1);
  assert.equal(index('net-1'), 0);
  assert.equal(index('10.1.1.0/24'), 0);
  assert.equal(index('10.1.2.0/24', '2001:db8::/64'), -1);
});
