import { GcfgScanner, type Place } from './gcfg-scanner.ts';

/** One `name = value` of a gcfg file. */
export interface Entry {
  readonly section: string;
  readonly name: string;
  /** Undefined for a name that stands alone, without `=`. */
  readonly value: string | undefined;
  readonly place: Place;
  /** Where an unquoted value ended at a comment sign that directly followed it, or took all of it away. */
  readonly cutAt: Place | undefined;
}

interface Problem {
  readonly place: Place;
  /** Never repeats a value: it may be a secret. */
  readonly message: string;
}

/** What was read of a gcfg file. All its problems are there, not only the first. */
export interface GcfgFile {
  readonly entries: readonly Entry[];
  readonly problems: readonly Problem[];
}

/**
 * Reads gcfg, the dialect of Git's configuration syntax that Go's gopkg.in/gcfg.v1 reads. After a problem it goes on
 * with the next line.
 */
export function readGcfg(text: string): GcfgFile {
  const reader = new GcfgReader(text);
  reader.read();
  return reader;
}

class GcfgReader implements GcfgFile {
  readonly entries: Entry[] = [];
  readonly problems: Problem[] = [];
  readonly #scanner: GcfgScanner;
  #section = '';

  constructor(text: string) {
    this.#scanner = new GcfgScanner(text, (place, message) => this.problems.push({ place, message }));
  }

  read(): void {
    for (;;) {
      const place = this.#scanner.place();
      const start = this.#scanner.peek();
      if (start === 'end of file') return;
      const before = this.problems.length;
      if (start === '[') this.#readHeader();
      else if (start === 'name') this.#readEntry(place);
      else if (start !== 'end of line') this.#problem('expected a section header or a variable');
      if (this.problems.length === before) this.#expectEndOfLine();
      this.#scanner.skipLine();
    }
  }

  #readHeader(): void {
    this.#scanner.advance();
    if (this.#scanner.peek() !== 'name') return this.#problem('expected a section name');
    const name = this.#scanner.name();
    const place = this.#scanner.place();
    const subsection = this.#scanner.peek() === '"' ? this.#scanner.quoted() : undefined;
    if (subsection === '') return this.#problem('empty subsection name', place);
    if (this.#scanner.peek() !== ']') return this.#problem('expected a right bracket');
    this.#scanner.advance();
    this.#section = subsection === undefined ? name : `${name} "${subsection}"`;
  }

  #readEntry(place: Place): void {
    const name = this.#scanner.name();
    const next = this.#scanner.peek();
    const alone = next === 'end of line' || next === 'end of file';
    if (!alone && next !== '=') return this.#problem("expected '='");
    if (!alone) this.#scanner.advance();
    const { value, cutAt } = alone ? { value: undefined, cutAt: undefined } : this.#scanner.value();
    if (this.#section === '') return this.#problem('expected a section header before the first variable', place);
    this.entries.push({ section: this.#section, name, value, place, cutAt });
  }

  #expectEndOfLine(): void {
    const next = this.#scanner.peek();
    if (next !== 'end of line' && next !== 'end of file') this.#problem('expected the end of the line or a comment');
  }

  #problem(message: string, place = this.#scanner.place()): void {
    this.problems.push({ place, message });
  }
}
