import { BytePieces } from './byte-pieces.ts';

const NEWLINE = 0x0a;

/** Splits a stream of bytes into lines. A last line without its newline was cut off and is never handed out. */
export class LineSplitter {
  readonly #pending: BytePieces;

  constructor(what: string, maxBytes: number) {
    this.#pending = new BytePieces(what, maxBytes);
  }

  /** The lines that `chunk` completes, without the empty ones. @throws DecodeError when a line is too long. */
  *push(chunk: Buffer): Generator<string, void, void> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#pending.add(chunk.subarray(start, end));
      start = end + 1;
      const line = this.#pending.take();
      if (line.trim() !== '') yield line;
    }
    this.#pending.add(chunk.subarray(start));
  }
}
