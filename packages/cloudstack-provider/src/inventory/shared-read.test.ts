import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CancelledError, FakeClock, Scope } from '@cloudstack-ccm/base';
import { SharedRead } from './shared-read.ts';

/** A source whose readings end when the test says so. */
function source() {
  const clock = new FakeClock();
  const readings: PromiseWithResolvers<string>[] = [];
  const shared = new SharedRead(clock, () => {
    const reading = Promise.withResolvers<string>();
    readings.push(reading);
    return reading.promise;
  });
  return { clock, readings, shared, scope: Scope.root(clock) };
}

test('reads once for all who ask at the same time', async () => {
  const { readings, shared, scope } = source();
  const waiting = [shared.get(scope, 1000), shared.get(scope, 1000), shared.get(scope, 1)];
  readings[0]?.resolve('a');
  assert.deepEqual(await Promise.all(waiting), ['a', 'a', 'a']);
  assert.equal(readings.length, 1);
});

test('serves what it has to those who can live with its age', async () => {
  const { clock, readings, shared, scope } = source();
  readings[0]?.resolve('a');
  const first = shared.get(scope, 1000);
  readings[0]?.resolve('a');
  await first;
  await clock.advance(999);
  assert.equal(await shared.get(scope, 1000), 'a');
  await clock.advance(1);
  void shared.get(scope, 1000);
  assert.equal(readings.length, 2);
});

test('age counts from the start of the reading', async () => {
  const { clock, readings, shared, scope } = source();
  const slow = shared.get(scope, 1000);
  await clock.advance(5000);
  readings[0]?.resolve('a');
  await slow;
  assert.equal(shared.ageMs(), 5000);
});

test('a reading that takes longer than the age allowed is still shared: a slow cloud is not asked ever more often', async () => {
  const { clock, readings, shared, scope } = source();
  const first = shared.get(scope, 1000);
  await clock.advance(60_000);
  const second = shared.get(scope, 1000);
  assert.equal(readings.length, 1);
  readings[0]?.resolve('a');
  assert.deepEqual(await Promise.all([first, second]), ['a', 'a']);
});

test('who asks for a new reading gets one that began after the question', async () => {
  const { readings, shared, scope } = source();
  const old = shared.get(scope, 1000);
  const fresh = shared.get(scope, 0);
  readings[0]?.resolve('old');
  readings[1]?.resolve('new');
  assert.deepEqual([await old, await fresh], ['old', 'new']);
});

test('after an invalidation nobody gets the old value, and an old reading that ends late does not come back', async () => {
  const { readings, shared, scope } = source();
  const old = shared.get(scope, 1000);
  shared.invalidate();
  const fresh = shared.get(scope, 1000);
  readings[1]?.resolve('new');
  await fresh;
  readings[0]?.resolve('old');
  await old;
  assert.equal(await shared.get(scope, 1000), 'new');
});

test('a failure reaches all who wait, and the next one reads anew', async () => {
  const { readings, shared, scope } = source();
  const waiting = [shared.get(scope, 1000), shared.get(scope, 1000)];
  readings[0]?.reject(new Error('down'));
  const results = await Promise.allSettled(waiting);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  const next = shared.get(scope, 1000);
  readings[1]?.resolve('up');
  assert.equal(await next, 'up');
});

test('a caller that goes away ends only its own wait', async () => {
  const { readings, shared, scope } = source();
  const leaving = scope.child();
  const left = shared.get(leaving, 1000).catch((error: unknown) => error);
  const staying = shared.get(scope, 1000);
  leaving.cancel();
  readings[0]?.resolve('a');
  assert.ok((await left) instanceof CancelledError);
  assert.equal(await staying, 'a');
});
