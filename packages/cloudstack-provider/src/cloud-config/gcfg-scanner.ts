/** Where something stands in a file. Both count from 1; columns count characters. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface ScannedValue {
  readonly value: string;
  readonly cutAt: Place | undefined;
}

const NAME_START = /\p{L}/u;
const NAME_PART = /[\p{L}\p{Nd}-]/u;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\', '"': '"', n: '\n', t: '\t', b: '\b' };

/**
 * The letters and signs of gcfg. Blanks, tabs, carriage returns and comments between tokens are skipped. The rules are
 * those of gopkg.in/gcfg.v1/scanner, also where they are odd: quotes may open and close anywhere in a value.
 */
export class GcfgScanner {
  readonly #characters: readonly string[];
  readonly #report: (place: Place, message: string) => void;
  #index = 0;
  #line = 1;
  #column = 1;

  constructor(text: string, report: (place: Place, message: string) => void) {
    this.#characters = Array.from(text.replace(/^\uFEFF/, ''));
    this.#report = report;
  }

  /** The place of the next token. */
  place(): Place {
    this.#skipBlanks();
    return this.#here();
  }

  /** What comes next: the kind of token, or the sign itself. */
  peek(): string {
    this.#skipBlanks();
    const next = this.#next();
    if (next === undefined) return 'end of file';
    if (next === '\n' || next === '#' || next === ';') return 'end of line';
    return NAME_START.test(next) ? 'name' : next;
  }

  /** Passes the sign that `peek` showed. */
  advance(): void {
    this.#take();
  }

  name(): string {
    let name = '';
    while (NAME_PART.test(this.#next() ?? '')) name += this.#take();
    return name;
  }

  /** A subsection's name in quotes. Only `\\` and `\"` are escapes there. */
  quoted(): string {
    const start = this.#here();
    this.#take();
    let text = '';
    for (;;) {
      const character = this.#next();
      if (character === undefined || character === '\n') {
        this.#report(start, 'the quotes are not closed');
        return text;
      }
      this.#take();
      if (character === '"') return text;
      text += character === '\\' ? this.#escape('\\"') : character;
    }
  }

  /** The rest of the line up to a comment, without blanks around it, quotes and escapes resolved. */
  value(): ScannedValue {
    this.#skipBlanks();
    const start = this.#here();
    let text = '';
    let quoted = false;
    let anyQuotes = false;
    let kept = 0;
    for (;;) {
      const character = this.#next();
      if (character === undefined || character === '\n') {
        if (quoted) this.#report(start, 'the quotes are not closed');
        return { value: text.slice(0, kept), cutAt: undefined };
      }
      if (!quoted && (character === '#' || character === ';')) {
        return { value: text.slice(0, kept), cutAt: kept === text.length && !anyQuotes ? this.#here() : undefined };
      }
      this.#take();
      anyQuotes ||= character === '"';
      if (character === '"') quoted = !quoted;
      else if (character === '\\') text += quoted ? this.#escape('\\"ntb') : this.#continued();
      else if (character !== '\r') text += character;
      // Blanks at the end do not belong to the value unless they are quoted or escaped.
      if (quoted || !/[ \t\r]/.test(character)) kept = text.length;
    }
  }

  /** Goes to the start of the next line. */
  skipLine(): void {
    while (this.#next() !== undefined && this.#next() !== '\n') this.#take();
    if (this.#next() === '\n') this.#take();
  }

  /** A backslash outside of quotes: the value goes on in the next line, or an escape. */
  #continued(): string {
    if (this.#next() === '\r') this.#take();
    if (this.#next() !== '\n') return this.#escape('\\"ntb');
    this.#take();
    return '';
  }

  #escape(known: string): string {
    const place = this.#here();
    const character = this.#next();
    if (character === undefined || !known.includes(character)) {
      this.#report(place, 'unknown escape sequence: write a backslash as \\\\');
      return '';
    }
    this.#take();
    return ESCAPES[character] ?? '';
  }

  #skipBlanks(): void {
    while (/^[ \t\r]$/.test(this.#next() ?? '')) this.#take();
  }

  #here(): Place {
    return { line: this.#line, column: this.#column };
  }

  #next(): string | undefined {
    return this.#characters[this.#index];
  }

  #take(): string {
    const character = this.#characters[this.#index] ?? '';
    if (character === '\u0000') this.#report(this.#here(), 'illegal character NUL');
    if (character === '\uFFFD') this.#report(this.#here(), 'the text is not UTF-8');
    this.#index++;
    this.#line += character === '\n' ? 1 : 0;
    this.#column = character === '\n' ? 1 : this.#column + 1;
    return character;
  }
}
