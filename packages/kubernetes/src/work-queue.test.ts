import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMetrics, FakeClock } from '@cloudstack-ccm/base';
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts';

function setUp(options: Partial<WorkQueueOptions> = {}): { readonly clock: FakeClock; readonly queue: WorkQueue } {
  const clock = new FakeClock();
  return { clock, queue: new WorkQueue({ name: 'test', clock, ...options }) };
}

async function waiting(queue: WorkQueue): Promise<string[]> {
  const keys: string[] = [];
  while (queue.length > 0) keys.push((await queue.get()) ?? '');
  return keys;
}

describe('a work queue', () => {
  it('hands keys out in the order they came, each once', async () => {
    const { queue } = setUp();
    for (const key of ['b', 'a', 'b', 'c', 'a']) queue.add(key);
    assert.deepEqual(await waiting(queue), ['b', 'a', 'c']);
  });

  it('never has a key in work twice, and runs one again that was added meanwhile', async () => {
    const { queue } = setUp();
    queue.add('a');
    assert.equal(await queue.get(), 'a');
    queue.add('a');
    queue.add('a');
    assert.equal(queue.length, 0);
    queue.done('a');
    assert.deepEqual(await waiting(queue), ['a']);
    queue.done('a');
    assert.equal(queue.length, 0);
  });

  it('gives a key to the taker that has waited longest', async () => {
    const { queue } = setUp();
    const takers = [queue.get(), queue.get()];
    queue.add('first');
    queue.add('second');
    assert.deepEqual(await Promise.all(takers), ['first', 'second']);
  });

  it('adds a delayed key when its time has come', async () => {
    const { clock, queue } = setUp();
    queue.addAfter('a', 1000);
    await clock.advance(999);
    assert.equal(queue.length, 0);
    await clock.advance(1);
    assert.deepEqual(await waiting(queue), ['a']);
    assert.equal(clock.timers, 0);
  });

  it('lets the earlier of two delays win', async () => {
    const { clock, queue } = setUp();
    queue.addAfter('a', 5000);
    queue.addAfter('a', 1000);
    queue.addAfter('a', 3000);
    await clock.advance(1000);
    assert.deepEqual(await waiting(queue), ['a']);
    queue.done('a');
    await clock.advance(10_000);
    assert.equal(queue.length, 0);
  });

  it('keeps a delayed add when the key is added at once, so that it runs twice', async () => {
    const { clock, queue } = setUp();
    queue.addAfter('a', 1000);
    queue.add('a');
    assert.equal(await queue.get(), 'a');
    queue.done('a');
    await clock.advance(1000);
    assert.deepEqual(await waiting(queue), ['a']);
  });

  it('doubles the pause of a key with each failure up to the cap, until it is forgotten', async () => {
    const { clock, queue } = setUp({ baseDelayMs: 5000, maxDelayMs: 300_000 });
    const pauses: number[] = [];
    for (let failure = 0; failure < 8; failure++) {
      queue.addRateLimited('a');
      const before = clock.monotonic();
      while (queue.length === 0) await clock.advance(5000);
      pauses.push((clock.monotonic() - before) / 1000);
      queue.done((await queue.get()) ?? '');
    }
    assert.deepEqual(pauses, [5, 10, 20, 40, 80, 160, 300, 300]);
    assert.equal(queue.failures('a'), 8);
    queue.forget('a');
    assert.equal(queue.failures('a'), 0);
    queue.addRateLimited('a');
    await clock.advance(5000);
    assert.deepEqual(await waiting(queue), ['a']);
  });

  it('waits for the common budget when that takes longer than the pause of the key', async () => {
    const { clock, queue } = setUp({ qps: 1, burst: 2 });
    for (const key of ['a', 'b', 'c', 'd']) queue.addRateLimited(key);
    await clock.advance(5);
    assert.deepEqual(await waiting(queue), ['a', 'b']);
    await clock.advance(1000);
    assert.deepEqual(await waiting(queue), ['c']);
    await clock.advance(1000);
    assert.deepEqual(await waiting(queue), ['d']);
  });

  it('hands out what waits when shut down, then nothing, and takes no more', async () => {
    const { clock, queue } = setUp();
    queue.add('a');
    queue.addAfter('later', 1000);
    queue.addRateLimited('failed');
    const idle = setUp().queue;
    const taker = idle.get();
    queue.shutDown();
    idle.shutDown();
    queue.add('b');
    assert.equal(await queue.get(), 'a');
    assert.equal(await queue.get(), undefined);
    assert.equal(await taker, undefined);
    assert.equal(clock.timers, 0);
  });

  it('is drained when the last key in work is done', async () => {
    const { queue } = setUp();
    queue.add('a');
    queue.add('b');
    const key = (await queue.get()) ?? '';
    let drained = false;
    const draining = queue.drain().then(() => (drained = true));
    queue.done(key);
    await new FakeClock().advance(0);
    assert.equal(drained, false);
    queue.done((await queue.get()) ?? '');
    await draining;
    await queue.drain();
  });

  it('measures as client-go does', async () => {
    const metrics = createMetrics();
    const { clock, queue } = setUp({ name: 'service', metrics });
    const before = (await metrics.expose()).text;
    assert.match(before, /workqueue_depth\{name="service"\} 0/);
    assert.match(before, /workqueue_queue_duration_seconds_count\{name="service"\} 0/);

    queue.add('a');
    queue.add('a');
    queue.add('b');
    await clock.advance(2000);
    await queue.get();
    queue.add('a');
    await clock.advance(3000);
    const { text } = await metrics.expose();
    assert.match(text, /workqueue_depth\{name="service"\} 2/);
    assert.match(text, /workqueue_adds_total\{name="service"\} 3/);
    assert.match(text, /workqueue_queue_duration_seconds_sum\{name="service"\} 2/);
    assert.match(text, /workqueue_unfinished_work_seconds\{name="service"\} 3/);
    assert.match(text, /workqueue_longest_running_processor_seconds\{name="service"\} 3/);

    queue.done('a');
    queue.addAfter('c', 10);
    queue.addRateLimited('d');
    const after = (await metrics.expose()).text;
    assert.match(after, /workqueue_work_duration_seconds_sum\{name="service"\} 3/);
    assert.match(after, /workqueue_unfinished_work_seconds\{name="service"\} 0/);
    assert.match(after, /workqueue_retries_total\{name="service"\} 2/);
  });
});
