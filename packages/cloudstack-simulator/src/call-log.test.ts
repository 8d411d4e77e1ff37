import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallLog } from './call-log.ts';

function fill(log: CallLog, calls: number, value = ''): void {
  for (let call = 0; call < calls; call++) {
    log.add({ time: 0, command: 'listZones', outcome: { status: 200 } }, new Map([['name', value]]));
  }
}

test('keeps the latest calls, and counts those that it forgot', () => {
  const log = new CallLog({ entries: 100 });
  fill(log, 1000);
  assert.ok(log.entries.length > 49 && log.entries.length <= 100, `${log.entries.length}`);
  assert.equal(log.entries.at(-1)?.seq, 1000);
  assert.deepEqual(log.counts, { listZones: 1000 });
});

test('keeps fewer calls where they are long', () => {
  const log = new CallLog({ letters: 10_000 });
  fill(log, 1000, 'x'.repeat(100));
  assert.ok(log.entries.length >= 50 && log.entries.length <= 100, `${log.entries.length}`);
  log.clear();
  fill(log, 100, 'x'.repeat(100));
  assert.equal(log.entries.length, 100);
});
