import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';

const BUNDLE = join(import.meta.dirname, '../../../dist/cloudstack-ccm.js');

export interface ControllerOptions {
  readonly kubeconfig: string;
  readonly cloudConfig: string;
  /** More flags, for example `-v=4`. */
  readonly flags: readonly string[];
  /** Where its log goes; undefined: to this terminal. */
  readonly logFile?: string;
}

/** The controller as a process of its own: the very file that goes into the image. */
export class Controller {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number>;
  readonly #logFile: string | undefined;
  #exitCode: number | undefined;

  constructor({ kubeconfig, cloudConfig, flags, logFile }: ControllerOptions) {
    this.#logFile = logFile;
    const args = [`--kubeconfig=${kubeconfig}`, `--cloud-config=${cloudConfig}`, ...flags];
    this.#child = spawn(process.execPath, ['--max-semi-space-size=2', BUNDLE, ...args], {
      stdio: ['ignore', logFile ? 'pipe' : 'inherit', logFile ? 'pipe' : 'inherit'],
    });
    if (logFile) {
      const log = createWriteStream(logFile);
      this.#child.stdout?.pipe(log, { end: false });
      this.#child.stderr?.pipe(log, { end: false });
    }
    this.#ended = once(this.#child, 'close').then(([code]: (number | null)[]) => (this.#exitCode = code ?? 1));
  }

  /** Undefined while it runs. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** The last lines of its log file. */
  tail(lines = 20): string {
    return this.#logFile ? readFileSync(this.#logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n') : '';
  }

  /** Resolves with the exit code when it ends. */
  get ended(): Promise<number> {
    return this.#ended;
  }

  /** Asks it to end and waits until it has. */
  async stop(): Promise<number> {
    this.#child.kill('SIGTERM');
    const hard = setTimeout(() => this.#child.kill('SIGKILL'), 15_000);
    const code = await this.#ended;
    clearTimeout(hard);
    return code;
  }
}
