import { Bindings } from './bindings.ts';
import { signed, type Answer, type Call, type Caller } from './caller.ts';
import { Comparison } from './comparison.ts';
import type { Interlude } from './interludes.ts';
import type { Recording } from './recordings.ts';
import { translate } from './translation.ts';
import { Script } from './script.ts';
import type { ContractWorld } from './world.ts';
import { parseXml } from './xml.ts';

/** How one recorded case came out. */
export interface Outcome {
  readonly recording: Recording;
  /** Empty if the simulator gave the same answer in kind. */
  readonly differences: readonly string[];
  /** False if the simulator gave no answer at all. */
  readonly answered: boolean;
}

/** The pause between two cases while recording, more or less. Jobs end in it unless something slows them. */
const PAUSE_MS = 500;

/** The session of the recordings is that of the ordinary user. */
const LOGIN = { username: 'k8s', password: 'password', domain: '/tenants' };

/** It was opened before this case. */
const FIRST_IN_SESSION = 1388;

const HEADERS = ['content-type', 'x-description', 'x-content-type-options', 'expires'] as const;

/** Plays recorded cases, in their order, against a simulator, and compares each answer. */
export class Replay {
  readonly bindings = new Bindings();
  readonly #world: ContractWorld;
  readonly #caller: Caller;
  readonly #interludes: readonly Interlude[];
  readonly #script: Script;
  #next = 0;
  /** Milliseconds since the first call, where the recording tells. */
  #elapsed = 0;
  #cookies: readonly string[] | undefined;

  /** @param interludes what happened between the cases without being recorded, in the order of their seq. */
  constructor(world: ContractWorld, caller: Caller, interludes: readonly Interlude[]) {
    this.#world = world;
    this.#caller = caller;
    this.#interludes = interludes;
    this.#script = new Script(world, caller, this.bindings);
  }

  async play(recording: Recording): Promise<Outcome> {
    const comparison = new Comparison(this.bindings);
    try {
      if (recording.seq >= FIRST_IN_SESSION) this.#cookies ??= await this.#login();
      await this.#interlude(recording.seq);
      await this.#waitFor(recording);
      const answer = await this.#caller.send(await this.#call(recording));
      compareAnswer(comparison, recording, answer);
      return { recording, differences: comparison.differences, answered: true };
    } catch (error) {
      return { recording, differences: [`no answer: ${String(error)}`], answered: false };
    }
  }

  async #interlude(seq: number): Promise<void> {
    for (let due = this.#interludes[this.#next]; due && due.before <= seq; due = this.#interludes[this.#next]) {
      this.#next++;
      await due.happen(this.#script);
    }
  }

  /** A poll that found the job at work came at once; one that found it done came when it was done. */
  async #waitFor({ command, name, request, at, body }: Recording): Promise<void> {
    const ofCase = command === 'queryAsyncJobResult' && !name.startsWith(`${command}/`);
    if (at !== undefined) await this.#waitUntil(at * 1000);
    else if (!ofCase) await this.#world.pass(PAUSE_MS);
    const job = this.bindings.simulated('id', request['jobid'] ?? '');
    if (job && hasEnded(body)) await this.#world.jobEnds(job);
  }

  async #waitUntil(ms: number): Promise<void> {
    if (ms > this.#elapsed) await this.#world.pass(ms - this.#elapsed);
    this.#elapsed = Math.max(this.#elapsed, ms);
  }

  async #call(recording: Recording): Promise<Call> {
    const { method, path } = recording;
    if (recording.caller === 'session') return { method, path, ...(await this.#inSession(recording)) };
    return { method, path, parameters: this.#sign(recording, this.#parameters(recording)) };
  }

  #parameters({ request, raw, command, caller }: Recording): Record<string, string> {
    const parameters = translate(request, this.bindings);
    if (raw || command === null) {
      return mapValues(parameters, (value) => (value.startsWith('<APIKEY-') ? this.#world.keys(caller).apiKey : value));
    }
    return { command, ...parameters, response: 'json', apiKey: this.#world.keys(caller).apiKey };
  }

  #sign({ caller, signing }: Recording, parameters: Record<string, string>): Record<string, string> {
    if (signing === 'none' || !('apiKey' in parameters) || 'signature' in parameters) return parameters;
    const { secretKey } = this.#world.keys(caller);
    return signed(parameters, signing === 'wrong-secret' ? `not ${secretKey}` : secretKey);
  }

  async #inSession({ request, signing }: Recording): Promise<Pick<Call, 'parameters' | 'cookies'>> {
    this.#cookies ??= await this.#login();
    const key = /^sessionkey=([^;]*)/.exec(this.#cookies.find((cookie) => cookie.startsWith('sessionkey=')) ?? '')?.[1];
    const sent = signing === 'wrong-session-key' ? 'wrong' : (key ?? '');
    const parameters = mapValues(translate(request, this.bindings), (value) =>
      value === '<SESSIONKEY>' ? sent : value,
    );
    return { parameters, cookies: this.#cookies };
  }

  async #login(): Promise<readonly string[]> {
    const parameters = { command: 'login', response: 'json', ...LOGIN };
    const { headers } = await this.#caller.send({ method: 'POST', path: '/client/api', parameters });
    return (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] ?? '');
  }
}

function compareAnswer(comparison: Comparison, recording: Recording, answer: Answer): void {
  comparison.equal('status', recording.status, answer.status);
  if (recording.headers) compareHeaders(comparison, recording.headers, answer);
  if (recording.text !== undefined) compareText(comparison, recording.text, answer.text);
  else comparison.compare(recording.body, parseJson(answer.text));
}

function compareHeaders(comparison: Comparison, recorded: Readonly<Record<string, string>>, answer: Answer): void {
  for (const name of HEADERS) comparison.text(`header ${name}`, recorded[name], answer.headers[name]?.toString());
  const cookies = answer.headers['set-cookie']?.map((cookie) => cookie.replace(/=[^;]*/, '=…')).join(' || ');
  comparison.text('header set-cookie', recorded['set-cookie']?.replace(/=<[^;]*/g, '=…'), cookies);
}

/** True for the answer about a job that is over. */
function hasEnded(body: unknown): boolean {
  return /"jobstatus":[12],"jobprocstatus"/.test(JSON.stringify(body));
}

function compareText(comparison: Comparison, recorded: string, simulated: string): void {
  if (recorded.startsWith('<?xml') && simulated.startsWith('<?xml')) {
    comparison.compare(parseXml(recorded), parseXml(simulated));
  } else comparison.text('$', recorded, simulated);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function mapValues(
  record: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
