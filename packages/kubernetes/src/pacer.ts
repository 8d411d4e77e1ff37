import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 10;

/** Keeps long parsing from blocking the event loop: lease renewals and health answers must get their turn. */
export class Pacer {
  readonly #elapsed: () => number;
  #since: number;

  /** @param elapsed milliseconds on a clock that never goes back. Default: the process's own. */
  constructor(elapsed: () => number = () => performance.now()) {
    this.#elapsed = elapsed;
    this.#since = elapsed();
  }

  /** To be called between two pieces of work: lets others run when 10 ms have been used up. */
  async pause(): Promise<void> {
    if (this.#elapsed() - this.#since < SLICE_MS) return;
    await setImmediate();
    this.#since = this.#elapsed();
  }
}
