import type { Fields, LogRecord, LogSink, Severity } from './log.ts';
import { messageOf } from './errors.ts';
import { jsonOf } from './log-value.ts';

const LETTER: Record<Severity, string> = { info: 'I', warning: 'W', error: 'E', fatal: 'F' };

/**
 * klog's text format: `Lmmdd hh:mm:ss.uuuuuu pid file:line] "message" key="value"`, local time, as every Kubernetes
 * component writes it and log pipelines parse it.
 */
export function klogSink(write: (line: string) => void, pid = process.pid): LogSink {
  return (record) => write(`${header(record, pid)}] ${body(record)}\n`);
}

function header(record: LogRecord, pid: number): string {
  const time = new Date(record.time);
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = two(time.getMonth() + 1) + two(time.getDate());
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
  const micros = String(Math.floor((record.time % 1000) * 1000)).padStart(6, '0');
  return `${LETTER[record.severity]}${date} ${clock}.${micros} ${String(pid).padStart(7)} ${record.caller}`;
}

function body({ message, error, fields }: LogRecord): string {
  const all: Fields = error === undefined ? fields : { err: messageOf(error), ...fields };
  const pairs = Object.entries(all).map(([key, value]) => `${key}=${jsonOf(value)}`);
  return [JSON.stringify(message), ...pairs].join(' ');
}
