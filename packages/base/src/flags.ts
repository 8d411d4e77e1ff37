import { InvalidInputError, messageOf } from './errors.ts';
import {
  boolType,
  durationType,
  float32Type,
  int32ListType,
  int32Type,
  intType,
  ipType,
  stringListType,
  stringType,
  type FlagType,
} from './flag-types.ts';

interface FlagDetails {
  /** One letter. */
  readonly shorthand?: string;
  /** The value of the flag when it stands alone, for example `true`. Without it a value must follow. */
  readonly bare?: string;
  /** Hides the flag from the help; the text is printed when somebody uses it. */
  readonly deprecated?: string;
}

/** One command line flag. */
export interface Flag<T> extends FlagDetails {
  /** Without dashes, words joined by `-`. */
  readonly name: string;
  readonly usage: string;
  readonly type: FlagType<T>;
  readonly initial: T;
}

/** Flags by the name that the program's own code uses for them. */
export type Flags = Readonly<Record<string, Flag<unknown>>>;

export type ValuesOf<F extends Flags> = { readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never };

/** Flags that the help shows under one heading: `Generic` gives `Generic flags:`. */
export interface FlagGroup {
  readonly title: string;
  readonly flags: Flags;
}

/** The command line is wrong; the message is pflag's. */
export class FlagError extends InvalidInputError {
  override readonly code = 'FLAG';
}

export function flag<T>(type: FlagType<T>, name: string, initial: T, usage: string, details?: FlagDetails): Flag<T> {
  return { name, usage, type, initial, ...details };
}

type Make<T> = (name: string, initial: T, usage: string, details?: FlagDetails) => Flag<T>;

export const boolFlag: Make<boolean> = (name, initial, usage, details) =>
  flag(boolType, name, initial, usage, { bare: 'true', ...details });
export const stringFlag: Make<string> = (...rest) => flag(stringType, ...rest);
export const intFlag: Make<number> = (...rest) => flag(intType, ...rest);
export const int32Flag: Make<number> = (...rest) => flag(int32Type, ...rest);
export const float32Flag: Make<number> = (...rest) => flag(float32Type, ...rest);
/** The value is in milliseconds. */
export const durationFlag: Make<number> = (...rest) => flag(durationType, ...rest);
export const ipFlag: Make<string> = (...rest) => flag(ipType, ...rest);
export const stringListFlag: Make<readonly string[]> = (...rest) => flag(stringListType, ...rest);
export const int32ListFlag: Make<readonly number[]> = (...rest) => flag(int32ListType, ...rest);

/** What a command line said. */
export class ParsedFlags {
  /** Arguments that are no flags. */
  readonly positional: readonly string[];
  /** Lines for stderr: deprecated flags that were used. */
  readonly warnings: readonly string[];
  readonly #flags: readonly Flag<unknown>[];
  readonly #set: ReadonlyMap<string, unknown>;

  constructor(
    flags: readonly Flag<unknown>[],
    set: ReadonlyMap<string, unknown>,
    positional: readonly string[],
    warnings: readonly string[],
  ) {
    this.#flags = flags;
    this.#set = set;
    this.positional = positional;
    this.warnings = warnings;
  }

  /** True if the command line named the flag. */
  changed(flag: Flag<unknown>): boolean {
    return this.#set.has(flag.name);
  }

  valueOf<T>(flag: Flag<T>): T {
    // The map holds, under a flag's name, only what that flag's own type made.
    return this.#set.has(flag.name) ? (this.#set.get(flag.name) as T) : flag.initial;
  }

  values<F extends Flags>(flags: F): ValuesOf<F> {
    const entries = Object.entries(flags).map(([key, flag]) => [key, this.valueOf(flag)]);
    return Object.fromEntries(entries) as ValuesOf<F>;
  }

  /** All flags with their values as text, sorted by name: for the log. */
  entries(): readonly (readonly [name: string, value: string])[] {
    const entries = this.#flags.map((flag) => [flag.name, flag.type.format(this.valueOf(flag))] as const);
    return entries.sort(([left], [right]) => (left < right ? -1 : 1));
  }
}

