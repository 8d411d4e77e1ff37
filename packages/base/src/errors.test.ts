import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  asError,
  CancelledError,
  CombinedError,
  DeadlineExceededError,
  InvalidInputError,
  messageOf,
} from './errors.ts';

test('errors carry a stable code, the name of their class and their data', () => {
  const error = new DeadlineExceededError('GET /api/v1/nodes', 1500);
  assert.deepEqual(
    [error.code, error.name, error.message, error.timeoutMs],
    ['DEADLINE_EXCEEDED', 'DeadlineExceededError', 'GET /api/v1/nodes did not finish within 1.5 s', 1500],
  );
  assert.deepEqual([new CancelledError('x').code, new InvalidInputError('y').code], ['CANCELLED', 'INVALID_INPUT']);
});

test('several errors become one that hides none and says nothing twice', () => {
  const [a, b] = [new Error('a'), new Error('b')];
  assert.equal(CombinedError.of([]), undefined);
  assert.equal(CombinedError.of([a]), a);
  const combined = CombinedError.of([a, b, new Error('a')]);
  assert.equal(combined?.message, '[a, b]');
  assert.ok(combined instanceof CombinedError && combined.errors.length === 3);
  assert.equal(CombinedError.of([a, new Error('a')])?.message, 'a');
});

test('whatever was thrown becomes an error with a text', () => {
  const error = new Error('x');
  assert.equal(asError(error), error);
  assert.equal(asError('text').message, 'text');
  assert.equal(messageOf(undefined), 'undefined');
});
