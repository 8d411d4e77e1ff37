import { DecodeError } from '../errors.ts';

/**
 * Bytes of one piece (a line, a list item) that may arrive in several chunks. What is taken out is a copy or a whole
 * chunk's view that lives only until it is parsed, so no stored string keeps a network buffer alive.
 */
export class BytePieces {
  readonly #what: string;
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #size = 0;

  /** @param maxBytes longer pieces are refused: they would not fit into memory. */
  constructor(what: string, maxBytes: number) {
    this.#what = what;
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#size;
  }

  add(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.#maxBytes) {
      throw new DecodeError(`${this.#what} is longer than ${this.#maxBytes} bytes`);
    }
    if (part.length > 0) this.#parts.push(part);
  }

  /** The whole as text; the next piece starts empty. */
  take(): string {
    const parts = this.#parts;
    const [first] = parts;
    this.#parts = [];
    this.#size = 0;
    if (!first) return '';
    return (parts.length === 1 ? first : Buffer.concat(parts)).toString('utf8');
  }
}
