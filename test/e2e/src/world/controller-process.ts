import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:https';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Secret } from '@cloudstack-ccm/base';
import type { Leash } from '@cloudstack-ccm/control-plane';

export interface ControllerOptions {
  /** The bundle to run. */
  readonly program: string;
  readonly args: readonly string[];
  /** Arguments of Node itself. */
  readonly nodeArgs: readonly string[];
  /** All of its environment, as in a container. */
  readonly env: Readonly<Record<string, string>>;
  /** The port of its HTTPS endpoint. */
  readonly port: number;
  readonly leash: Leash;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The controller as users run it: a process of its own, known by its flags, its output, its endpoint and its end. */
export class ControllerProcess {
  readonly #child: ChildProcess;
  readonly #port: number;
  readonly #lines: string[] = [];
  readonly ended: Promise<Exit>;
  #exit: Exit | undefined;
  #told = false;

  constructor({ program, args, nodeArgs, env, port, leash }: ControllerOptions) {
    this.#port = port;
    this.#child = spawn(process.execPath, ['--max-semi-space-size=2', ...nodeArgs, program, ...args], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    });
    leash.hold(this.pid);
    for (const stream of [this.#child.stdout, this.#child.stderr]) this.#keep(stream);
    this.ended = once(this.#child, 'close').then(([code, signal]: Exit[keyof Exit][]) => {
      leash.release(this.pid);
      this.#exit = {
        code: typeof code === 'number' ? code : null,
        signal: typeof signal === 'string' ? signal : null,
      };
      return this.#exit;
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** How it ended; undefined while it runs. */
  get exit(): Exit | undefined {
    return this.#exit;
  }

  /** The test is about to make it end by itself. */
  mayEnd(): void {
    this.#told = true;
  }

  /** True if the test told it to end, or makes it. */
  get told(): boolean {
    return this.#told;
  }

  get state(): string {
    return this.#exit === undefined ? 'running' : `ended with ${this.#exit.code ?? this.#exit.signal}`;
  }

  /** All lines it printed so far. */
  get output(): string {
    return this.#lines.join('\n');
  }

  tail(lines = 40): string {
    return this.#lines.slice(-lines).join('\n');
  }

  /** What its endpoint answers; without a token as the kubelet's probes ask. */
  probe(path: string, token?: Secret): Promise<{ readonly status: number; readonly body: string }> {
    return new Promise((resolve, reject) => {
      const headers = token ? { authorization: `Bearer ${token.reveal()}` } : {};
      const options = { host: '127.0.0.1', port: this.#port, path, headers, rejectUnauthorized: false, agent: false };
      const sent = request(options, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
      });
      sent.once('error', reject);
      sent.end();
    });
  }

  /** Asks it to end and waits until it has; SIGKILL ends it as a crash does. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit> {
    this.#told = true;
    if (!this.#exit) this.#child.kill(signal);
    const hard = setTimeout(() => this.#child.kill('SIGKILL'), 15_000);
    try {
      return await this.ended;
    } finally {
      clearTimeout(hard);
    }
  }

  #keep(stream: Readable | null): void {
    if (stream) createInterface({ input: stream }).on('line', (line) => this.#lines.push(line));
  }
}
