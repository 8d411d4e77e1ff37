import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const BUNDLE = join(import.meta.dirname, '../../dist/cloudstack-ccm.js');

/** The bundled controller as a process, with what the operating system says of it. */
export class ControllerProcess {
  readonly #child: ChildProcess;
  readonly #started = performance.now();
  readonly #lines: { readonly at: number; readonly text: string }[] = [];

  constructor(flags: readonly string[]) {
    this.#child = spawn(process.execPath, ['--max-semi-space-size=2', BUNDLE, ...flags], {
      stdio: ['ignore', 'ignore', 'pipe'],
      // As the image sets it.
      env: { MALLOC_ARENA_MAX: '1' },
    });
    if (this.#child.stderr) {
      createInterface({ input: this.#child.stderr }).on('line', (text) =>
        this.#lines.push({ at: performance.now() - this.#started, text }),
      );
    }
  }

  /** Milliseconds from the start of the process to a log line. @throws when it does not come within a minute. */
  async logged(pattern: RegExp): Promise<number> {
    for (let waited = 0; waited < 60_000; waited += 5) {
      const line = this.#lines.find(({ text }) => pattern.test(text));
      if (line) return line.at;
      await sleep(5);
    }
    throw new Error(`No line like ${String(pattern)}; the last ones:\n${this.tail()}`);
  }

  tail(): string {
    return this.#lines
      .slice(-15)
      .map(({ text }) => text)
      .join('\n');
  }

  /** Memory in MB: what is resident now, and the most that ever was. */
  memory(): { readonly now: number; readonly peak: number } {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    const megabytes = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
    return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    await ended;
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
