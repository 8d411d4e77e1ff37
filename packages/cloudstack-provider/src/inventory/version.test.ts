import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger, FakeClock, type LogRecord, Scope } from '@cloudstack-ccm/base';
import {
  ForbiddenError,
  TransportError,
  UnauthorizedError,
  type Capabilities,
} from '@cloudstack-ccm/cloudstack-client';
import { VersionSource } from './version.ts';

const REFUSAL = { command: 'listCapabilities', csErrorCode: 0, text: 'no', jobId: undefined };
const MINUTES = 60_000;

/** A source whose server gives these answers in turn; the last one for ever. */
function source(answers: readonly (string | undefined | Error)[], pinned?: string) {
  const clock = new FakeClock();
  const lines: LogRecord[] = [];
  let calls = 0;
  const client = {
    async listCapabilities(): Promise<Capabilities> {
      const answer = answers[Math.min(calls++, answers.length - 1)];
      if (answer instanceof Error) throw answer;
      return {
        cloudStackVersion: answer,
        apiLimitMax: undefined,
        apiLimitInterval: undefined,
        allowUserViewDestroyedVm: false,
      };
    },
  };
  const log = createLogger({ sink: (line) => lines.push(line), verbosity: { level: 0 }, now: () => 0 });
  const version = new VersionSource({ client, clock, log, pinned: () => pinned });
  return { clock, lines, calls: () => calls, get: () => version.get(Scope.root(clock)) };
}

test('takes the pinned version without asking', async () => {
  const { calls, get } = source([new Error('down')], '4.21.0.0');
  assert.equal(await get(), '4.21.0.0');
  assert.equal(calls(), 0);
});

test('asks once for everybody, and again after a while, since servers are upgraded', async () => {
  const { calls, clock, get } = source(['4.20.2.0', '4.22.1.0']);
  assert.deepEqual(await Promise.all([get(), get()]), ['4.20.2.0', '4.20.2.0']);
  assert.equal(calls(), 1);
  await clock.advance(10 * MINUTES);
  assert.equal(await get(), '4.22.1.0');
});

for (const [what, answer] of [
  ['forbids the question', new ForbiddenError({ ...REFUSAL, errorCode: 432 })],
  ['says nothing', undefined],
  ['says nothing, in words', ''],
] as const) {
  test(`the version of a server that ${what} is unknown, with one warning for all times`, async () => {
    const { clock, get, lines } = source([answer]);
    assert.equal(await get(), undefined);
    await clock.advance(20 * MINUTES);
    assert.equal(await get(), undefined);
    assert.equal(lines.length, 1);
    assert.match(lines[0]?.message ?? '', /^no CloudStack version returned by the management server/);
  });
}

test('a server that does not answer, or refuses the keys, is no server of unknown version', async () => {
  const lost = new TransportError({ command: 'x', host: 'h', reason: '', what: 'reset', sent: 'maybe' });
  for (const error of [lost, new UnauthorizedError({ ...REFUSAL, errorCode: 401 })]) {
    const { get, lines } = source([error, '4.22.1.0']);
    await assert.rejects(get(), error);
    assert.equal(await get(), '4.22.1.0', 'it is asked again at once');
    assert.equal(lines.length, 0);
  }
});
