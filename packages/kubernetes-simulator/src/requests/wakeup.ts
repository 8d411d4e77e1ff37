/** A bell for one sleeper. A ring while nobody sleeps is not lost: the next wait returns at once. */
export class Wakeup {
  #rung = false;
  #resolve: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#resolve?.();
  }

  async wait(): Promise<void> {
    if (!this.#rung) await new Promise<void>((resolve) => (this.#resolve = resolve));
    this.#rung = false;
    this.#resolve = undefined;
  }
}
