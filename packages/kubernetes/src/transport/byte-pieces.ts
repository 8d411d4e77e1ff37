import { DecodeError } from '../errors.ts';

/**
 * Bytes of one piece (a line, a list item) that may arrive in several chunks. Pieces are put together in one buffer
 * that is used again and again: memory outside the heap is given back late, and thousands of pieces come in a row.
 */
export class BytePieces {
  readonly #what: string;
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #size = 0;
  #together = Buffer.alloc(0);

  /** @param maxBytes longer pieces are refused: they would not fit into memory. */
  constructor(what: string, maxBytes: number) {
    this.#what = what;
    this.#maxBytes = maxBytes;
  }

  /** @throws DecodeError when the piece becomes too long. */
  add(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.#maxBytes) throw new DecodeError(`${this.#what} is longer than ${this.#maxBytes} bytes`);
    if (part.length > 0) this.#parts.push(part);
  }

  /** The whole, to be read before the next piece that spans chunks is taken; that next piece starts empty. */
  take(): Buffer {
    const [only] = this.#parts;
    const whole = only && this.#parts.length === 1 ? only : this.#putTogether();
    this.#parts = [];
    this.#size = 0;
    return whole;
  }

  #putTogether(): Buffer {
    if (this.#together.length < this.#size) this.#together = Buffer.allocUnsafeSlow(this.#size);
    let length = 0;
    for (const part of this.#parts) length += part.copy(this.#together, length);
    return this.#together.subarray(0, length);
  }
}
