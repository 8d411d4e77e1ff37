import { parseJson } from '../decode.ts';

const BACKSLASH = 0x5c;
const LIST_OF_OBJECTS = Buffer.from('[{');
const END_OF_LIST = Buffer.from('}]');

/**
 * Parses JSON without the values of fields that nobody reads: they are null in it. Most of a Node's 20 KB are its images
 * and its managed fields; parsed and dropped, they were most of the garbage too.
 *
 * A field is cut out from `[{` to the next `}]` without a look at what is between: native searches, where reading byte by
 * byte cost half a second for 1,000 nodes. The parser is the judge of the cut. A `}]` within a string leaves an odd number
 * of quotes behind, one of a list further in leaves a bracket without its partner, so the rest is no JSON, and then all of
 * it is parsed.
 */
export class FieldSkipper {
  readonly #keys: readonly Buffer[];

  /** @param names of fields to skip, at any depth: lists of nothing but objects. */
  constructor(names: readonly string[]) {
    this.#keys = names.map((name) => Buffer.from(`"${name}":`));
  }

  /** @throws DecodeError, in which `name` says what was not JSON. */
  parse(json: Buffer, name: string): unknown {
    const kept = this.#text(json);
    if (kept === undefined) return parseJson(json.toString(), name);
    try {
      return JSON.parse(kept);
    } catch {
      return parseJson(json.toString(), name);
    }
  }

  /** Undefined if there is nothing to skip. */
  #text(json: Buffer): string | undefined {
    const starts = this.#keys.flatMap((key) => valuesOf(json, key)).toSorted((left, right) => left - right);
    let text = '';
    let kept = 0;
    for (const start of starts) {
      const end = json.indexOf(END_OF_LIST, start);
      // A field within a skipped one is gone already.
      if (start < kept || end < 0) continue;
      text += `${json.toString('utf8', kept, start)}null`;
      kept = end + END_OF_LIST.length;
    }
    return kept === 0 ? undefined : text + json.toString('utf8', kept);
  }
}

/**
 * Where the lists of objects begin that are values of the key. It is found by its bytes. That is safe: within a JSON
 * string a quote is escaped, so `"name":` without a backslash before it can only be a key.
 */
function valuesOf(json: Buffer, key: Buffer): number[] {
  const starts: number[] = [];
  for (let at = json.indexOf(key); at >= 0; at = json.indexOf(key, at + key.length)) {
    const start = at + key.length;
    if (json[at - 1] !== BACKSLASH && LIST_OF_OBJECTS.equals(json.subarray(start, start + 2))) starts.push(start);
  }
  return starts;
}
