import { formatCsvRecord, parseCsvRecord } from './csv.ts';
import { InvalidInputError } from './errors.ts';
import { formatGoDuration, requireGoDuration } from './go-duration.ts';
import { requireGoBool, requireGoFloat32, requireGoInt } from './go-numbers.ts';
import { parseIp } from './ip.ts';

/** How a kind of flag is read and shown, in the words of Go's pflag. */
export interface FlagType<T> {
  /** Stands behind the flag's name in the help; empty for booleans. */
  readonly name: string;
  /** True for types whose default the help puts in quotes. */
  readonly quoted?: boolean;
  /** @throws InvalidInputError whose message is the reason alone, without the flag's name. */
  parse(text: string): T;
  /** As `FLAG:` log lines and the help show the value. */
  format(value: T): string;
  /** What a second occurrence on the command line makes of both; absent: the last one wins. */
  combine?(earlier: T, later: T): T;
}

export const boolType: FlagType<boolean> = { name: '', parse: requireGoBool, format: String };

export const stringType: FlagType<string> = {
  name: 'string',
  quoted: true,
  parse: (text) => text,
  format: (value) => value,
};

export const intType: FlagType<number> = { name: 'int', parse: (text) => requireGoInt(text, 64), format: String };

export const int32Type: FlagType<number> = { name: 'int32', parse: (text) => requireGoInt(text, 32), format: String };

export const float32Type: FlagType<number> = { name: 'float32', parse: requireGoFloat32, format: String };

/** In milliseconds. */
export const durationType: FlagType<number> = {
  name: 'duration',
  parse: requireGoDuration,
  format: formatGoDuration,
};

export const ipType: FlagType<string> = {
  name: 'ip',
  parse(text) {
    const ip = parseIp(text.trim());
    if (!ip && text !== '') throw new InvalidInputError(`failed to parse IP: ${JSON.stringify(text)}`);
    return ip?.text ?? '';
  },
  format: (value) => value || '<nil>',
};

export const stringListType: FlagType<readonly string[]> = {
  name: 'strings',
  parse: (text) => (text === '' ? [] : parseCsvRecord(text)),
  format: (value) => `[${formatCsvRecord(value)}]`,
  combine: (earlier, later) => [...earlier, ...later],
};

export const int32ListType: FlagType<readonly number[]> = {
  name: 'int32Slice',
  parse: (text) => (text === '' ? [] : text.split(',').map((item) => requireGoInt(item.trim(), 32))),
  format: (value) => `[${value.join(',')}]`,
  combine: (earlier, later) => [...earlier, ...later],
};

const ZERO = new Set(['', '0', 'false', '0s', '[]', '<nil>']);

/** True if the help leaves the default out, because it says nothing. */
export function isZeroDefault(formatted: string): boolean {
  return ZERO.has(formatted);
}
