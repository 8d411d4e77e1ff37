import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from './fake-clock.ts';
import { Scope } from './scope.ts';
import { TokenBucket } from './token-bucket.ts';

test('a burst goes at once, the rest at the rate', async () => {
  const clock = new FakeClock();
  const scope = Scope.root(clock);
  const bucket = new TokenBucket(clock, 10, 2);
  const served: number[] = [];
  const all = Promise.all([1, 2, 3, 4].map(() => bucket.take(scope).then(() => served.push(clock.monotonic()))));
  await clock.advance(1000);
  await all;
  assert.deepEqual(served, [0, 0, 100, 200]);
});

test('idle time earns no more than the burst', async () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket(clock, 10, 2);
  await clock.advance(60_000);
  const delays = [bucket.reserve(), bucket.reserve(), bucket.reserve()];
  assert.deepEqual(delays, [0, 0, 100]);
});

test('earned tokens come back with time', async () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket(clock, 10, 1);
  bucket.reserve();
  await clock.advance(100);
  assert.equal(bucket.reserve(), 0);
});

test('a waiter that goes away gives its token back', async () => {
  const clock = new FakeClock();
  const scope = Scope.root(clock);
  const bucket = new TokenBucket(clock, 10, 1);
  bucket.reserve();
  const waiting = bucket.take(scope);
  scope.cancel();
  await assert.rejects(waiting);
  assert.equal(bucket.reserve(), 100);
});

test('a rate of zero means no limit', () => {
  const bucket = new TokenBucket(new FakeClock(), 0, 1);
  assert.deepEqual([bucket.reserve(), bucket.reserve(), bucket.reserve()], [0, 0, 0]);
});
