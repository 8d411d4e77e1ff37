import { inspect } from 'node:util';

/**
 * JSON of anything that a log line may carry. It never throws: what JSON cannot say (a cycle) is shown as Node's
 * inspector shows it, where secrets stay hidden as well.
 */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value, readable) ?? 'null';
  } catch {
    return JSON.stringify(inspect(value, { breakLength: Number.POSITIVE_INFINITY }));
  }
}

function readable(_key: string, value: unknown): unknown {
  if (value instanceof Error) return value.message;
  return typeof value === 'bigint' ? String(value) : value;
}
