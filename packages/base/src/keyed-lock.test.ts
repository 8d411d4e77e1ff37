import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from './fake-clock.ts';
import { KeyedLock } from './keyed-lock.ts';
import { Scope } from './scope.ts';

function setUp(width?: number) {
  const clock = new FakeClock();
  const scope = Scope.root(clock);
  const lock = new KeyedLock(width);
  const order: string[] = [];
  const work = (key: string, name: string, ms = 10, own = scope): Promise<void> =>
    lock.run(own, key, async () => {
      order.push(`${name} starts`);
      await scope.sleep(ms);
      order.push(`${name} ends`);
    });
  return { clock, scope, lock, order, work };
}

test('one key is held by one at a time, in the order of asking', async () => {
  const { clock, order, work } = setUp();
  const all = Promise.all([work('a', '1'), work('a', '2'), work('a', '3')]);
  await clock.advance(30);
  await all;
  assert.deepEqual(order, ['1 starts', '1 ends', '2 starts', '2 ends', '3 starts', '3 ends']);
});

test('says whether a key can be had at once', async () => {
  const { clock, lock, work } = setUp(2);
  const all = Promise.all([work('a', '1'), work('b', '2'), work('a', '3', 20)]);
  assert.deepEqual([lock.isFree('a'), lock.isFree('b'), lock.isFree('c')], [false, true, true]);
  await clock.advance(10);
  assert.equal(lock.isFree('a'), true);
  await clock.advance(10);
  await all;
});

test('different keys do not wait for each other', async () => {
  const { clock, order, work } = setUp();
  const all = Promise.all([work('a', '1'), work('b', '2')]);
  await clock.advance(10);
  await all;
  assert.deepEqual(order.slice(0, 2), ['1 starts', '2 starts']);
});

test('a wider lock lets that many in', async () => {
  const { clock, order, work } = setUp(2);
  const all = Promise.all([work('a', '1'), work('a', '2'), work('a', '3')]);
  await clock.advance(5);
  assert.deepEqual(order, ['1 starts', '2 starts']);
  await clock.advance(20);
  await all;
});

test('a waiter that is cancelled gives up its place and blocks nobody', async () => {
  const { clock, scope, lock, order, work } = setUp();
  const first = work('a', '1');
  const impatient = scope.child();
  const second = work('a', '2', 10, impatient);
  const third = work('a', '3');
  impatient.cancel();
  await assert.rejects(second);
  await clock.advance(20);
  await Promise.all([first, third]);
  assert.deepEqual(order, ['1 starts', '1 ends', '3 starts', '3 ends']);
  assert.equal(lock.size, 0);
});

test('work that fails releases its key, and an unused key takes no memory', async () => {
  const { scope, lock } = setUp();
  await assert.rejects(lock.run(scope, 'a', () => Promise.reject(new Error('boom'))));
  assert.equal(await lock.run(scope, 'a', () => Promise.resolve(7)), 7);
  assert.equal(lock.size, 0);
});
