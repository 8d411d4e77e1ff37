import { BytePieces } from './byte-pieces.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const ITEMS = Buffer.from('"items"');

/**
 * Cuts a Kubernetes list (`{"items":[…],"metadata":{…}}`) into its items while it arrives, so that only one item is
 * ever held, whatever the list's length. What is left without the items is the envelope.
 */
export class ListItemSplitter {
  readonly #item: BytePieces;
  readonly #envelope: BytePieces;
  /** Nesting outside strings: 1 in the list object, 2 in its `items`, 3 in an item. */
  #depth = 0;
  #inString = false;
  #escaped = false;
  #inItems = false;
  /** The string last seen at depth 1, to tell the key `items` from others. */
  #key: number[] = [];
  #keyIsItems = false;
  /** Where the bytes of the chunk begin that belong to nothing yet. */
  #start = 0;

  constructor(what: string, maxItemBytes: number) {
    this.#item = new BytePieces(`an item of ${what}`, maxItemBytes);
    this.#envelope = new BytePieces(what, maxItemBytes);
  }

  /** The items that `chunk` completes, to be read before the next chunk comes. @throws DecodeError when one is too long. */
  push(chunk: Buffer): readonly Buffer[] {
    const items: Buffer[] = [];
    this.#start = 0;
    for (let at = 0; at < chunk.length; at++) {
      if (this.#inString) at = this.#string(chunk, at);
      else this.#structure(chunk, at, items);
    }
    this.#rest(chunk.subarray(this.#start));
    return items;
  }

  /** The list without its items, once all of it has been pushed. */
  envelope(): string {
    return this.#envelope.take().toString('utf8');
  }

  /** Passes over the inside of a string. @returns the place of the last byte that was looked at. */
  #string(chunk: Buffer, from: number): number {
    let escaped = this.#escaped;
    let at = from;
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) {
        this.#inString = false;
        break;
      }
    }
    this.#escaped = escaped;
    if (this.#depth === 1) this.#key.push(...chunk.subarray(from, Math.min(at + 1, from + ITEMS.length)));
    return at;
  }

  #structure(chunk: Buffer, at: number, items: Buffer[]): void {
    switch (chunk[at] ?? 0) {
      case QUOTE:
        this.#inString = true;
        if (this.#depth === 1) this.#key = [QUOTE];
        return;
      case COLON:
        if (this.#depth === 1) this.#keyIsItems = ITEMS.equals(Uint8Array.from(this.#key));
        return;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        return this.#open(chunk, at);
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        return this.#close(chunk, at, items);
      default:
    }
  }

  #open(chunk: Buffer, at: number): void {
    this.#depth++;
    if (this.#inItems) {
      if (this.#depth === 3) this.#start = at;
    } else if (this.#depth === 2 && this.#keyIsItems && chunk[at] === OPEN_BRACKET) {
      this.#inItems = true;
      this.#envelope.add(chunk.subarray(this.#start, at + 1));
      this.#start = at + 1;
    }
  }

  #close(chunk: Buffer, at: number, items: Buffer[]): void {
    this.#depth--;
    if (!this.#inItems) return;
    if (this.#depth === 2) {
      this.#item.add(chunk.subarray(this.#start, at + 1));
      items.push(this.#item.take());
      this.#start = at + 1;
    } else if (this.#depth === 1) {
      this.#inItems = false;
      this.#start = at;
    }
  }

  /** Bytes after the last boundary: part of an item, of the envelope, or the commas between items. */
  #rest(bytes: Buffer): void {
    if (!this.#inItems) this.#envelope.add(bytes);
    else if (this.#depth > 2) this.#item.add(bytes);
  }
}
