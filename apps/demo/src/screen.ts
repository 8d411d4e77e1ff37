import type { WriteStream } from 'node:tty';

const HOME = '\u001b[H';
const CLEAR_LINE = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';
// Without cursor, and long lines are cut instead of wrapped.
const OTHER_SCREEN = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const FORMER_SCREEN = '\u001b[?7h\u001b[?25h\u001b[?1049l';

/** A terminal that is drawn over and over without flicker, and given back as it was found. */
export class Screen implements Disposable {
  readonly #terminal: WriteStream;

  constructor(terminal: WriteStream) {
    this.#terminal = terminal;
    terminal.write(OTHER_SCREEN);
  }

  /** Lines that do not fit are cut off: below and at the right. */
  draw(lines: readonly string[]): void {
    const fitting = lines.slice(0, this.#terminal.rows - 1);
    this.#terminal.write(HOME + fitting.map((line) => `${line}${CLEAR_LINE}\n`).join('') + CLEAR_BELOW);
  }

  [Symbol.dispose](): void {
    this.#terminal.write(FORMER_SCREEN);
  }
}
