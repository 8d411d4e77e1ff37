import { isObject, type JsonValue } from '../../json.ts';
import { normalise } from './normalise.ts';
import { type Scenario, type Step, TOKENS } from './scenario.ts';

/** What a server said to one step, without what differs from run to run. */
export interface Recorded {
  readonly scenario: string;
  readonly step: number;
  readonly request: string;
  readonly status: number;
  readonly warnings?: string;
  /** JSON; a list of events for a watch; text for anything else. */
  readonly body: JsonValue;
}

/** Plays a scenario against a server. */
export async function play(server: string, scenario: Scenario): Promise<Recorded[]> {
  const answers = new Map<string, JsonValue>();
  const recorded: Recorded[] = [];
  for (const [index, step] of scenario.steps.entries()) {
    const { status, warnings, body } = await send(server, step, answers);
    if (step.name !== undefined) answers.set(step.name, body);
    recorded.push({
      scenario: scenario.name,
      step: index,
      request: `${step.method} ${step.path}`,
      status,
      ...(warnings !== null && { warnings }),
      body: normalise(body),
    });
  }
  return recorded;
}

interface Received {
  readonly status: number;
  readonly warnings: string | null;
  readonly body: JsonValue;
}

async function send(server: string, step: Step, answers: ReadonlyMap<string, JsonValue>): Promise<Received> {
  const fill = (text: string): string =>
    text.replaceAll(/\{\{([^}]+)\}\}/g, (_, path: string) => lookUp(answers, path));
  const body = step.text ?? (step.body === undefined ? undefined : fill(JSON.stringify(step.body)));
  const response = await fetch(server + fill(step.path), {
    method: step.method,
    headers: {
      authorization: `Bearer ${TOKENS[step.as ?? 'admin']}`,
      'user-agent': 'conformance/1.0',
      ...(step.accept !== undefined && { accept: step.accept }),
      ...(body !== undefined && { 'content-type': step.contentType ?? 'application/json' }),
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return { status: response.status, warnings: response.headers.get('warning'), body: parse(text) };
}

/** A body of one JSON value, of one per line, or of something else. */
function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    const lines = text.trim().split('\n');
    return lines.every((line) => line.startsWith('{')) ? lines.map((line) => JSON.parse(line) as JsonValue) : text;
  }
}

function lookUp(answers: ReadonlyMap<string, JsonValue>, path: string): string {
  const [name = '', ...keys] = path.split('.');
  let value = answers.get(name);
  for (const key of keys) value = isObject(value) ? value[key] : undefined;
  if (typeof value !== 'string') throw new Error(`no text at ${path}`);
  return value;
}
