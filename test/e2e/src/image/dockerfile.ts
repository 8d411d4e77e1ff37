import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Copy {
  /** The stage it copies from; undefined for the build context. */
  readonly from: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
  readonly mode: number | undefined;
}

export interface Stage {
  readonly image: string;
  readonly copies: readonly Copy[];
  readonly user: string | undefined;
  readonly entryPoint: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Reads the few instructions that our own Dockerfile uses. */
export function readStages(root: string): readonly Stage[] {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8').replace(/\\\n/g, ' ');
  const lines = text.split('\n').filter((line) => /^[A-Z]+ /.test(line));
  const starts = lines.flatMap((line, index) => (line.startsWith('FROM ') ? [index] : []));
  return starts.map((start, index) => stage(lines.slice(start, starts[index + 1])));
}

function stage(lines: readonly string[]): Stage {
  const rest = (name: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1).trim());
  return {
    image: rest('FROM')[0]?.split(' ')[0] ?? '',
    copies: rest('COPY').map(copy),
    user: rest('USER').at(-1),
    entryPoint: list(rest('ENTRYPOINT').at(-1) ?? '[]'),
    environment: Object.fromEntries(rest('ENV').map((pair) => [before(pair, '='), after(pair, '=')])),
  };
}

function copy(text: string): Copy {
  const words = text.split(/\s+/);
  const option = (name: string): string | undefined =>
    words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
  const paths = words.filter((word) => !word.startsWith('--'));
  const mode = option('chmod');
  return {
    from: option('from'),
    sources: paths.slice(0, -1),
    target: paths.at(-1) ?? '',
    mode: mode === undefined ? undefined : Number.parseInt(mode, 8),
  };
}

function list(json: string): readonly string[] {
  const value: unknown = JSON.parse(json);
  return Array.isArray(value) ? value.map(String) : [];
}

const before = (text: string, mark: string): string => text.slice(0, text.indexOf(mark));
const after = (text: string, mark: string): string => text.slice(text.indexOf(mark) + 1);
