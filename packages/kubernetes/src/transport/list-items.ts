import { BytePieces } from './byte-pieces.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const ITEMS = Buffer.from('"items"');

/** Longest key that can matter: `"items"`. */
const KEY_BYTES = ITEMS.length;

/**
 * Cuts a Kubernetes list (`{"items":[…],"metadata":{…}}`) into its items while it arrives, so that only one item is
 * ever held as text, whatever the list's length. What is left without the items is the envelope.
 */
export class ListItemSplitter {
  readonly #item: BytePieces;
  readonly #envelope: BytePieces;
  /** Nesting outside strings: 1 in the list object, 2 in its `items`, 3 in an item. */
  #depth = 0;
  #inString = false;
  #escaped = false;
  #inItems = false;
  /** The last string seen at depth 1, to tell the key `items` from others. */
  #key: number[] = [];
  #keyIsItems = false;

  constructor(what: string, maxItemBytes: number) {
    this.#item = new BytePieces(`an item of ${what}`, maxItemBytes);
    this.#envelope = new BytePieces(what, maxItemBytes);
  }

  /** The items that `chunk` completes. @throws DecodeError when one is too long. */
  *push(chunk: Buffer): Generator<string, void, void> {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.#inString) {
        this.#string(byte);
      } else if (byte === QUOTE) {
        this.#inString = true;
        if (this.#depth === 1) this.#key = [byte];
      } else if (byte === COLON) {
        if (this.#depth === 1) this.#keyIsItems = ITEMS.equals(Uint8Array.from(this.#key));
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        start = this.#open(byte, chunk, start, at);
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        this.#depth--;
        if (!this.#inItems) continue;
        if (this.#depth === 2) {
          this.#item.add(chunk.subarray(start, at + 1));
          yield this.#item.take();
          start = at + 1;
        } else if (this.#depth === 1) {
          this.#inItems = false;
          start = at;
        }
      }
    }
    this.#rest(chunk.subarray(start));
  }

  /** The list without its items, once all of it has been pushed. */
  envelope(): string {
    return this.#envelope.take();
  }

  #string(byte: number): void {
    if (this.#depth === 1 && this.#key.length < KEY_BYTES + 1) this.#key.push(byte);
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  /** @returns where the bytes begin that nobody has taken yet. */
  #open(byte: number, chunk: Buffer, start: number, at: number): number {
    this.#depth++;
    if (this.#depth === 2 && byte === OPEN_BRACKET && this.#keyIsItems) {
      this.#inItems = true;
      this.#envelope.add(chunk.subarray(start, at + 1));
      return at + 1;
    }
    return this.#inItems && this.#depth === 3 ? at : start;
  }

  /** Bytes after the last boundary: part of an item, of the envelope, or the commas between items. */
  #rest(bytes: Buffer): void {
    if (!this.#inItems) this.#envelope.add(bytes);
    else if (this.#depth > 2) this.#item.add(bytes);
  }
}
