import assert from 'node:assert/strict';
import { FakeClock } from '@cloudstack-ccm/base';
import { sign } from '../signature.ts';
import { startSimulator, type Simulator, type SimulatorOptions } from '../simulator.ts';
import { fixedJobTiming } from '../timing.ts';
import { demoScene } from '../scene/demo.ts';

export type Fields = Readonly<Record<string, unknown>>;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Keys {
  readonly apiKey: string;
  readonly secretKey: string;
}

/** A caller who signs with some keys. */
export class TestClient {
  readonly #url: string;
  readonly #keys: Keys;

  constructor(url: string, keys: Keys) {
    this.#url = url;
    this.#keys = keys;
  }

  /** Sends a signed request. */
  async send(parameters: Readonly<Record<string, string>>, method = 'GET'): Promise<Answer> {
    const { apiKey, secretKey } = this.#keys;
    const all = new Map(Object.entries({ response: 'json', apiKey, ...parameters }));
    if (!all.has('signature')) all.set('signature', sign(all, secretKey));
    const query = new URLSearchParams([...all]).toString();
    const url = this.#url;
    const response =
      method === 'POST'
        ? await fetch(url, { method, body: new URLSearchParams([...all]) })
        : await fetch(`${url}?${query}`, { method });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** The content of an answer that must be good. */
  async call(command: string, parameters: Readonly<Record<string, string>> = {}): Promise<Fields> {
    const { status, text } = await this.send({ command, ...parameters });
    assert.equal(status, 200, `${command} answers ${status}: ${text}`);
    return content(text);
  }

  /** The items of a list. */
  async list(command: string, parameters: Readonly<Record<string, string>> = {}): Promise<readonly Fields[]> {
    const { count: _, ...items } = await this.call(command, parameters);
    return (Object.values(items)[0] ?? []) as readonly Fields[];
  }

  /** The error of a call that must fail at once. */
  async refused(
    command: string,
    parameters: Readonly<Record<string, string>> = {},
  ): Promise<{ code: unknown; reason: unknown; text: unknown }> {
    const { status, text } = await this.send({ command, ...parameters });
    assert.notEqual(status, 200, `${command} succeeds: ${text}`);
    const { errorcode, cserrorcode, errortext } = content(text);
    assert.equal(errorcode, status);
    return { code: errorcode, reason: cserrorcode, text: errortext };
  }
}

/** What is inside of the envelope. */
export function content(text: string): Fields {
  return Object.values(JSON.parse(text) as Readonly<Record<string, Fields>>)[0] ?? {};
}

/** A simulator on a clock that stands still until it is told to go on. */
export class TestCloud implements AsyncDisposable {
  readonly simulator: Simulator;
  readonly clock: FakeClock;
  readonly user: TestClient;
  readonly admin: TestClient;

  private constructor(simulator: Simulator, clock: FakeClock) {
    this.simulator = simulator;
    this.clock = clock;
    this.user = this.as('k8s');
    this.admin = this.as('admin');
  }

  /** Jobs take 100 ms of the clock. Without a scene: an account k8s with a network and three machines. */
  static async start(options: Omit<SimulatorOptions, 'clock'> = {}): Promise<TestCloud> {
    const clock = new FakeClock();
    const simulator = await startSimulator({ scene: demoScene, timing: fixedJobTiming(100), ...options, clock });
    return new TestCloud(simulator, clock);
  }

  /** A caller with an account's keys. */
  as(account: string): TestClient {
    return new TestClient(this.simulator.url, this.simulator.credentials.get(account) ?? { apiKey: '', secretKey: '' });
  }

  /** A caller with these keys. */
  with(apiKey: string, secretKey: string): TestClient {
    return new TestClient(this.simulator.url, { apiKey, secretKey });
  }

  /** Lets every job end. */
  async settle(): Promise<void> {
    for (let round = 0; this.simulator.jobs.pending > 0 && round < 1000; round++) await this.clock.advance(50);
  }

  /** The result of a call's job, which must end well. */
  async result(client: TestClient, command: string, parameters: Readonly<Record<string, string>>): Promise<Fields> {
    const job = await this.job(client, command, parameters);
    assert.equal(job['jobstatus'], 1, `${command} fails: ${JSON.stringify(job['jobresult'])}`);
    return job['jobresult'] as Fields;
  }

  /** The error of a call's job, which must fail. */
  async failure(
    client: TestClient,
    command: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<{ code: unknown; text: unknown }> {
    const job = await this.job(client, command, parameters);
    assert.equal(job['jobstatus'], 2, `${command} succeeds: ${JSON.stringify(job['jobresult'])}`);
    const { errorcode, errortext } = (job['jobresult'] ?? {}) as Fields;
    return { code: errorcode, text: errortext };
  }

  /** The answer of queryAsyncJobResult when the job that a call started has ended. */
  async job(client: TestClient, command: string, parameters: Readonly<Record<string, string>>): Promise<Fields> {
    const { jobid } = await client.call(command, parameters);
    await this.settle();
    return client.call('queryAsyncJobResult', { jobid: String(jobid) });
  }

  /** The id of the only row with this name. */
  id(table: 'networks' | 'virtualMachines' | 'loadBalancerRules' | 'vpcs', name: string): string {
    for (const row of this.simulator.state[table].values()) if (row.name === name) return row.id;
    throw new Error(`There is no ${name} in ${table}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.simulator.close();
  }
}
