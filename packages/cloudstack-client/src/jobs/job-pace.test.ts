import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JobPace } from './job-pace.ts';

const calm = { random: () => 0, expectedMs: 200 };

test('asks first when jobs of the command ended of late', () => {
  const pace = new JobPace(calm);
  pace.observe('assignToLoadBalancerRule', 4400, 3600);
  assert.equal(pace.nextPause('assignToLoadBalancerRule', 0), 4000);
  assert.equal(pace.nextPause('assignToLoadBalancerRule', 1000), 3000);
});

test('learns from each job, and a single slow one does not spoil it', () => {
  const pace = new JobPace(calm);
  for (let index = 0; index < 20; index++) pace.observe('createTags', 220, 180);
  pace.observe('createTags', 10_200, 9800);
  assert.ok(pace.expected('createTags') < 3500);
  for (let index = 0; index < 20; index++) pace.observe('createTags', 220, 180);
  assert.ok(pace.expected('createTags') < 250);
});

test('finds the time that jobs take, although polls only tell what it lies between', () => {
  const pace = new JobPace(calm);
  let polls = 0;
  for (let job = 0; job < 100; job++) {
    let [now, atWork] = [0, 0];
    for (;;) {
      now += pace.nextPause('associateIpAddress', now);
      polls++;
      if (now >= 180) break;
      atWork = now;
    }
    pace.observe('associateIpAddress', now, atWork);
  }
  assert.ok(Math.abs(pace.expected('associateIpAddress') - 180) < 40, `${pace.expected('associateIpAddress')}`);
  assert.ok(polls < 150, `${polls} polls for 100 jobs`);
});

test('a wait that began long after the job does not make it a long one', () => {
  const pace = new JobPace(calm);
  pace.observe('createTags', 60_000, 0);
  pace.observe('createTags', 150, 0);
  pace.observe('createTags', 60_000, 0);
  assert.ok(pace.expected('createTags') < 150);
});

test('one command teaches nothing about another', () => {
  const pace = new JobPace(calm);
  pace.observe('associateIpAddress', 60_000, 59_000);
  assert.equal(pace.expected('createTags'), 200);
});

test('asks ever more rarely after the expected time, within bounds', () => {
  const pace = new JobPace(calm);
  assert.deepEqual(
    [300, 2000, 10_000, 120_000].map((elapsed) => pace.nextPause('createTags', elapsed)),
    [100, 400, 2000, 10_000],
  );
});

test('spreads polls, so that jobs that began together are not asked for together', () => {
  const pace = new JobPace({ random: () => 0.5 });
  assert.equal(pace.nextPause('createTags', 10_000), 2100);
});

test('begins with what was measured for a command, where nothing was seen yet', () => {
  const pace = new JobPace({ random: () => 0 });
  assert.equal(pace.expected('assignToLoadBalancerRule'), 270);
  assert.equal(pace.expected('aCommandOfTomorrow'), 150);
});