/**
 * Reads a command line as Go's pflag does: `--name=value`, `--name value`, `--bool`, `-v=2`, `-v2`, `-v 2`; flags and
 * arguments may mix; `--` ends the flags; `_` in a name means `-`; the first occurrence of a list replaces its
 * default, later ones append.
 * @throws FlagError with pflag's text at the first fault.
 */
export function parseFlags(groups: readonly FlagGroup[], args: readonly string[]): ParsedFlags {
  const flags = groups.flatMap((group) => Object.values(group.flags));
  return new CommandLine(flags, args).read();
}

class CommandLine {
  readonly #flags: readonly Flag<unknown>[];
  readonly #byName: ReadonlyMap<string, Flag<unknown>>;
  readonly #byLetter: ReadonlyMap<string, Flag<unknown>>;
  readonly #rest: string[];
  readonly #set = new Map<string, unknown>();
  readonly #positional: string[] = [];
  readonly #warnings: string[] = [];

  constructor(flags: readonly Flag<unknown>[], args: readonly string[]) {
    this.#flags = flags;
    this.#byName = new Map(flags.map((flag) => [flag.name, flag]));
    this.#byLetter = new Map(flags.flatMap((flag) => (flag.shorthand ? [[flag.shorthand, flag] as const] : [])));
    this.#rest = [...args];
  }

  read(): ParsedFlags {
    for (let word = this.#rest.shift(); word !== undefined; word = this.#rest.shift()) {
      if (word === '--') this.#positional.push(...this.#rest.splice(0));
      else if (word.startsWith('--')) this.#long(word);
      else if (word.startsWith('-') && word.length > 1) this.#letters(word.slice(1));
      else this.#positional.push(word);
    }
    return new ParsedFlags(this.#flags, this.#set, this.#positional, this.#warnings);
  }

  #long(word: string): void {
    const { name = '', value } = /^--(?<name>[^=]*)(?:=(?<value>[^]*))?$/.exec(word)?.groups ?? {};
    if (name === '' || name.startsWith('-')) throw new FlagError(`bad flag syntax: ${word}`);
    const flag = this.#byName.get(name.replaceAll('_', '-'));
    if (!flag) throw new FlagError(`unknown flag: --${name}`);
    this.#assign(flag, value ?? flag.bare ?? this.#next(word));
  }

  /** `-abc`: a run of letters, the last of which may carry a value. */
  #letters(run: string): void {
    const letter = run.charAt(0);
    const flag = this.#byLetter.get(letter);
    if (!flag) throw new FlagError(`unknown shorthand flag: '${letter}' in -${run}`);
    const tail = run.slice(1);
    if (tail.startsWith('=') && tail.length > 1) return this.#assign(flag, tail.slice(1));
    if (flag.bare === undefined) return this.#assign(flag, tail || this.#next(`'${letter}' in -${run}`));
    this.#assign(flag, flag.bare);
    if (tail !== '') this.#letters(tail);
  }

  #next(flagAsTyped: string): string {
    const value = this.#rest.shift();
    if (value === undefined) throw new FlagError(`flag needs an argument: ${flagAsTyped}`);
    return value;
  }

  #assign(flag: Flag<unknown>, text: string): void {
    const value = parseValue(flag, text);
    const earlier = this.#set.get(flag.name);
    const merges = flag.type.combine && this.#set.has(flag.name);
    this.#set.set(flag.name, merges ? flag.type.combine?.(earlier, value) : value);
    if (flag.deprecated) this.#warnings.push(`Flag --${flag.name} has been deprecated, ${flag.deprecated}`);
  }
}

function parseValue(flag: Flag<unknown>, text: string): unknown {
  try {
    return flag.type.parse(text);
  } catch (reason) {
    const shown = flag.shorthand ? `-${flag.shorthand}, --${flag.name}` : `--${flag.name}`;
    throw new FlagError(
      `invalid argument ${JSON.stringify(text)} for ${JSON.stringify(shown)} flag: ${messageOf(reason)}`,
    );
  }
}
