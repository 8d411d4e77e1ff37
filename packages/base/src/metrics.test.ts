import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics, exponentialBuckets } from './metrics.ts';

test('metrics appear with help, labels and values', async () => {
  const metrics = createMetrics();
  metrics.counter({ name: 'calls_total', help: '[ALPHA] Calls', labels: ['command'] }).inc({ command: 'listZones' }, 2);
  metrics.gauge({ name: 'age', help: 'Age', collect: () => 7 });
  metrics.histogram({ name: 'seconds', help: 'Time', buckets: [1, 10] }).observe(5);
  const { text, contentType } = await metrics.expose();
  assert.match(contentType, /^text\/plain/);
  for (const line of [
    '# HELP calls_total [ALPHA] Calls',
    'calls_total{command="listZones"} 2',
    'age 7',
    'seconds_bucket{le="10"} 1',
  ]) {
    assert.ok(text.includes(`${line}\n`), line);
  }
});

test('asking twice for a name gives the same metric', async () => {
  const metrics = createMetrics();
  metrics.counter({ name: 'calls_total', help: 'Calls' }).inc();
  metrics.counter({ name: 'calls_total', help: 'Calls' }).inc();
  assert.ok((await metrics.expose()).text.includes('calls_total 2\n'));
});

test('a label set that was removed is no longer shown', async () => {
  const metrics = createMetrics();
  const held = metrics.gauge({ name: 'held', help: 'Held', labels: ['node'] });
  held.set(1, { node: 'a' });
  held.remove({ node: 'a' });
  assert.ok(!(await metrics.expose()).text.includes('node="a"'));
});

test('two registries do not see each other', async () => {
  createMetrics().counter({ name: 'mine_total', help: 'Mine' }).inc();
  assert.ok(!(await createMetrics().expose()).text.includes('mine_total'));
});

test('bucket bounds grow by their factor', () => {
  assert.deepEqual(exponentialBuckets(1, 4, 6), [1, 4, 16, 64, 256, 1024]);
});

test('a tracked value is read at each scrape, until it is let go', async () => {
  const metrics = createMetrics();
  const gauge = metrics.gauge({ name: 'age_seconds', help: '[ALPHA] Age.', labels: ['name'] });
  let age = 1;
  const stop = gauge.track({ name: 'a' }, () => age);
  gauge.track({ name: 'b' }, () => 9);
  assert.match((await metrics.expose()).text, /age_seconds\{name="a"\} 1/);
  age = 2;
  assert.match((await metrics.expose()).text, /age_seconds\{name="a"\} 2/);
  stop();
  stop();
  const { text } = await metrics.expose();
  assert.ok(!text.includes('name="a"'));
  assert.match(text, /age_seconds\{name="b"\} 9/);
});

test('a histogram series shows before anything was observed', async () => {
  const metrics = createMetrics();
  const histogram = metrics.histogram({ name: 'wait_seconds', help: '[ALPHA] Wait.', labels: ['name'], buckets: [1] });
  histogram.zero({ name: 'a' });
  assert.match((await metrics.expose()).text, /wait_seconds_count\{name="a"\} 0/);
});
