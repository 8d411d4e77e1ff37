import { InvalidInputError } from './errors.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const TERM = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/gy;

/** Reads Go's duration syntax (`1h30m`, `100ms`, `0`) as milliseconds; undefined for anything else. */
export function parseGoDuration(text: string): number | undefined {
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  const rest = text.slice(sign.length);
  if (rest === '0') return 0;
  let total = 0;
  let read = 0;
  for (const [term, amount = '', unit = ''] of rest.matchAll(TERM)) {
    total += Number(amount) * (UNIT_MS[unit] ?? Number.NaN);
    read += term.length;
  }
  if (read === 0 || read !== rest.length) return undefined;
  return sign === '-' ? -total : total;
}

/** As parseGoDuration. @throws InvalidInputError with the text of Go's time.ParseDuration. */
export function requireGoDuration(text: string): number {
  const value = parseGoDuration(text);
  if (value !== undefined) return value;
  throw new InvalidInputError(`time: ${durationFault(text)} duration ${JSON.stringify(text)}`);
}

/** Go names the first fault from the left. */
function durationFault(text: string): string {
  let rest = text.replace(/^[+-]/, '');
  for (;;) {
    const [term, , unit = ''] = /^(\d+\.?\d*|\.\d+)([^\d.]*)/.exec(rest) ?? [];
    if (term === undefined) return 'invalid';
    if (unit === '') return 'missing unit in';
    if (!Object.hasOwn(UNIT_MS, unit)) return `unknown unit ${JSON.stringify(unit)} in`;
    rest = rest.slice(term.length);
  }
}

/** Writes milliseconds as Go prints a time.Duration: `12h0m0s`, `1.5s`, `100ms`, `0s`. */
export function formatGoDuration(ms: number): string {
  if (ms === 0) return '0s';
  if (ms < 0) return `-${formatGoDuration(-ms)}`;
  if (ms < 1e-3) return `${round(ms * 1e6)}ns`;
  if (ms < 1) return `${round(ms * 1e3)}µs`;
  if (ms < 1000) return `${round(ms)}ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor(ms / 60_000) % 60;
  const seconds = `${round((ms % 60_000) / 1000)}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}

function round(value: number): number {
  return Number(value.toFixed(9));
}
