import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonSink } from './json-log.ts';
import { klogSink } from './klog.ts';
import { createLogger, type LogSink, type Verbosity } from './log.ts';
import { Secret } from './secret.ts';

const TIME = new Date(2026, 2, 4, 5, 6, 7, 89).getTime();

function logTo(make: (write: (line: string) => void) => LogSink, verbosity: Verbosity = { level: 2 }) {
  const lines: string[] = [];
  return { lines, log: createLogger({ sink: make((line) => lines.push(line)), verbosity, now: () => TIME }) };
}

const klog = (write: (line: string) => void): LogSink => klogSink(write, 42);

test('klog lines carry letter, date, process and place, then message and fields', () => {
  const { lines, log } = logTo(klog);
  log.info('Synced', { node: 'node-1', count: 2, ready: true });
  log.error('Failed', new Error('no "route"'), { service: 'default/web' });
  assert.match(
    lines[0] ?? '',
    /^I0304 05:06:07\.089000 {6}42 logging\.test\.ts:\d+] "Synced" node="node-1" count=2 ready=true\n$/,
  );
  assert.match(lines[1] ?? '', /^E0304 .*] "Failed" err="no \\"route\\"" service="default\/web"\n$/);
});

test('JSON lines carry ts, caller, msg and v as component-base writes them', () => {
  const { lines, log } = logTo(jsonSink);
  log.debug(2, 'Listed', { nodes: 3, cause: new Error('slow') });
  log.error('Failed', new Error('boom'));
  const [info, error] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.match(String(info?.['caller']), /^logging\.test\.ts:\d+$/);
  assert.deepEqual({ ...info, caller: '' }, { ts: TIME, caller: '', msg: 'Listed', v: 2, nodes: 3, cause: 'slow' });
  assert.deepEqual({ ...error, caller: '' }, { ts: TIME, caller: '', msg: 'Failed', err: 'boom' });
});

test('lines above the verbosity do not show, and the verbosity may change', () => {
  const verbosity = { level: 2 };
  const { lines, log } = logTo(klog, verbosity);
  log.debug(3, 'hidden');
  assert.equal(log.enabled(3), false);
  verbosity.level = 3;
  log.debug(3, 'shown');
  assert.equal(lines.length, 1);
});

test('fields of a derived logger are on each of its lines', () => {
  const { lines, log } = logTo(jsonSink);
  log.with({ controller: 'node' }).with({ node: 'a' }).info('Synced');
  assert.deepEqual(
    (({ controller, node }) => ({ controller, node }))(JSON.parse(lines[0] ?? '') as Record<string, unknown>),
    { controller: 'node', node: 'a' },
  );
});

test('a secret shows nowhere, however it is logged', () => {
  const secret = new Secret('hunter2');
  for (const sink of [klog, jsonSink]) {
    const { lines, log } = logTo(sink);
    log.info(`key ${secret.toString()}`, { secret, nested: { deep: [secret] } });
    assert.ok(lines.join('').includes('<redacted>'));
    assert.ok(!lines.join('').includes('hunter2'));
  }
});

test('a value that JSON cannot say is shown nevertheless: logging never throws', () => {
  const cycle: Record<string, unknown> = { key: new Secret('hunter2') };
  cycle['self'] = cycle;
  for (const sink of [klog, jsonSink]) {
    const { lines, log } = logTo(sink);
    log.info('Odd', { cycle, big: 12n, nothing: undefined, errors: [new Error('inner')] });
    assert.match(lines[0] ?? '', /Circular/);
    assert.match(lines[0] ?? '', /"?big"?[=:]"12"/);
    assert.match(lines[0] ?? '', /\["inner"\]/);
    assert.ok(!lines.join('').includes('hunter2'));
  }
});
