import type { LogSink } from './log.ts';
import { messageOf } from './errors.ts';

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
    write(`${JSON.stringify(line, errorsAsText)}\n`);
  };
}

function errorsAsText(_key: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value;
}
