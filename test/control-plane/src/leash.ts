import { type ChildProcess, spawn } from 'node:child_process';

// Each line it reads names the process groups that are alive. When its input ends, they die and the folder goes.
const WATCH =
  'groups=; while read -r line; do groups=$line; done; for g in $groups; do kill -s KILL -- "-$g"; done; rm -rf -- "$1"';

/**
 * Keeps what a test run started from outliving it. A small shell waits on a pipe that only this process holds open:
 * however this process ends, by return, signal or crash, the pipe closes, and the shell ends the process groups on the
 * leash and removes their folder.
 */
export class Leash {
  readonly #groups = new Set<number>();
  readonly #watcher: ChildProcess;
  readonly #ended: Promise<void>;

  /** @param folder is removed at the end. */
  constructor(folder: string) {
    // A session of its own, so that Ctrl-C in the terminal does not end the watcher before its work.
    this.#watcher = spawn('/bin/sh', ['-c', WATCH, 'leash', folder], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#ended = new Promise((resolve) => this.#watcher.once('close', () => resolve()));
    this.#watcher.stdin?.on('error', () => undefined);
    this.#watcher.unref();
  }

  /** Puts a process group on the leash. */
  hold(group: number): void {
    this.#groups.add(group);
    this.#tell();
  }

  /** Takes a process group off: it has ended. */
  release(group: number): void {
    this.#groups.delete(group);
    this.#tell();
  }

  /** Ends what is still on the leash, removes the folder, and resolves when both are done. */
  async close(): Promise<void> {
    this.#watcher.ref();
    this.#watcher.stdin?.end();
    await this.#ended;
  }

  #tell(): void {
    this.#watcher.stdin?.write(`${[...this.#groups].join(' ')}\n`);
  }
}
