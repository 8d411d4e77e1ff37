import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backoff, backoffDelay } from './backoff.ts';

test('pauses double up to the cap, and start over after a reset', () => {
  const backoff = new Backoff({ baseMs: 5000, capMs: 300_000 });
  const pauses = Array.from({ length: 8 }, () => backoff.next() / 1000);
  assert.deepEqual(pauses, [5, 10, 20, 40, 80, 160, 300, 300]);
  assert.equal(backoff.failures, 8);
  backoff.reset();
  assert.equal(backoff.next(), 5000);
});

test('jitter adds up to its share of the pause', () => {
  const options = { baseMs: 100, capMs: 1000, jitter: 0.5 };
  assert.equal(backoffDelay({ ...options, random: () => 0 }, 0), 100);
  assert.equal(backoffDelay({ ...options, random: () => 0.5 }, 0), 125);
});

test('a huge number of failures is still the cap', () => {
  assert.equal(backoffDelay({ baseMs: 5, capMs: 1000 }, 1e6), 1000);
});
