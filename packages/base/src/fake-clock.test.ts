import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from './fake-clock.ts';

test('time stands still until it is advanced, and then wall and monotonic time move together', async () => {
  const clock = new FakeClock(1000);
  assert.deepEqual([clock.now(), clock.monotonic()], [1000, 0]);
  await clock.advance(250);
  assert.deepEqual([clock.now(), clock.monotonic()], [1250, 250]);
});

test('timers fire in the order of their times, then of their making, each at its own time', async () => {
  const clock = new FakeClock();
  const fired: string[] = [];
  const note = (name: string) => () => fired.push(`${name} at ${clock.monotonic()}`);
  clock.setTimer(20, note('late'));
  clock.setTimer(10, note('first'));
  clock.setTimer(10, note('second'));
  clock.setTimer(30, note('too late'));
  await clock.advance(25);
  assert.deepEqual(fired, ['first at 10', 'second at 10', 'late at 20']);
  assert.equal(clock.monotonic(), 25);
  assert.equal(clock.timers, 1);
});

test('what promises do between two timers is done before the second fires', async () => {
  const clock = new FakeClock();
  const fired: number[] = [];
  clock.setTimer(10, () => {
    void Promise.resolve()
      .then(() => undefined)
      .then(() => clock.setTimer(5, () => fired.push(clock.monotonic())));
  });
  clock.setTimer(20, () => fired.push(clock.monotonic()));
  await clock.advance(20);
  assert.deepEqual(fired, [15, 20]);
});

test('a cancelled timer never fires, and cancelling twice is harmless', async () => {
  const clock = new FakeClock();
  const timer = clock.setTimer(10, () => assert.fail('cancelled'));
  timer.cancel();
  timer.cancel();
  await clock.advance(20);
  assert.equal(clock.timers, 0);
});
