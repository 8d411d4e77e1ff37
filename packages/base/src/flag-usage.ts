import { isZeroDefault } from './flag-types.ts';
import type { Flag, FlagGroup } from './flags.ts';

/** Where descriptions start that stand below their flag. */
const BELOW = 16;
/** Least room for a description that is to be folded. */
const LEAST_ROOM = 24;
/** By how much a line may run over, if that saves a line with one word. */
const SLOP = 5;

/**
 * The flags of all groups as Kubernetes components print them: on a terminal the description stands below its flag,
 * folded; elsewhere beside it, in one line.
 * @param columns width of the terminal; 0 for none.
 */
export function describeFlags(groups: readonly FlagGroup[], columns = 0): string {
  return groups.map((group) => describeGroup(group, columns)).join('');
}

function describeGroup({ title, flags }: FlagGroup, columns: number): string {
  const shown = Object.values(flags).filter((flag) => flag.deprecated === undefined);
  const sorted = shown.sort((left, right) => (left.name < right.name ? -1 : 1));
  const width = Math.max(...sorted.map((flag) => head(flag).length)) + 3;
  const line =
    columns > 0 ? (flag: Flag<unknown>) => below(flag, columns) : (flag: Flag<unknown>) => beside(flag, width);
  return `\n${title} flags:\n\n${sorted.map((flag) => `${line(flag)}\n`).join('')}`;
}

function beside(flag: Flag<unknown>, width: number): string {
  return head(flag).padEnd(width) + description(flag).replaceAll('\n', `\n${' '.repeat(width)}`);
}

function below(flag: Flag<unknown>, columns: number): string {
  const room = columns - BELOW;
  const lines = room < LEAST_ROOM ? description(flag).split('\n') : fold(description(flag), room - SLOP);
  return [head(flag), ...lines.map((text) => ' '.repeat(BELOW) + text)].join('\n');
}

function head(flag: Flag<unknown>): string {
  const letter = flag.shorthand ? `  -${flag.shorthand}, ` : '      ';
  const { name } = unquote(flag);
  const bare = flag.bare !== undefined && flag.type.name !== '' ? `[=${flag.bare}]` : '';
  return `${letter}--${flag.name}${name && ` ${name}`}${bare}`;
}

function description(flag: Flag<unknown>): string {
  const initial = flag.type.format(flag.initial);
  if (isZeroDefault(initial)) return unquote(flag).usage;
  return `${unquote(flag).usage} (default ${flag.type.quoted ? JSON.stringify(initial) : initial})`;
}

/** A word in back quotes in the usage stands for the value, in place of the type's name. */
function unquote(flag: Flag<unknown>): { readonly name: string; readonly usage: string } {
  const [quoted, name] = /`([^`]+)`/.exec(flag.usage) ?? [];
  if (quoted === undefined || name === undefined) return { name: flag.type.name, usage: flag.usage };
  return { name, usage: flag.usage.replace(quoted, name) };
}

function fold(text: string, room: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest !== '') {
    const cut = cutPoint(rest, room);
    lines.push(rest.slice(0, cut));
    rest = rest.slice(cut + 1);
  }
  return lines;
}

/** Where the first line ends: at a line break, else at the last blank that fits. */
function cutPoint(text: string, room: number): number {
  const newline = text.slice(0, room).indexOf('\n');
  if (newline > 0) return newline;
  if (text.length < room + SLOP && !text.includes('\n')) return text.length;
  const blank = Math.max(text.lastIndexOf(' ', room - 1), text.lastIndexOf('\t', room - 1));
  return blank > 0 ? blank : text.length;
}
