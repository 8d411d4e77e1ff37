import { invalidValue, serverError } from './api-error.ts';
import { resolveId } from './entity-kind.ts';
import type { MapEntry, Parameter, ParameterTable, Value } from './parameter.ts';
import type { State } from './state.ts';
import { supports, type VersionProfile } from './version-profile.ts';

interface Conversion {
  readonly state: State;
  readonly profile: VersionProfile;
  readonly isRoot: boolean;
  /** The command as error texts name it. */
  readonly command: string;
}

const CONTROL_CHARACTER = /[^\P{Cc}\r\n\t]/u;

/** Turns text parameters (names in lower case) into values. @throws ApiError with the texts of the real server. */
export function convert(
  table: ParameterTable,
  raw: ReadonlyMap<string, string>,
  conversion: Conversion,
): Record<string, Value> {
  for (const [name, value] of raw) refuseControlCharacters(name, value);
  const values: Record<string, Value> = {};
  for (const [name, parameter] of Object.entries(table)) {
    if (!known(parameter, conversion)) continue;
    const value = read(name, parameter, raw, conversion);
    if (value !== undefined) values[name] = value;
    else if (isRequired(parameter, conversion)) throw missing(conversion.command, name);
  }
  return values;
}

function known(parameter: Parameter, { profile, isRoot }: Conversion): boolean {
  if ((parameter.rootOnly || parameter.rootVariant) && !isRoot) return false;
  if (!supports(profile, parameter.since)) return false;
  return parameter.until === undefined || !supports(profile, parameter.until);
}

function isRequired({ required, requiredBefore }: Parameter, { profile }: Conversion): boolean {
  return required === true || (requiredBefore !== undefined && !supports(profile, requiredBefore));
}

function refuseControlCharacters(name: string, value: string): void {
  if (!CONTROL_CHARACTER.test(value)) return;
  throw serverError(431, `Received value containing illegal ASCII non-printable characters for parameter ${name}`);
}

function missing(command: string, name: string): Error {
  return serverError(431, `Unable to execute API command ${command} due to missing parameter ${name}`);
}

function read(
  name: string,
  parameter: Parameter,
  raw: ReadonlyMap<string, string>,
  conversion: Conversion,
): Value | undefined {
  if (parameter.type === 'map') return readMap(name, raw, conversion.command);
  const text = raw.get(name);
  if (text === undefined) return undefined;
  return readText(name, parameter, text, conversion);
}

function readText(
  name: string,
  parameter: Exclude<Parameter, { type: 'map' }>,
  text: string,
  conversion: Conversion,
): Value {
  const { command } = conversion;
  if (parameter.required && text === '' && parameter.type === 'string') {
    throw invalidValue(`Invalid value provided for API arg: ${name}`);
  }
  switch (parameter.type) {
    case 'string':
      return readString(command, parameter.field ?? name, text, parameter.length ?? 255);
    case 'date':
      return text;
    case 'boolean':
      return text.toLowerCase() === 'true';
    case 'integer':
    case 'long':
      return readNumber(command, name, text);
    case 'list':
      return splitList(text);
    case 'integer-list':
      return splitList(text).map((element) => readNumber(command, name, element));
    case 'uuid':
      return readId(name, parameter.of, text, conversion);
    case 'uuid-list':
      return splitList(text).map((element) => readId(name, parameter.of, element, conversion));
  }
}

function readString(command: string, field: string, text: string, length: number): string {
  if (text.length <= length) return text;
  throw serverError(
    431,
    `Unable to execute API command ${command} due to invalid value. Value greater than max allowed length ${length} for param: ${field}`,
  );
}

function readNumber(command: string, name: string, text: string): number {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw serverError(431, `Unable to execute API command ${command} due to invalid value ${text} for parameter ${name}`);
}

/** Elements are not trimmed: a blank after the comma is part of the value. */
function splitList(text: string): string[] {
  return text === '' ? [] : text.split(',');
}

function readId(name: string, kind: Parameters<typeof resolveId>[1], text: string, conversion: Conversion): string {
  if (text === '-1') return text;
  const id = resolveId(conversion.state, kind, text);
  if (id !== undefined) return id;
  // With a project anywhere in the installation, CloudStack 4.20 lets any network id pass.
  if (kind === 'network' && text !== '' && conversion.state.projects.size > 0) return text;
  throw unknownId(conversion.command, name, text);
}

/** Clients recognise "not found" by this text, so it is exact. */
function unknownId(command: string, name: string, value: string): Error {
  return serverError(
    431,
    `Unable to execute API command ${command} due to invalid value. Invalid parameter ${name} value=${value} due to incorrect long value format, or entity does not exist or due to incorrect parameter annotation for the field in api cmd class.`,
  );
}

function readMap(name: string, raw: ReadonlyMap<string, string>, command: string): readonly MapEntry[] | undefined {
  const groups = new Map<number, Record<string, string>>();
  for (const [key, value] of raw) {
    if (!key.startsWith(`${name}[`)) continue;
    const [, index, field] = /\[(\d+)\]\.(.+)$/.exec(key) ?? [];
    if (index === undefined || field === undefined) throw malformed(command, key);
    const group = groups.get(Number(index)) ?? {};
    group[field] = value;
    groups.set(Number(index), group);
  }
  if (groups.size === 0) return undefined;
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}

function malformed(command: string, key: string): Error {
  return serverError(
    430,
    `Unable to decode parameters for ${command}: malformed key ${key}, should be name[index].key`,
  );
}
