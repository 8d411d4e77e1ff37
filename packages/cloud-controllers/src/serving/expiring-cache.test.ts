import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FakeClock } from '@cloudstack-ccm/base';

import { ExpiringCache } from './expiring-cache.ts';

test('An answer holds for its time', async () => {
  const clock = new FakeClock();
  const cache = new ExpiringCache<number>(clock);
  cache.set('a', 1, 100);
  assert.equal(cache.get('a'), 1);
  await clock.advance(100);
  assert.equal(cache.get('a'), undefined);
  assert.equal(cache.size, 0);
});

test('An answer that is not to be kept is not', () => {
  const cache = new ExpiringCache<number>(new FakeClock());
  cache.set('a', 1, 0);
  assert.equal(cache.get('a'), undefined);
});

test('The oldest goes when it is full', () => {
  const cache = new ExpiringCache<number>(new FakeClock(), 2);
  for (const [index, key] of ['a', 'b', 'a', 'c'].entries()) cache.set(key, index, 100);
  assert.equal(cache.size, 2);
  assert.equal(cache.get('b'), undefined);
  assert.equal(cache.get('a'), 2);
});
