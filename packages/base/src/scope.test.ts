import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CancelledError, DeadlineExceededError } from './errors.ts';
import { FakeClock } from './fake-clock.ts';
import { Scope } from './scope.ts';

test('cancelling a scope cancels its children and keeps the first reason', () => {
  const root = Scope.root(new FakeClock());
  const grandchild = root.child().child();
  const reason = new CancelledError('leadership was lost');
  root.cancel(reason);
  root.cancel(new CancelledError('too late'));
  assert.equal(grandchild.reason, reason);
  assert.throws(() => grandchild.throwIfCancelled(), reason);
});

test('cancelling a child leaves its parent alone', () => {
  const root = Scope.root(new FakeClock());
  root.child().cancel();
  assert.equal(root.cancelled, false);
});

test('a scope made from a cancelled one is cancelled from the start', () => {
  const root = Scope.root(new FakeClock());
  root.cancel();
  assert.equal(root.child().cancelled, true);
});

test('a deadline cancels with an error that names what was too slow', async () => {
  const clock = new FakeClock();
  const scope = Scope.root(clock).withDeadline(5000, 'GET /api/v1/nodes');
  await clock.advance(4999);
  assert.equal(scope.cancelled, false);
  await clock.advance(1);
  assert.ok(scope.reason instanceof DeadlineExceededError);
  assert.equal(scope.reason.message, 'GET /api/v1/nodes did not finish within 5 s');
});

test('work that ended in time leaves neither timer nor listener behind', async () => {
  const clock = new FakeClock();
  const root = Scope.root(clock);
  for (let call = 0; call < 100; call++) {
    using scope = root.withDeadline(5000, 'a call');
    await scope.wait(Promise.resolve());
  }
  assert.equal(clock.timers, 0);
  assert.equal(root.listeners, 0);
});

test('sleep ends after its time, or with the reason of the cancellation', async () => {
  const clock = new FakeClock();
  const root = Scope.root(clock);
  const first = root.sleep(100);
  await clock.advance(100);
  await first;
  const second = root.sleep(100);
  root.cancel(new CancelledError('stopping'));
  await assert.rejects(second, /stopping/);
  assert.equal(clock.timers, 0);
});

test('waiting for a promise ends with the scope, and its late failure is not unhandled', async () => {
  const root = Scope.root(new FakeClock());
  let fail = (_error: Error): void => undefined;
  const waited = root.wait(new Promise<void>((_resolve, reject) => (fail = reject)));
  root.cancel(new CancelledError('stopping'));
  await assert.rejects(waited, /stopping/);
  fail(new Error('late'));
  await new Promise((resolve) => setImmediate(resolve));
});

test('the signal aborts with the reason, also when it is asked for afterwards', () => {
  const root = Scope.root(new FakeClock());
  const early = root.signal;
  const reason = new CancelledError('stopping');
  root.cancel(reason);
  assert.equal(early.reason, reason);
  assert.equal(root.child().signal.reason, reason);
});

test('a listener that was taken off is not called', () => {
  const root = Scope.root(new FakeClock());
  let calls = 0;
  const off = root.onCancel(() => calls++);
  root.onCancel(() => (calls += 10));
  off();
  root.cancel();
  assert.equal(calls, 10);
});

test('a scope that has ended already ignores the late failure of what it is asked to wait for', async () => {
  const root = Scope.root(new FakeClock());
  root.cancel();
  const failing = Promise.reject(new Error('late'));
  await assert.rejects(root.wait(failing), CancelledError);
  await new Promise((resolve) => setImmediate(resolve));
});

test('work that cannot even start leaves no listener behind', async () => {
  const root = Scope.root(new FakeClock());
  const failure = new Error('cannot start');
  const start = (): undefined => {
    throw failure;
  };
  await assert.rejects(root.race(start), failure);
  assert.equal(root.listeners, 0);
});

test('a listener that fails keeps no other from being told', () => {
  const root = Scope.root(new FakeClock());
  const failure = new Error('listener');
  let told = false;
  root.onCancel(() => {
    throw failure;
  });
  root.onCancel(() => (told = true));
  assert.throws(() => root.cancel(), failure);
  assert.ok(told);
  assert.ok(root.cancelled);
});

test('a scope that was cancelled stays in nobody’s books', () => {
  const root = Scope.root(new FakeClock());
  const child = root.child();
  child.onCancel(() => undefined);
  assert.equal(root.listeners, 1);
  child.cancel();
  assert.deepEqual([root.listeners, child.listeners], [0, 0]);
});
