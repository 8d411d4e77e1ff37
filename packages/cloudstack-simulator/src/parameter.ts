import type { EntityKind } from './entity-kind.ts';

interface Common {
  readonly required?: boolean;
  /** It must be there before this release; from it on it need not. */
  readonly requiredBefore?: string;
  /** The release that brought it; older profiles ignore it like any unknown parameter. */
  readonly since?: string;
  /** What listApis gives as `since`, where that is not when it came. */
  readonly documentedSince?: string;
  /** The release that dropped it. */
  readonly until?: string;
  /** Ignored from anybody but root, and not told to anybody else. */
  readonly rootOnly?: boolean;
  /** Of the command's variant for root: listApis tells everybody, but from others it is ignored. */
  readonly rootVariant?: boolean;
  readonly description?: string;
}

interface StringParameter extends Common {
  readonly type: 'string';
  /** Most characters. Default 255. */
  readonly length?: number;
  /** The field in CloudStack's command class, which the "too long" text names. Default the parameter's name. */
  readonly field?: string;
}

interface UuidParameter extends Common {
  readonly type: 'uuid';
  /** What it must be the id of. */
  readonly of: EntityKind;
}

interface PlainParameter extends Common {
  readonly type: 'integer' | 'long' | 'boolean' | 'date' | 'list' | 'integer-list';
}

interface UuidListParameter extends Common {
  readonly type: 'uuid-list';
  readonly of: EntityKind;
}

/** `name[0].key=K&name[0].value=V`: pairs in the order of the index. */
interface MapParameter extends Common {
  readonly type: 'map';
}

export type Parameter = StringParameter | UuidParameter | PlainParameter | UuidListParameter | MapParameter;
export type ParameterTable = Readonly<Record<string, Parameter>>;

/** One `name[i]` group of a map parameter: its fields by lower-case name. */
export type MapEntry = Readonly<Record<string, string>>;

export type Value = string | number | boolean | readonly string[] | readonly number[] | readonly MapEntry[];

type ValueOf<P extends Parameter> = {
  string: string;
  uuid: string;
  integer: number;
  long: number;
  boolean: boolean;
  date: string;
  list: readonly string[];
  'integer-list': readonly number[];
  'uuid-list': readonly string[];
  map: readonly MapEntry[];
}[P['type']];

type RequiredNames<P extends ParameterTable> = {
  [Name in keyof P]: P[Name] extends { readonly required: true } ? Name : never;
}[keyof P];

/** The converted parameters of a call. UUIDs are those of rows that exist or existed (or what §1.1 lets through). */
export type Values<P extends ParameterTable> = { readonly [Name in RequiredNames<P>]: ValueOf<P[Name]> } & {
  readonly [Name in Exclude<keyof P, RequiredNames<P>>]?: ValueOf<P[Name]> | undefined;
};

/** The parameters of every list that knows owners and pages. */
export const SCOPE = {
  account: { type: 'string' },
  domainid: { type: 'uuid', of: 'domain' },
  listall: { type: 'boolean' },
  isrecursive: { type: 'boolean' },
  projectid: { type: 'uuid', of: 'project' },
  tags: { type: 'map' },
} as const satisfies ParameterTable;

/** The parameters of every list. */
export const PAGE = {
  keyword: { type: 'string' },
  page: { type: 'integer' },
  pagesize: { type: 'integer' },
} as const satisfies ParameterTable;
