/** Longest stretch of work between two chances for others, in milliseconds. */
const SLICE_MS = 6;

/** Lets other work of the process go on while a long list is being written. */
export class Pacer {
  // Not the injected clock: this is about the CPU, and must work while a test's clock stands still.
  #since = performance.now();

  async pause(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
