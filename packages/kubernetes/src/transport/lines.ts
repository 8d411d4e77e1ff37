import { BytePieces } from './byte-pieces.ts';

const NEWLINE = 0x0a;

/** Splits a stream of bytes into lines. A last line without its newline was cut off and is never handed out. */
export class LineSplitter {
  readonly #pending: BytePieces;

  constructor(what: string, maxBytes: number) {
    this.#pending = new BytePieces(what, maxBytes);
  }

  /** The lines that `chunk` completes, without empty ones, to be read before the next chunk comes. @throws DecodeError when a line is too long. */
  push(chunk: Buffer): readonly Buffer[] {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#pending.add(chunk.subarray(start, end));
      start = end + 1;
      const line = this.#pending.take();
      if (!isBlank(line)) lines.push(line);
    }
    this.#pending.add(chunk.subarray(start));
    return lines;
  }
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09);
}
