import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canonicalCidrs, sameCidrs } from './source-cidrs.ts';

describe('source lists', () => {
  it('are compared as networks, whatever their order and spelling', () => {
    assert.ok(sameCidrs(['10.0.0.1/8', '192.0.2.0/24'], ['192.0.2.0/24', '10.0.0.0/8', '10.0.0.0/8']));
    assert.ok(sameCidrs([], ['0.0.0.0/0']));
    assert.ok(sameCidrs(['2001:DB8::1/32'], ['2001:db8::/32']));
    assert.ok(!sameCidrs(['10.0.0.0/8'], ['10.0.0.0/9']));
  });

  it('take a bare address for a network of one, and keep what is no network', () => {
    assert.deepEqual(canonicalCidrs(['192.0.2.7', '2001:db8::1']), ['192.0.2.7/32', '2001:db8::1/128']);
    assert.deepEqual(canonicalCidrs(['x']), ['x']);
  });
});
