import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One call as it was recorded from a real management server. What is usual is left out. */
export interface Recording {
  /** `<command>/<case>`; the polls of the case's job are named `.job-pending` and `.job`. */
  readonly name: string;
  /** Position in the recording: state carries over from case to case. */
  readonly seq: number;
  /** Seconds since the first call, where that was recorded. */
  readonly at?: number;
  /** The command sent; null if there was none. */
  readonly command: string | null;
  readonly caller: string;
  readonly method: string;
  /** Parameters besides command, key, signature and `response=json`, or — when `raw` — exactly those sent. */
  readonly request: Readonly<Record<string, string>>;
  readonly raw: boolean;
  readonly signing?: 'none' | 'wrong-secret' | 'wrong-session-key';
  readonly path: string;
  readonly status: number;
  /** Absent where they were not recorded. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The JSON body, or else the text. */
  readonly body?: unknown;
  readonly text?: string;
  readonly note?: string;
}

const FOLDER = join(import.meta.dirname, 'recordings');

/** What the Go cloud controller manager 1.2.0 sent to a real management server, and got. */
const GO_CONTROLLER = join(import.meta.dirname, 'fixtures', 'go-ccm');

const USUAL_HEADERS = { 'content-type': 'application/json;charset=utf-8', 'x-content-type-options': 'nosniff' };

/** Every recording of the project, and those in further folders, in the order in which they were made. */
export function readRecordings(...folders: string[]): Recording[] {
  return [FOLDER, ...folders].flatMap(readFolder).sort((a, b) => a.seq - b.seq);
}

function readFolder(folder: string): Recording[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').trimEnd().split('\n'))
    .map(expand);
}

/** The calls of the Go controller in an isolated network, or in a VPC tier. */
export function readControllerCalls(kind: 'isolated' | 'vpc'): Recording[] {
  const lines = readFileSync(join(GO_CONTROLLER, `calls-${kind}.jsonl`), 'utf8');
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { headers: _, ...recorded } = expand(line);
      return { ...recorded, caller: 'ccm' };
    });
}

type Line = Partial<Recording> & Pick<Recording, 'name' | 'seq'> & { readonly raw?: Readonly<Record<string, string>> };

function expand(line: string): Recording {
  // The lines are ours: hack/import-recordings.ts wrote them.
  const { raw, ...recorded } = JSON.parse(line) as Omit<Line, 'raw'> & { raw?: Readonly<Record<string, string>> };
  const [command = null] = recorded.name.split('/');
  return {
    command,
    caller: 'user',
    method: 'GET',
    path: '/client/api',
    status: 200,
    headers: USUAL_HEADERS,
    request: raw ?? {},
    ...recorded,
    raw: raw !== undefined,
  };
}
