import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createLogger,
  createMetrics,
  DeadlineExceededError,
  FakeClock,
  type LogRecord,
  Scope,
  Secret,
} from '@cloudstack-ccm/base';
import { decorate, type Call, type Dispatch } from '../call.ts';
import { apiError, NotJsonError, TransportError, WriteFencedError } from '../errors.ts';
import { deadline } from './deadline.ts';
import { logging } from './logging.ts';
import { metering } from './metering.ts';
import { rateLimit } from './rate-limit.ts';
import { retry } from './retry.ts';
import { writeFence } from './write-fence.ts';

const LIST: Call = { command: 'listZones', params: {}, writes: false };
const WRITE: Call = { command: 'createTags', params: {}, writes: true };

const HOST = 'cloud.example.test';
const transport = (sent: 'no' | 'maybe'): TransportError =>
  new TransportError({ command: 'x', host: HOST, reason: 'ECONNRESET', what: 'socket hang up', sent });
const notJson = (status: number, contentType = 'text/html'): NotJsonError =>
  new NotJsonError({ command: 'x', host: HOST, status, contentType });
const refusal = (errorCode: number, text = 'no'): Error =>
  apiError({ command: 'x', errorCode, csErrorCode: 0, text, jobId: undefined });
const limited = refusal(429, 'The given user has reached his/her account api limit, please retry after [637] ms.');

/** A core that fails with these errors in turn, then answers. It notes when it was called. */
function core(clock: FakeClock, errors: readonly Error[]) {
  const times: number[] = [];
  const dispatch: Dispatch = async () => {
    const error = errors[times.length];
    times.push(clock.monotonic());
    if (error) throw error;
    return 'answer';
  };
  return { dispatch, times };
}

const counter = () => {
  const seen: Readonly<Record<string, string>>[] = [];
  return { seen, inc: (labels = {}) => void seen.push(labels) };
};

async function outcome(clock: FakeClock, work: Promise<unknown>, forMs = 60_000): Promise<unknown> {
  const settled = work.catch((error: unknown) => error);
  await clock.advance(forMs);
  return settled;
}

for (const [what, call, error, calls] of [
  ['a list whose connection broke', LIST, transport('maybe'), 3],
  ['a list that a gateway refused', LIST, notJson(503), 3],
  ['a list with an empty answer', LIST, notJson(200, ''), 3],
  ['a write that certainly was not sent', WRITE, transport('no'), 3],
  ['a write whose answer was lost', WRITE, transport('maybe'), 1],
  ['a write that a gateway gave up', WRITE, notJson(504), 1],
  ['a list that is sent elsewhere', LIST, notJson(302), 1],
  ['a list that meets a login page', LIST, notJson(200), 1],
  ['a list that CloudStack refused', LIST, refusal(530), 1],
  ['a list with wrong keys', LIST, refusal(401), 1],
] as const) {
  test(`${calls === 1 ? 'does not repeat' : 'repeats'} ${what}`, async () => {
    const clock = new FakeClock();
    const { dispatch, times } = core(clock, [error, error, error, error]);
    const retries = counter();
    const send = decorate(dispatch, retry({ retries }));
    assert.equal(await outcome(clock, send(Scope.root(clock), call)), error);
    assert.equal(times.length, calls);
    assert.equal(retries.seen.length, calls - 1);
  });
}

test('a repeated call gives its answer, after a pause that grows', async () => {
  const clock = new FakeClock();
  const { dispatch, times } = core(clock, [transport('maybe'), transport('maybe')]);
  const send = decorate(dispatch, retry({ retries: counter(), backoff: { baseMs: 100, capMs: 2000 } }));
  assert.equal(await outcome(clock, send(Scope.root(clock), LIST)), 'answer');
  assert.deepEqual(times, [0, 100, 300]);
});

test('does not repeat for a caller that went away', async () => {
  const clock = new FakeClock();
  const { dispatch, times } = core(clock, [transport('maybe'), transport('maybe')]);
  const scope = Scope.root(clock);
  const sent = outcome(clock, decorate(dispatch, retry({ retries: counter() }))(scope, LIST));
  await Promise.resolve();
  scope.cancel();
  await sent;
  assert.equal(times.length, 1);
});

