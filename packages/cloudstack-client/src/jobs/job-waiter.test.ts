import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CancelledError, createMetrics, FakeClock, Scope, silentLogger } from '@cloudstack-ccm/base';
import { readAnswer } from '../answer.ts';
import type { Call } from '../call.ts';
import { assignToLoadBalancerRule, createLoadBalancerRule } from '../commands/load-balancer-rules.ts';
import { associateIpAddress } from '../commands/public-ips.ts';
import { createStickinessPolicy } from '../commands/stickiness-policies.ts';
import {
  CloudStackApiError,
  ForbiddenError,
  JobInterruptedError,
  JobTimeoutError,
  NotFoundError,
  TransportError,
} from '../errors.ts';
import { recorded } from '../testing/recorded.ts';
import { JobPace } from './job-pace.ts';
import { JobWaiter } from './job-waiter.ts';

const poll = (name: string): unknown => readAnswer({ command: 'queryAsyncJobResult', host: 'h' }, recorded(name));
const PENDING = poll('associateIpAddress/isolated.job-pending');

/** A waiter whose polls get these answers, one after the other; the last one for ever. */
function waiter(answers: readonly unknown[], timeoutMs = 300_000) {
  const clock = new FakeClock();
  const calls: Call[] = [];
  const metrics = createMetrics();
  const jobs = new JobWaiter({
    dispatch: async (_scope, call) => {
      const answer = answers[Math.min(calls.length, answers.length - 1)];
      calls.push(call);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    clock,
    log: silentLogger,
    pace: new JobPace({ random: () => 0, expectedMs: 200 }),
    timeoutMs,
    durations: metrics.histogram({ name: 'd', help: 'd', labels: ['command', 'result'], buckets: [1] }),
  });
  return { clock, calls, jobs, metrics, scope: Scope.root(clock) };
}

test('waits until the job is done and gives its object', async () => {
  const { clock, calls, jobs, scope } = waiter([PENDING, PENDING, poll('associateIpAddress/isolated.job')]);
  const job = jobs.handle(associateIpAddress, 'job-1', 'ip-1');
  const result = job.wait(scope);
  await clock.advance(10_000);
  const address = await result;
  assert.equal(address.state, 'Allocated');
  assert.match(address.ipAddress, /^\d+\.\d+\.\d+\.\d+$/);
  assert.equal(job.objectId, 'ip-1');
  assert.deepEqual(
    calls.map(({ params }) => params['jobId']),
    ['job-1', 'job-1', 'job-1'],
  );
});

test('does not ask before the job is expected to be done', async () => {
  const { clock, calls, jobs, scope } = waiter([poll('assignToLoadBalancerRule/ok.job')]);
  const result = jobs.handle(assignToLoadBalancerRule, 'job-1', undefined).wait(scope);
  await clock.advance(199);
  assert.equal(calls.length, 0);
  await clock.advance(1);
  await result;
});

test('does not ask for a job that waits behind others before it can have begun and ended', async () => {
  const done = poll('assignToLoadBalancerRule/ok.job');
  const { clock, calls, jobs, scope } = waiter([PENDING, done, done]);
  let begins = 1000;
  const job = jobs.handle(assignToLoadBalancerRule, 'job-1', undefined);
  assert.equal(job.expectedMs, 200);
  const result = job.wait(scope, () => begins);
  await clock.advance(1199);
  assert.equal(calls.length, 0);
  begins = 2000;
  await clock.advance(1);
  assert.equal(calls.length, 1);
  await clock.advance(999);
  assert.equal(calls.length, 1, 'it begins later than was thought');
  await clock.advance(1);
  await result;
  const next = jobs.handle(assignToLoadBalancerRule, 'job-2', undefined);
  assert.equal(next.expectedMs, 194, 'only what it took from its beginning is learnt');
});

test('takes the durations it sees as the measure for the next job of the command', async () => {
  const { clock, calls, jobs, scope } = waiter([PENDING, PENDING, PENDING, poll('assignToLoadBalancerRule/ok.job')]);
  const first = jobs.handle(assignToLoadBalancerRule, 'job-1', undefined).wait(scope);
  await clock.advance(2000);
  await first;
  calls.length = 3;
  const second = jobs.handle(assignToLoadBalancerRule, 'job-2', undefined).wait(scope);
  await clock.advance(440);
  assert.equal(calls.length, 3, 'the first job ended between 400 and 500 ms');
  await clock.advance(20);
  await second;
});

test('reads the results of creates', async () => {
  const rule = waiter([poll('createLoadBalancerRule/tcp.job')]);
  const created = rule.jobs.handle(createLoadBalancerRule, 'job-1', 'lb-1').wait(rule.scope);
  await rule.clock.advance(1000);
  assert.equal((await created).protocol, 'tcp');
  const policy = waiter([poll('createLBStickinessPolicy/source-based.job')]);
  const policies = policy.jobs.handle(createStickinessPolicy, 'job-1', 'sp-1').wait(policy.scope);
  await policy.clock.advance(1000);
  assert.deepEqual((await policies)[0]?.params, { expire: '30m', tablesize: '200k' });
});

async function failureOf(answer: unknown): Promise<unknown> {
  const { clock, jobs, scope } = waiter([answer]);
  const failure = jobs
    .handle(assignToLoadBalancerRule, 'job-1', undefined)
    .wait(scope)
    .catch((error: unknown) => error);
  await clock.advance(1000);
  return failure;
}

test('a failed job is the same kind of error as a refused command, and names its job', async () => {
  const error = await failureOf(poll('assignToLoadBalancerRule/foreign-vm.job'));
  assert.ok(error instanceof CloudStackApiError);
  assert.equal(
    error.message,
    'CloudStack API error 530 (CSExceptionErrorCode: 0): Failed to assign load balancer rule',
  );
  assert.equal(error.command, 'assignToLoadBalancerRule');
  assert.ok(error.jobId);
});

test('a job fails with the class of its code', async () => {
  const jobresult = { errorcode: 531, errortext: 'no' };
  assert.ok((await failureOf({ jobid: 'j', jobstatus: 2, jobresultcode: 531, jobresult })) instanceof ForbiddenError);
});

test('a job without a result was cut by a restart', async () => {
  const error = await failureOf(poll('assignToLoadBalancerRule/interrupted-by-restart.job'));
  assert.ok(error instanceof JobInterruptedError);
  assert.equal(error.errorCode, 530);
});

test('an unknown job is an error, not a wait for ever', async () => {
  const text = 'Invalid parameter jobid value=j due to incorrect long value format, or entity does not exist or …';
  const unknown = new NotFoundError({
    command: 'queryAsyncJobResult',
    errorCode: 431,
    csErrorCode: 0,
    text,
    jobId: undefined,
  });
  assert.equal(await failureOf(unknown), unknown);
});

test('goes on asking when a question gets lost', async () => {
  const lost = new TransportError({
    command: 'queryAsyncJobResult',
    host: 'h',
    reason: 'ECONNRESET',
    what: 'reset',
    sent: 'maybe',
  });
  const { clock, jobs, scope } = waiter([lost, lost, poll('assignToLoadBalancerRule/ok.job')]);
  const result = jobs.handle(assignToLoadBalancerRule, 'job-1', undefined).wait(scope);
  await clock.advance(5000);
  await result;
});

test('gives up after the time allowed, and can wait for the same job again', async () => {
  const answers: unknown[] = [PENDING];
  const { clock, jobs, scope } = waiter(answers, 60_000);
  const job = jobs.handle(assignToLoadBalancerRule, 'job-1', undefined);
  const failure = job.wait(scope).catch((error: unknown) => error);
  await clock.advance(61_000);
  const error = await failure;
  assert.ok(error instanceof JobTimeoutError);
  assert.match(error.message, /^Timeout while waiting for async job to finish: job job-1 of assignToLoadBalancerRule/);
  answers[0] = poll('assignToLoadBalancerRule/ok.job');
  const again = job.wait(scope);
  await clock.advance(20_000);
  await again;
});

test('stops at once when nobody waits any more', async () => {
  const { clock, calls, jobs, scope } = waiter([PENDING]);
  const failure = jobs
    .handle(assignToLoadBalancerRule, 'job-1', undefined)
    .wait(scope)
    .catch((error: unknown) => error);
  await clock.advance(500);
  scope.cancel();
  assert.ok((await failure) instanceof CancelledError);
  const asked = calls.length;
  await clock.advance(60_000);
  assert.equal(calls.length, asked);
  assert.equal(clock.timers, 0);
});

test('measures jobs by command and result', async () => {
  const { clock, jobs, metrics, scope } = waiter([poll('assignToLoadBalancerRule/ok.job')]);
  const result = jobs.handle(assignToLoadBalancerRule, 'job-1', undefined).wait(scope);
  await clock.advance(1000);
  await result;
  assert.match((await metrics.expose()).text, /d_count\{command="assignToLoadBalancerRule",result="done"\} 1/);
});
