import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@cloudstack-ccm/base';
import { Faults } from './faults.ts';
import { Jobs } from './jobs.ts';
import { Random } from './random.ts';
import { State } from './state.ts';
import { pick, timingByName } from './timing.ts';

/** The jobs of one new Service. */
const STEPS = ['associateIpAddress', 'createLoadBalancerRule', 'assignToLoadBalancerRule', 'createFirewallRule'];

/** A creating call until its answer. */
const ANSWER_MS = 77;

/** From the end of a job to the answer of the poll that finds it done, with a poll every 0.2 seconds. */
const POLL_MS = 100;

/** Seconds for 14 new Services in one network, so many at a time. */
async function seconds(atATime: number): Promise<number> {
  const clock = new FakeClock();
  const random = new Random(1);
  const timing = timingByName('recorded');
  const state = new State();
  const jobs = new Jobs({ state, clock, random, faults: new Faults(random), timing: () => timing });
  let left = 14;
  const step = (command: string): Promise<void> =>
    new Promise((resolve) => {
      const run = async (job: { work(): Promise<void> }): Promise<undefined> => {
        await job.work();
        clock.setTimer(POLL_MS, resolve);
        return undefined;
      };
      const common = { accountId: 'a', userId: 'u', account: 'k8s', commandClass: command, queue: 'net' };
      clock.setTimer(ANSWER_MS, () => jobs.submit({ ...common, command, run }));
    });
  const worker = async (): Promise<void> => {
    while (left-- > 0) for (const command of STEPS) await step(command);
  };
  const progress = { ended: false };
  const all = Promise.all(Array.from({ length: atATime }, worker)).then(() => (progress.ended = true));
  while (!progress.ended) await clock.advance(10);
  await all;
  return clock.monotonic() / 1000;
}

test('takes as long for 14 Services in one network as a real server, whose best is two at a time', async () => {
  const measured: readonly (readonly [number, number])[] = [
    [1, 17.7],
    [2, 11.7],
    [4, 17.0],
    [8, 21.9],
    [14, 37.2],
  ];
  for (const [atATime, real] of measured) {
    const simulated = await seconds(atATime);
    assert.ok(Math.abs(simulated - real) / real < 0.1, `${atATime} at a time: ${simulated} s, measured ${real} s`);
  }
});

test('answers lists sooner than calls that make something', () => {
  const recorded = timingByName('recorded');
  const random = new Random(1);
  const answer = (command: string): number => pick(recorded.answer(command), random);
  assert.ok(answer('listZones') <= 40);
  assert.ok(answer('createFirewallRule') >= 65);
  assert.ok(answer('deleteFirewallRule') <= 40);
  assert.deepEqual(timingByName('instant').answer('listZones'), [0, 0]);
});

test('takes less than a second for one Service that is polled closely, as a real server', () => {
  const recorded = timingByName('recorded');
  const random = new Random(1);
  const ms = STEPS.map((command) => pick(recorded.answer(command), random) + pick(recorded.job(command), random));
  const sum = ms.reduce((total, one) => total + one, 0);
  assert.ok(Math.abs(sum - 850) < 100, `${sum} ms`);
});
