import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock, Scope, silentLogger } from '@cloudstack-ccm/base';
import { LeaseStore } from '../testing/lease-store.ts';
import { LeaseLock } from './lease-lock.ts';

describe('a lease lock', () => {
  it('reads the lease before it renews one that may have run out', async () => {
    const clock = new FakeClock();
    const store = new LeaseStore();
    const lock = new LeaseLock({
      leases: store.api(),
      name: { namespace: 'kube-system', name: 'ccm' },
      identity: 'a',
      leaseDurationMs: 15_000,
      clock,
      log: silentLogger,
      onSlowPath: () => undefined,
    });
    const scope = Scope.root(clock);
    await lock.try(scope);
    await clock.advance(14_999);
    await lock.try(scope);
    assert.deepEqual(store.verbs.splice(0), ['get', 'create', 'update']);
    await clock.advance(15_000);
    assert.equal(lock.isCertain, false);
    assert.equal(await lock.try(scope), true);
    assert.deepEqual(store.verbs, ['get', 'update']);
    assert.equal(lock.isCertain, true);
  });
});
