import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JobPace } from './job-pace.ts';

const calm = { random: () => 0 };

test('asks first when jobs of the command ended of late', () => {
  const pace = new JobPace(calm);
  pace.observe('assignToLoadBalancerRule', 4000);
  assert.equal(pace.nextPause('assignToLoadBalancerRule', 0), 4000);
  assert.equal(pace.nextPause('assignToLoadBalancerRule', 1000), 3000);
});

test('learns from each job, and a single slow one does not spoil it', () => {
  const pace = new JobPace(calm);
  for (let index = 0; index < 20; index++) pace.observe('createTags', 200);
  pace.observe('createTags', 10_000);
  assert.ok(pace.expected('createTags') < 3500);
  for (let index = 0; index < 20; index++) pace.observe('createTags', 200);
  assert.ok(pace.expected('createTags') < 250);
});

test('one command teaches nothing about another', () => {
  const pace = new JobPace(calm);
  pace.observe('associateIpAddress', 60_000);
  assert.equal(pace.expected('createTags'), 300);
});

test('asks ever more rarely after the expected time, within bounds', () => {
  const pace = new JobPace(calm);
  assert.deepEqual(
    [300, 2000, 10_000, 120_000].map((elapsed) => pace.nextPause('createTags', elapsed)),
    [200, 400, 2000, 10_000],
  );
});

test('spreads polls, so that jobs that began together are not asked for together', () => {
  const pace = new JobPace({ random: () => 0.5 });
  assert.equal(pace.nextPause('createTags', 10_000), 2200);
});
