/** One call. Keys and signatures are left out. */
export interface CallEntry {
  readonly seq: number;
  /** Wall time in milliseconds since the epoch. */
  readonly time: number;
  readonly command: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Name of the caller's account; absent if nobody was recognised. */
  readonly account?: string;
  readonly outcome: Outcome;
}

export interface Outcome {
  /** The HTTP status that the API chose. */
  readonly status: number;
  readonly errorText?: string;
  /** The job it started. What became of that is in the state's jobs. */
  readonly jobId?: string;
  /** The object it made. */
  readonly id?: string;
}

const HIDDEN = new Set(['apikey', 'signature', 'sessionkey', 'password', 'privatekey', 'response', 'command']);

/** Calls in order, the oldest dropped when there are too many, and counts that forget nothing. */
export class CallLog {
  readonly #limit: number;
  #entries: CallEntry[] = [];
  #counts = new Map<string, number>();
  #seq = 0;

  /** @param limit entries to keep. */
  constructor(limit = 50_000) {
    this.#limit = limit;
  }

  get entries(): readonly CallEntry[] {
    return this.#entries;
  }

  /** Calls by command since the last `clear`. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The entries after a sequence number: what a test did since it last looked. */
  since(seq: number): readonly CallEntry[] {
    return this.#entries.filter((entry) => entry.seq > seq);
  }

  /** The number of the latest entry. */
  get last(): number {
    return this.#seq;
  }

  clear(): void {
    this.#entries = [];
    this.#counts = new Map();
  }

  add(entry: Omit<CallEntry, 'seq' | 'parameters'>, raw: ReadonlyMap<string, string>): void {
    const parameters = Object.fromEntries([...raw].filter(([name]) => !HIDDEN.has(name.toLowerCase())));
    this.#entries.push({ seq: ++this.#seq, ...entry, parameters });
    this.#counts.set(entry.command, (this.#counts.get(entry.command) ?? 0) + 1);
    // Dropping half at once keeps the cost of a call constant.
    if (this.#entries.length > this.#limit) this.#entries = this.#entries.slice(-Math.ceil(this.#limit / 2));
  }
}
