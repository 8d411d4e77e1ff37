import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { NodeAddress, NodeAddressType } from '../cloud.ts';
import { preferProvidedIps, ProvidedNodeIpError } from './provided-node-ip.ts';

const addresses = (...list: string[]): NodeAddress[] =>
  list.map((item) => {
    const [type = '', ...rest] = item.split(' ');
    return { type: type as NodeAddressType, address: rest.join(' ') };
  });

const prefers = (annotation: string, offered: string[], expected: string[]): void =>
  assert.deepEqual(preferProvidedIps(annotation, addresses(...offered)), addresses(...expected));

const refuses = (annotation: string, offered: string[], message: string): void =>
  assert.throws(
    () => preferProvidedIps(annotation, addresses(...offered)),
    (error) => {
      assert.ok(error instanceof ProvidedNodeIpError);
      assert.equal(error.message, message);
      return true;
    },
  );

describe('The provided node IP', () => {
  test('leaves a list in order whose internal address it names (X2)', () => {
    const list = ['InternalIP 10.1.1.1', 'Hostname a'];
    prefers('10.1.1.1', list, list);
  });

  test('brings the type of its address to the front (X3)', () => {
    prefers(
      '55.55.55.55',
      ['InternalIP 10.1.1.1', 'ExternalIP 55.55.55.55', 'Hostname a'],
      ['ExternalIP 55.55.55.55', 'InternalIP 10.1.1.1', 'Hostname a'],
    );
  });

  test('takes every address equal to it and drops the others of these types (X4, X6)', () => {
    prefers(
      '55.55.55.55',
      [
        'InternalIP 10.1.1.1',
        'ExternalIP 44.44.44.44',
        'InternalIP 55.55.55.55',
        'ExternalIP 55.55.55.55',
        'Hostname a',
      ],
      ['InternalIP 55.55.55.55', 'ExternalIP 55.55.55.55', 'Hostname a'],
    );
    prefers(
      '10.1.1.1',
      ['InternalIP 192.0.2.1', 'InternalIP 10.1.1.1', 'InternalIP 10.2.2.2', 'ExternalIP 55.55.55.55', 'Hostname a'],
      ['InternalIP 10.1.1.1', 'ExternalIP 55.55.55.55', 'Hostname a'],
    );
  });

  test('keeps names beside addresses (X5)', () => {
    const list = [
      'InternalIP 10.1.1.1',
      'ExternalIP 55.55.55.55',
      'InternalDNS a.in',
      'ExternalDNS a.ex',
      'Hostname a',
    ];
    prefers('10.1.1.1', list, list);
  });

  test('must be offered by the cloud (X7, X9)', () => {
    refuses(
      '10.0.0.2',
      ['InternalIP 10.1.1.1'],
      'failed to get node address from cloud provider that matches ip: 10.0.0.2',
    );
    refuses(
      '10.1.1.1,2001:db8::1',
      ['InternalIP 10.1.1.1'],
      'failed to get node address from cloud provider that matches ip: 2001:db8::1',
    );
    refuses('10.1.1.1', [], 'failed to get node address from cloud provider that matches ip: 10.1.1.1');
    refuses(
      '0.0.0.0',
      ['InternalIP 10.1.1.1'],
      'failed to get node address from cloud provider that matches ip: 0.0.0.0',
    );
  });

  test('matches IPv6 in any spelling and keeps the cloud’s (X8)', () => {
    prefers(
      '2600:1f14:1d4:d101::ba3d',
      ['InternalIP 10.1.1.1', 'InternalIP 2600:1f14:1d4:d101:0:0:0:ba3d', 'Hostname a'],
      ['InternalIP 2600:1f14:1d4:d101:0:0:0:ba3d', 'Hostname a'],
    );
  });

  test('orders a pair as it was given (X10, X11, X12, X13)', () => {
    const v4 = 'InternalIP 10.1.1.1';
    const v6 = 'InternalIP fc01:1234::5678';
    prefers('10.1.1.1,fc01:1234::5678', [v4, v6, 'Hostname a'], [v4, v6, 'Hostname a']);
    prefers('10.1.1.1,fc01:1234::5678', [v6, v4, 'Hostname a'], [v4, v6, 'Hostname a']);
    prefers(
      '10.1.1.1,fc01:1234::5678',
      [v4, 'InternalIP 10.1.1.2', v6, 'InternalIP fc01:1234::9abc', 'Hostname a'],
      [v4, v6, 'Hostname a'],
    );
    prefers(
      '10.1.1.1,fc01:1234::5678',
      [v4, v6, 'ExternalIP 55.55.55.55', 'Hostname a'],
      [v4, v6, 'ExternalIP 55.55.55.55', 'Hostname a'],
    );
    prefers(
      'fc01:1234::5678,10.1.1.1',
      [v4, v6, 'ExternalIP 55.55.55.55', 'ExternalIP 2001:db8::1', 'Hostname a'],
      [v6, v4, 'ExternalIP 55.55.55.55', 'ExternalIP 2001:db8::1', 'Hostname a'],
    );
  });

  test('may take each of a pair from another type (X14)', () => {
    prefers(
      '55.55.55.55,fc01:1234::5678',
      [
        'InternalIP 10.1.1.1',
        'InternalIP fc01:1234::5678',
        'ExternalIP 55.55.55.55',
        'ExternalIP 2001:db8::1',
        'Hostname a',
      ],
      ['ExternalIP 55.55.55.55', 'InternalIP fc01:1234::5678', 'Hostname a'],
    );
  });

  test('reads leading zeros as decimal', () => {
    prefers('010.001.1.01', ['InternalIP 10.1.1.1'], ['InternalIP 10.1.1.1']);
  });

  test('names what is wrong with it', () => {
    const offered = ['InternalIP 10.1.1.1'];
    const wrapped = (value: string, reason: string): void =>
      refuses(value, offered, `failed to parse node IP ${JSON.stringify(value)}: ${reason}`);
    wrapped('', 'could not parse ""');
    wrapped('invalid-ip', 'could not parse "invalid-ip"');
    wrapped('10.1.1.1, 2001:db8::1', 'could not parse " 2001:db8::1"');
    wrapped('10.1.1.1,10.1.1.2', 'must contain either a single IP or a dual-stack pair of IPs');
    wrapped('10.1.1.1,::1,10.1.1.2', 'must contain either a single IP or a dual-stack pair of IPs');
    wrapped('0.0.0.0,::1', "dual-stack node IP cannot include '0.0.0.0' or '::'");
  });
});
