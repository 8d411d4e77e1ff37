import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProviderId, writeProviderId } from './provider-id.ts';

const ID = '202b9cf4-3677-4bb1-b45d-2e9b4e3e3899';

for (const text of [
  `external-cloudstack://${ID}`,
  `external-cloudstack:///${ID}`,
  `cloudstack:///${ID}`,
  `cloudstack://eu-west/${ID}`,
  `cloudstack://${ID}`,
  `CloudStack:///${ID.toUpperCase()}`,
  ID,
  ID.toUpperCase(),
]) {
  test(`reads ${text}`, () => assert.deepEqual(readProviderId(text), { kind: 'machine', id: ID }));
}

for (const text of [
  'kind://docker/e2e/e2e-worker',
  'k3s://node-1',
  'aws:///eu-west-1a/i-0',
  '://x',
  'external-cloudstack-2://x',
]) {
  test(`${text} belongs to another system`, () => assert.equal(readProviderId(text).kind, 'foreign'));
}

for (const text of [
  'cloudstack:///not/an/id',
  'external-cloudstack://',
  'cloudstack:///',
  'cloudstack://a/b/c',
  'a/b',
  'cloudstack:///a b',
]) {
  test(`${JSON.stringify(text)} holds no id`, () => assert.equal(readProviderId(text).kind, 'malformed'));
}

test('no provider ID is none', () => assert.deepEqual(readProviderId(''), { kind: 'none' }));

test('writes what it reads', () => {
  assert.equal(writeProviderId(ID), `external-cloudstack://${ID}`);
  assert.deepEqual(readProviderId(writeProviderId(ID)), { kind: 'machine', id: ID });
});
