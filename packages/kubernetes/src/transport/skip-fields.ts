const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Makes the text of a JSON object without the values of fields that nobody reads: they are null in it. Most of a
 * Node's 20 KB are its images and its managed fields; parsed and dropped, they were most of the garbage too.
 *
 * A key is found by its bytes. That is safe: within a JSON string a quote is escaped, so `"name":` without a backslash
 * before it can only be a key.
 */
export class FieldSkipper {
  readonly #keys: readonly Buffer[];

  /** @param names of fields to skip, at any depth, where their values are objects or lists. */
  constructor(names: readonly string[]) {
    this.#keys = names.map((name) => Buffer.from(`"${name}":`));
  }

  text(json: Buffer): string {
    let text = '';
    let kept = 0;
    for (const { start, end } of this.#ranges(json)) {
      // A field within a skipped one is gone already.
      if (start < kept) continue;
      text += `${json.toString('utf8', kept, start)}null`;
      kept = end;
    }
    return text + json.toString('utf8', kept);
  }

  #ranges(json: Buffer): readonly Range[] {
    const ranges = this.#keys.flatMap((key) => rangesOf(json, key));
    return ranges.length > 1 ? ranges.sort((left, right) => left.start - right.start) : ranges;
  }
}

function rangesOf(json: Buffer, key: Buffer): Range[] {
  const ranges: Range[] = [];
  for (let at = json.indexOf(key); at >= 0; at = json.indexOf(key, at + key.length)) {
    const start = at + key.length;
    const opened = json[start] === OPEN_BRACE || json[start] === OPEN_BRACKET;
    if (opened && json[at - 1] !== BACKSLASH) ranges.push({ start, end: endOf(json, start) });
  }
  return ranges;
}

/** Where the object or list that begins at `start` ends. */
function endOf(json: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return at + 1;
  }
  return json.length;
}

/** Where the closing quote is of the string that begins at `start`. */
function endOfString(json: Buffer, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return json.length;
}
