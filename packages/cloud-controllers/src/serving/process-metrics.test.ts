import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createMetrics } from '@cloudstack-ccm/base';

import { buildMetric, processMetrics } from './process-metrics.ts';

test('A process shows its time, memory, files and build', async () => {
  const metrics = createMetrics();
  processMetrics(metrics);
  buildMetric(metrics, { version: 'v1.2.3', commit: 'abc', buildDate: '2026-01-01T00:00:00Z' });
  const { text } = await metrics.expose();
  const value = (name: string): number => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
  assert.ok(value('process_cpu_seconds_total') > 0);
  assert.ok(value('process_resident_memory_bytes') > 10e6);
  assert.ok(Math.abs(value('process_start_time_seconds') - Date.now() / 1000 + process.uptime()) < 2);
  assert.match(text, /^# TYPE process_cpu_seconds_total counter$/m);
  assert.match(text, /^kubernetes_build_info\{major="1",minor="2",git_version="v1\.2\.3",git_commit="abc",.*\} 1$/m);
});

test('What only the kernel of Linux tells is 0 elsewhere', async () => {
  const metrics = createMetrics();
  processMetrics(metrics);
  const { text } = await metrics.expose();
  const value = (name: string): number => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
  const linux = process.platform === 'linux';
  assert.equal(value('process_virtual_memory_bytes') > value('process_resident_memory_bytes'), linux);
  assert.equal(value('process_virtual_memory_max_bytes') > 0, linux);
  assert.equal(value('process_open_fds') > 2, linux);
  assert.equal(value('process_max_fds') > 2, linux);
  assert.ok(value('process_network_receive_bytes_total') >= 0);
});
