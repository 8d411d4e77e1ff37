import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock, Scope, silentLogger } from '@cloudstack-ccm/base';
import { WorkQueue } from './work-queue.ts';
import type { Place } from './worker-places.ts';
import { runWorkers } from './workers.ts';

interface World {
  readonly clock: FakeClock;
  readonly scope: Scope;
  readonly queue: WorkQueue;
  readonly run: (workers: number, sync: (scope: Scope, key: string, place: Place) => Promise<void>) => Promise<void>;
}

function setUp(): World {
  const clock = new FakeClock();
  const scope = Scope.root(clock);
  const queue = new WorkQueue({ name: 'test', clock, baseDelayMs: 1000 });
  return {
    clock,
    scope,
    queue,
    run: (workers, sync) => runWorkers(scope, { queue, workers, log: silentLogger, sync }),
  };
}

/** Waits aside for its turn, and then for a place. */
async function waitAside(scope: Scope, place: Place, turn: Promise<void>): Promise<void> {
  const comeBack = place.stepAside();
  await turn;
  await comeBack(scope);
}

class TryLater extends Error {
  readonly retryAfterMs = 7000;
}

describe('workers', () => {
  it('work on as many keys at a time as there are workers, never on one key twice', async () => {
    const { clock, scope, queue, run } = setUp();
    const atWork = new Set<string>();
    let most = 0;
    const ended = run(3, async (own, key) => {
      assert.ok(!atWork.has(key));
      atWork.add(key);
      most = Math.max(most, atWork.size);
      if (key === 'a') queue.add('a');
      await own.sleep(100);
      atWork.delete(key);
    });
    for (const key of ['a', 'b', 'c', 'd', 'e']) queue.add(key);
    await clock.advance(300);
    assert.equal(most, 3);
    scope.cancel();
    await ended;
  });

  it('let others work while keys wait aside, and those come back before any that has not begun', async () => {
    const { clock, scope, queue, run } = setUp();
    const order: string[] = [];
    const turn = scope.sleep(1000);
    let atWork = 0;
    let most = 0;
    const ended = run(1, async (own, key, place) => {
      if (key.startsWith('waits')) await waitAside(own, place, turn);
      most = Math.max(most, ++atWork);
      await own.sleep(300);
      atWork--;
      order.push(key);
    });
    for (const key of ['waits-1', 'waits-2', 'a', 'b', 'c', 'd', 'e']) queue.add(key);
    await clock.advance(3000);
    assert.deepEqual(order, ['a', 'b', 'c', 'd', 'waits-1', 'waits-2', 'e']);
    assert.equal(most, 1);
    scope.cancel();
    await ended;
  });

  it('give the place back once when a key fails while it waits aside', async () => {
    const { clock, scope, queue, run } = setUp();
    let atWork = 0;
    let most = 0;
    const ended = run(1, async (own, key, place) => {
      if (key === 'fails') {
        place.stepAside();
        throw new TryLater('no turn');
      }
      most = Math.max(most, ++atWork);
      await own.sleep(100);
      atWork--;
    });
    for (const key of ['fails', 'a', 'b', 'c']) queue.add(key);
    await clock.advance(1000);
    assert.equal(most, 1);
    scope.cancel();
    await ended;
  });

  it('put a key that failed back with a growing pause, and forget its failures when it succeeds', async () => {
    const { clock, scope, queue, run } = setUp();
    const times: number[] = [];
    const ended = run(1, async () => {
      times.push(clock.monotonic());
      if (times.length <= 3) throw new Error('not yet');
    });
    queue.add('a');
    await clock.advance(20_000);
    assert.deepEqual(times, [0, 1000, 3000, 7000]);
    assert.equal(queue.failures('a'), 0);
    scope.cancel();
    await ended;
  });

  it('put a key back after the delay that its error, or the cause of it, asks for', async () => {
    const { clock, scope, queue, run } = setUp();
    const times: number[] = [];
    const ended = run(1, async () => {
      times.push(clock.monotonic());
      if (times.length === 1) throw new TryLater('busy');
      if (times.length === 2) throw new Error('failed to ensure load balancer: busy', { cause: new TryLater('busy') });
    });
    queue.add('a');
    await clock.advance(60_000);
    assert.deepEqual(times, [0, 7000, 14_000]);
    scope.cancel();
    await ended;
  });

  it('end when the scope does, after the work at hand, leaving what waits', async () => {
    const { clock, scope, queue, run } = setUp();
    const done: string[] = [];
    let finish: () => void = () => undefined;
    const ended = run(1, async (_scope, key) => {
      await new Promise<void>((resolve) => (finish = resolve));
      done.push(key);
    });
    queue.add('a');
    queue.add('b');
    await clock.advance(0);
    scope.cancel();
    await clock.advance(0);
    finish();
    await ended;
    assert.deepEqual(done, ['a']);
    assert.equal(clock.timers, 0);
  });
});
