import { readdirSync, readFileSync } from 'node:fs';

import type { Metrics } from '@cloudstack-ccm/base';

import { buildLabels, type BuildInfo } from '../options/build-info.ts';

/** The metrics of a process as every Prometheus client names them. Off Linux those that /proc tells are 0. */
export function processMetrics(metrics: Metrics): void {
  const counter = (name: string, help: string, collect: () => number) => metrics.counter({ name, help, collect });
  const gauge = (name: string, help: string, collect: () => number) => metrics.gauge({ name, help, collect });
  counter('process_cpu_seconds_total', 'Total user and system CPU time spent in seconds.', cpuSeconds);
  gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', () => process.memoryUsage.rss());
  gauge('process_virtual_memory_bytes', 'Virtual memory size in bytes.', () => statField(22));
  gauge('process_virtual_memory_max_bytes', 'Maximum amount of virtual memory available in bytes.', () =>
    limit('Max address space'),
  );
  gauge('process_open_fds', 'Number of open file descriptors.', openFiles);
  gauge('process_max_fds', 'Maximum number of open file descriptors.', () => limit('Max open files'));
  counter('process_network_receive_bytes_total', 'Number of bytes received by the process over the network.', () =>
    network(0),
  );
  counter('process_network_transmit_bytes_total', 'Number of bytes sent by the process over the network.', () =>
    network(8),
  );
  startTimeMetric(metrics);
}

export function startTimeMetric(metrics: Metrics): void {
  const started = Date.now() / 1000 - process.uptime();
  metrics.gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process since unix epoch in seconds.',
    collect: () => started,
  });
}

/** What was built, as labels of a metric that is always 1. */
export function buildMetric(metrics: Metrics, build: BuildInfo): void {
  const labels = buildLabels(build);
  const info = metrics.gauge({
    name: 'kubernetes_build_info',
    help: "[BETA] A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
    labels: Object.keys(labels),
  });
  info.set(1, labels);
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Field `index` of /proc/self/stat, counted from 0; the second one may hold blanks. */
function statField(index: number): number {
  const text = read('/proc/self/stat');
  const rest = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return Number(rest[index - 2] ?? 0);
}

function limit(name: string): number {
  const line = read('/proc/self/limits')
    .split('\n')
    .find((candidate) => candidate.startsWith(name));
  const value = /\s(\d+|unlimited)\s/.exec(line?.slice(name.length) ?? '')?.[1];
  return value === 'unlimited' ? 2 ** 64 : Number(value ?? 0);
}

function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}

/** A column of /proc/self/net/dev over all interfaces but the loopback one. */
function network(column: number): number {
  return read('/proc/self/net/dev')
    .split('\n')
    .map((line) => /^\s*([^:\s]+):\s*(.+)$/.exec(line))
    .filter((match) => match !== null && match[1] !== 'lo')
    .reduce((sum, match) => sum + Number(match?.[2]?.split(/\s+/)[column] ?? 0), 0);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
