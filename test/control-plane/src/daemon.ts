import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { DeadlineExceededError, Scope } from '@cloudstack-ccm/base';
import type { Leash } from './leash.ts';

export interface DaemonOptions {
  readonly program: string;
  readonly args: readonly string[];
  /** What it prints goes to the end of this file. */
  readonly logFile: string;
  readonly leash: Leash;
}

/** A server program that runs beside this process, in a process group of its own. */
export class Daemon {
  readonly #child: ChildProcess;
  readonly #logFile: string;
  /** Resolves when it has ended, with how: `exit code 1`, `signal SIGKILL`. Never rejects. */
  readonly ended: Promise<string>;
  #alive = true;

  constructor({ program, args, logFile, leash }: DaemonOptions) {
    const log = openSync(logFile, 'a');
    this.#logFile = logFile;
    this.#child = spawn(program, args, { detached: true, stdio: ['ignore', log, log], env: {} });
    closeSync(log);
    const group = this.#child.pid;
    if (group !== undefined) leash.hold(group);
    this.ended = new Promise<string>((resolve) => {
      this.#child.once('error', (error) => resolve(error.message));
      this.#child.once('close', (code, signal) => resolve(code === null ? `signal ${signal}` : `exit code ${code}`));
    }).finally(() => {
      this.#alive = false;
      if (group !== undefined) leash.release(group);
    });
  }

  get alive(): boolean {
    return this.#alive;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The last lines that it printed. */
  tail(lines = 20): string {
    return readFileSync(this.#logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  }

  /** Sends the signal, and SIGKILL when it has not ended after `graceMs` milliseconds. Resolves when it has ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM', graceMs = 5000): Promise<void> {
    this.#signal(signal);
    using scope = Scope.root().withDeadline(graceMs, 'stopping');
    try {
      await scope.wait(this.ended);
    } catch (thrown) {
      if (!(thrown instanceof DeadlineExceededError)) throw thrown;
      this.#signal('SIGKILL');
      await this.ended;
    }
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#alive && this.#child.pid !== undefined) process.kill(-this.#child.pid, signal);
  }
}
