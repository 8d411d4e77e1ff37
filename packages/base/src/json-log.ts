import { messageOf } from './errors.ts';
import { jsonOf } from './log-value.ts';
import type { LogSink } from './log.ts';

/**
 * component-base's JSON format: `ts` in milliseconds, `caller`, `msg`, `v` on info lines, `err` on errors, then the
 * fields.
 */
export function jsonSink(write: (line: string) => void): LogSink {
  return ({ time, severity, verbosity, message, error, fields, caller }) => {
    const line = {
      ts: time,
      caller,
      msg: message,
      ...(severity === 'info' && { v: verbosity }),
      ...(error !== undefined && { err: messageOf(error) }),
      ...fields,
    };
    const members = Object.entries(line)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `${JSON.stringify(key)}:${jsonOf(value)}`);
    write(`{${members.join(',')}}\n`);
  };
}
