import type { Call } from './call.ts';
import type { RoleType } from './entities/identity.ts';
import type { JobHandle } from './jobs.ts';
import type { Json, JsonObject } from './json.ts';
import type { ParameterTable, Values } from './parameter.ts';

interface Common<P extends ParameterTable> {
  readonly name: string;
  readonly description: string;
  /** CloudStack's command class below `org.apache.cloudstack.api.command`, which jobs name. */
  readonly commandClass?: string;
  /** The class that root's calls go through, where it is another one. */
  readonly commandClassByRoot?: string;
  /** The key around the answer. Default the lower-case name and `response`. */
  readonly envelope?: string;
  readonly parameters: P;
  /** The role types that may call it by default. Absent: all. */
  readonly roles?: readonly RoleType[];
  /** The release that brought it. */
  readonly since?: string;
  /** Changes nothing: not in the write log. Lists and queries. */
  readonly readOnly?: boolean;
  /** The event it leaves behind. */
  readonly event?: string;
}

/** Answers at once with whatever goes into the envelope. */
export interface SyncCommand<P extends ParameterTable = ParameterTable> extends Common<P> {
  readonly kind: 'sync';
  run(call: Call, values: Values<P>): JsonObject;
}

/** Finds rows, then shows only those of the page. */
export interface ListCommand<P extends ParameterTable = ParameterTable, R = unknown> extends Common<P> {
  readonly kind: 'list';
  /** The key of the items. */
  readonly item: string | ((values: Values<P>) => string);
  /** Page parameters are accepted, and everything is returned all the same. */
  readonly unpaged?: boolean;
  select(call: Call, values: Values<P>): readonly R[];
  show(row: R, call: Call, values: Values<P>): JsonObject;
}

interface Job<P extends ParameterTable> extends Common<P> {
  /** What the job's answer calls the kind of object it is about. */
  readonly instanceType?: string;
}

/** Answers with a job; everything but parameter conversion happens in it. */
export interface AsyncCommand<P extends ParameterTable = ParameterTable> extends Job<P> {
  readonly kind: 'async';
  /** What is refused before there is a job. */
  check?(call: Call, values: Values<P>): void;
  /** The object whose jobs run one at a time. */
  queue?(call: Call, values: Values<P>): string | undefined;
  instanceId?(call: Call, values: Values<P>): string | undefined;
  run(call: Call, values: Values<P>, job: JobHandle): Promise<Json>;
}

/** Makes the object in the request, and answers with its id and a job that does the rest. */
export interface CreateCommand<P extends ParameterTable = ParameterTable> extends Job<P> {
  readonly kind: 'create';
  /** Whether the job names the object. Default true. */
  readonly namesInstance?: boolean;
  create(call: Call, values: Values<P>): string;
  queue?(call: Call, values: Values<P>, id: string): string | undefined;
  /** Takes back what `create` did, for a job that is made to fail before it does anything. */
  undo?(call: Call, id: string): void;
  run(call: Call, values: Values<P>, id: string, job: JobHandle): Promise<Json>;
}

export type Command = SyncCommand | ListCommand | AsyncCommand | CreateCommand;

// The methods of a command take the values of its own table; seen from outside they take any table's. That holds
// because the pipeline converts by the very table that the command carries.

export function sync<const P extends ParameterTable>(command: Omit<SyncCommand<P>, 'kind'>): Command {
  return { kind: 'sync', ...command } as unknown as Command;
}

export function list<const P extends ParameterTable, R>(command: Omit<ListCommand<P, R>, 'kind'>): Command {
  return { kind: 'list', readOnly: true, ...command } as unknown as Command;
}

export function asynchronous<const P extends ParameterTable>(command: Omit<AsyncCommand<P>, 'kind'>): Command {
  return { kind: 'async', ...command } as unknown as Command;
}

export function create<const P extends ParameterTable>(command: Omit<CreateCommand<P>, 'kind'>): Command {
  return { kind: 'create', ...command } as unknown as Command;
}

/** The key around the answer of a command. */
export function envelopeOf(command: Command): string {
  return command.envelope ?? `${command.name.toLowerCase()}response`;
}

/** The command as error texts name it: the envelope without its last eight letters, whatever they are. */
export function nameInTexts(command: Command): string {
  return envelopeOf(command).slice(0, -8);
}
