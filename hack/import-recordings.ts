import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Turns a folder of recorded answers (`<command>/<case>.json`, one call a file) into the compact form that the
 * contract tests replay: one JSON-lines file a command, what is usual left out.
 *
 *     node hack/import-recordings.ts FOLDER [TARGET]
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

const [, , source, target = 'packages/cloudstack-simulator/contract/recordings'] = process.argv;
if (!source) throw new Error('Usage: node hack/import-recordings.ts FOLDER [TARGET]');
mkdirSync(target, { recursive: true });
for (const folder of readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
  const cases = readdirSync(join(source, folder.name))
    .map((file) => JSON.parse(readFileSync(join(source, folder.name, file), 'utf8')) as RecordedCase)
    .sort((a, b) => a.seq - b.seq);
  const lines = cases.map((recorded) => `${JSON.stringify(compact(recorded))}\n`);
  writeFileSync(join(target, `${folder.name}.jsonl`), lines.join(''));
}
