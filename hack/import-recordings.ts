import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Turns a folder of recorded answers (`<command>/<case>.json`, one call a file) into the compact form that the
 * contract tests replay: one JSON-lines file a command, what is usual left out.
 *
 *     node hack/import-recordings.ts FOLDER [TARGET]
 *
 * A file of calls (one JSON line each, as a client made them) becomes a file of the same name in TARGET.
 */

interface RecordedCase {
  readonly name: string;
  readonly command: string | null;
  readonly caller: string;
  readonly method: string;
  readonly request: Readonly<Record<string, string>>;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly bodyText?: string;
  readonly note?: string;
  readonly seq: number;
}

const USUAL_HEADERS = JSON.stringify({
  'content-type': 'application/json;charset=utf-8',
  'x-content-type-options': 'nosniff',
});

/** Secrets were taken out of the recording, so how a call was signed is told only by its name and its note. */
function signing(recorded: RecordedCase): string | undefined {
  const hint = `${recorded.name} ${recorded.note ?? ''}`;
  if (/wrong secret|wrong signature|bad.signature/i.test(hint)) return 'wrong-secret';
  if (/without signature|unsigned/.test(hint)) return 'none';
  if (/session-wrong-key/.test(hint)) return 'wrong-session-key';
  return undefined;
}

function compact(recorded: RecordedCase): object {
  const { name, seq, command, caller, method, request, status, headers, body, bodyText, note } = recorded;
  const { response, ...rest } = request;
  const usual = response === 'json' && command !== null && !('command' in request) && !('apiKey' in request);
  return {
    name,
    seq,
    ...(command === name.split('/')[0] ? {} : { command }),
    ...(caller === 'user' ? {} : { caller }),
    ...(method === 'GET' ? {} : { method }),
    ...(signing(recorded) ? { signing: signing(recorded) } : {}),
    ...(note?.includes('trailing slash') ? { path: '/client/api/' } : {}),
    ...(usual ? { request: rest } : { raw: request }),
    ...(status === 200 ? {} : { status }),
    ...(JSON.stringify(headers) === USUAL_HEADERS ? {} : { headers }),
    ...(body === undefined ? { text: bodyText } : { body }),
    ...(note ? { note } : {}),
  };
}

interface RecordedCall {
  /** Seconds since the first call. */
  readonly at: number;
  readonly method: string;
  readonly command: string;
  readonly params: Readonly<Record<string, string>>;
  readonly status: number;
  readonly answer: unknown;
}

function compactCall({ at, method, command, params, status, answer }: RecordedCall, index: number): object {
  return {
    name: `${command}/${index}`,
    seq: index,
    at,
    ...(method === 'GET' ? {} : { method }),
    request: params,
    ...(status === 200 ? {} : { status }),
    body: answer,
  };
}

function lines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

function importFolder(source: string, target: string): void {
  for (const folder of readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    const cases = readdirSync(join(source, folder.name))
      .map((file) => JSON.parse(readFileSync(join(source, folder.name, file), 'utf8')) as RecordedCase)
      .sort((a, b) => a.seq - b.seq);
    writeFileSync(join(target, `${folder.name}.jsonl`), lines(cases.map(compact)));
  }
}

function importCalls(source: string, target: string): void {
  const calls = readFileSync(source, 'utf8').trimEnd().split('\n');
  const recorded = calls.map((line) => JSON.parse(line) as RecordedCall);
  writeFileSync(join(target, basename(source)), lines(recorded.map(compactCall)));
}

const [, , source, target = 'packages/cloudstack-simulator/contract/recordings'] = process.argv;
if (!source) throw new Error('Usage: node hack/import-recordings.ts FOLDER|FILE [TARGET]');
mkdirSync(target, { recursive: true });
if (statSync(source).isDirectory()) importFolder(source, target);
else importCalls(source, target);