test('waits as long as CloudStack wants when calls are used up, each time, and then goes on', async () => {
  const clock = new FakeClock();
  const { dispatch, times } = core(clock, [limited, limited, limited]);
  const seen = counter();
  const send = decorate(dispatch, rateLimit({ clock, limited: seen, random: () => 0 }));
  assert.equal(await outcome(clock, send(Scope.root(clock), WRITE)), 'answer');
  assert.deepEqual(times, [0, 637, 1274, 1911]);
  assert.equal(seen.seen.length, 3);
});

test('one refusal holds back the calls of everybody, since the account shares the limit', async () => {
  const clock = new FakeClock();
  const { dispatch, times } = core(clock, [limited]);
  const send = decorate(dispatch, rateLimit({ clock, limited: counter(), random: () => 0 }));
  const first = send(Scope.root(clock), LIST);
  await clock.advance(100);
  const second = send(Scope.root(clock), LIST);
  assert.deepEqual(await outcome(clock, Promise.all([first, second])), ['answer', 'answer']);
  assert.deepEqual(times, [0, 637, 637]);
});

test('spreads calls over time when they come faster than the budget', async () => {
  const clock = new FakeClock();
  const { dispatch, times } = core(clock, []);
  const send = decorate(dispatch, rateLimit({ clock, limited: counter(), perSecond: 10, burst: 2 }));
  await outcome(clock, Promise.all([1, 2, 3, 4].map(() => send(Scope.root(clock), LIST))));
  assert.deepEqual(times, [0, 0, 100, 200]);
});

test('a deadline ends a call that only ever waits for its turn', async () => {
  const clock = new FakeClock();
  const { dispatch } = core(
    clock,
    Array.from({ length: 1000 }, () => limited),
  );
  const limit = rateLimit({ clock, limited: counter(), random: () => 0 });
  const send = decorate(dispatch, deadline({ host: () => HOST, timeoutMs: () => 5000 }), limit);
  const error = await outcome(clock, send(Scope.root(clock), LIST));
  assert.ok(error instanceof DeadlineExceededError);
  assert.equal(error.message, `listZones to ${HOST} did not finish within 5 s`);
  assert.equal(clock.timers, 0);
});

test('holds back writes once this process may not write any more, and lets lists through', async () => {
  const clock = new FakeClock();
  const { dispatch, times } = core(clock, []);
  let leader = true;
  const send = decorate(
    dispatch,
    writeFence(() => leader),
  );
  await send(Scope.root(clock), WRITE);
  leader = false;
  await assert.rejects(send(Scope.root(clock), WRITE), WriteFencedError);
  await send(Scope.root(clock), LIST);
  assert.equal(times.length, 2);
});

test('counts calls by command and result', async () => {
  const clock = new FakeClock();
  const metrics = createMetrics();
  const { dispatch } = core(clock, [refusal(431), transport('maybe'), notJson(502)]);
  const send = decorate(dispatch, metering(metrics, clock));
  for (let index = 0; index < 4; index++) await send(Scope.root(clock), LIST).catch(() => undefined);
  const { text } = await metrics.expose();
  for (const result of ['431', 'transport', 'not_json', 'success']) {
    assert.match(text, new RegExp(`cloudstack_api_requests_total\\{command="listZones",result="${result}"\\} 1`));
  }
  assert.match(text, /cloudstack_api_request_duration_seconds_count\{command="listZones"\} 4/);
});

function linesAt(level: number) {
  const lines: LogRecord[] = [];
  const log = createLogger({ sink: (line) => lines.push(line), verbosity: { level }, now: () => 0 });
  return { lines, log };
}

test('writes a line for each call at verbosity 6, with host and failure, and parameters from 8 on', async () => {
  const clock = new FakeClock();
  const call = { ...LIST, params: { name: 'zone-a', privateKey: new Secret('PEM') } };
  const at = async (level: number): Promise<readonly LogRecord[]> => {
    const { lines, log } = linesAt(level);
    const { dispatch } = core(clock, [refusal(530, 'out of order')]);
    await decorate(dispatch, logging({ log, clock, host: () => HOST }))(Scope.root(clock), call).catch(() => undefined);
    return lines;
  };
  assert.equal((await at(5)).length, 0);
  const [line] = await at(6);
  assert.equal(line?.fields['command'], 'listZones');
  assert.equal(line.fields['host'], HOST);
  assert.match(String(line.fields['error']), /out of order/);
  assert.equal(line.fields['params'], undefined);
  const [detailed] = await at(8);
  assert.match(JSON.stringify(detailed), /zone-a/);
  assert.doesNotMatch(JSON.stringify(detailed), /PEM/);
});
