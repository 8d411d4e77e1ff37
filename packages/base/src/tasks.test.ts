import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backoff } from './backoff.ts';
import { FakeClock } from './fake-clock.ts';
import { createLogger, type LogRecord } from './log.ts';
import { Scope } from './scope.ts';
import { Tasks } from './tasks.ts';

function setUp() {
  const clock = new FakeClock();
  const scope = Scope.root(clock);
  const lines: LogRecord[] = [];
  const log = createLogger({ sink: (record) => lines.push(record), verbosity: { level: 0 }, now: () => 0 });
  return { clock, scope, lines, tasks: new Tasks(scope, log) };
}

test('an error in background work is logged and ends nothing else', async () => {
  const { lines, tasks } = setUp();
  tasks.spawn('broken', () => Promise.reject(new Error('boom')));
  await tasks.drain();
  assert.deepEqual(
    lines.map(({ message, error, fields }) => [message, String(error), fields]),
    [['Background work failed', 'Error: boom', { task: 'broken' }]],
  );
});

test('an error that is thrown at once is logged too', async () => {
  const { lines, tasks } = setUp();
  tasks.spawn('broken', () => {
    throw new Error('boom');
  });
  await tasks.drain();
  assert.equal(lines.length, 1);
});

test('being cancelled is no error', async () => {
  const { scope, lines, tasks } = setUp();
  tasks.spawn('sleeper', (own) => own.sleep(1000));
  scope.cancel();
  await tasks.drain();
  assert.deepEqual(lines, []);
});

test('a loop starts its work again, pausing longer after each failure and shortest after a success', async () => {
  const { clock, scope, tasks } = setUp();
  const starts: number[] = [];
  tasks.loop('watch', new Backoff({ baseMs: 100, capMs: 1000 }), () => {
    starts.push(clock.monotonic());
    return starts.length < 4 ? Promise.reject(new Error('down')) : Promise.resolve();
  });
  await clock.advance(1000);
  // 0, +100, +200, +400 (works), then +100 each.
  assert.deepEqual(starts, [0, 100, 300, 700, 800, 900, 1000]);
  scope.cancel();
  await tasks.drain();
});

test('drain waits until work has really ended', async () => {
  const { clock, tasks } = setUp();
  let ended = false;
  tasks.spawn('slow', async (own) => {
    await own.sleep(50);
    ended = true;
  });
  const drained = tasks.drain().then(() => ended);
  await clock.advance(50);
  assert.equal(await drained, true);
});

test('drain waits for work that other work has started meanwhile', async () => {
  const { clock, tasks } = setUp();
  let ended = false;
  tasks.spawn('first', async (own) => {
    await own.sleep(50);
    tasks.spawn('second', async (later) => {
      await later.sleep(50);
      ended = true;
    });
  });
  const drained = tasks.drain().then(() => ended);
  await clock.advance(100);
  assert.equal(await drained, true);
});
