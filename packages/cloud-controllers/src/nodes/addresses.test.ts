import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { NodeAddress } from '../cloud.ts';
import { CLOUD_ADDRESSES } from '../testing/objects.ts';
import { addressesChanged, nextAddresses } from './addresses.ts';

const internal = (address: string): NodeAddress => ({ type: 'InternalIP', address });
const external = (address: string): NodeAddress => ({ type: 'ExternalIP', address });
const hostname = (address: string): NodeAddress => ({ type: 'Hostname', address });

const next = (offered: readonly NodeAddress[], current: readonly NodeAddress[], providedNodeIp?: string) =>
  nextAddresses({ offered, current, providedNodeIp });

describe('Address changes', () => {
  test('are none when the same types have the same addresses, in any order (A1, A5)', () => {
    const list = [internal('10.0.0.1'), external('1.2.3.4')];
    assert.equal(addressesChanged(list, list), false);
    assert.equal(addressesChanged(list, list.toReversed()), false);
  });

  test('are another address, another number, or swapped types (A2, A3, A4)', () => {
    const list = [internal('10.0.0.1'), external('1.2.3.4')];
    assert.equal(addressesChanged(list, [internal('10.0.0.1'), external('1.2.3.5')]), true);
    assert.equal(addressesChanged([...list, hostname('a')], list), true);
    assert.equal(addressesChanged(list, [...list, hostname('a')]), true);
    assert.equal(addressesChanged(list, [internal('1.2.3.4'), external('10.0.0.1')]), true);
  });

  test('are seen in every list with two addresses of one type (A6), but identical lists are not written', () => {
    const list = [internal('10.0.0.1'), internal('fd00::1')];
    assert.equal(addressesChanged(list, list), true);
    assert.equal(next(list, list), undefined);
    assert.deepEqual(next(list, list.toReversed()), list);
  });
});

describe('The addresses of a node', () => {
  test('are the cloud’s, whose host name wins (N1)', () => {
    assert.deepEqual(next(CLOUD_ADDRESSES, [hostname('overridden')]), CLOUD_ADDRESSES);
  });

  test('keep the kubelet’s host name, at the end, when the cloud has none (N2)', () => {
    const offered = [internal('10.0.0.1'), external('132.143.154.163')];
    assert.deepEqual(next(offered, [hostname('overridden'), internal('10.9.9.9')]), [
      ...offered,
      hostname('overridden'),
    ]);
  });

  test('stay when the cloud has none', () => {
    assert.equal(next([], [internal('10.0.0.1')]), undefined);
  });

  test('put the provided IP first (N8, N17)', () => {
    const offered = [external('132.143.154.163'), internal('10.0.0.1')];
    assert.deepEqual(next(offered, [hostname('node0')], '10.0.0.1'), [
      internal('10.0.0.1'),
      external('132.143.154.163'),
      hostname('node0'),
    ]);
  });

  test('cannot be told when the provided IP is not offered', () => {
    assert.throws(() => next(CLOUD_ADDRESSES, [], '10.0.0.2'), /matches ip: 10\.0\.0\.2/);
  });
});
