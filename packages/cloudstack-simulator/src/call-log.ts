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

/** Most entries, and most letters in all of their parameters, that a log keeps. */
const LIMITS = { entries: 20_000, letters: 8_000_000 };

/** Calls in order, the oldest dropped when they are too many or too long, and counts that forget nothing. */
export class CallLog {
  readonly #limits: typeof LIMITS;
  #entries: CallEntry[] = [];
  #counts = new Map<string, number>();
  #letters = 0;
  #seq = 0;

  constructor(limits: Partial<typeof LIMITS> = {}) {
    this.#limits = { ...LIMITS, ...limits };
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
    this.#letters = 0;
  }

  add(entry: Omit<CallEntry, 'seq' | 'parameters'>, raw: ReadonlyMap<string, string>): void {
    const parameters = Object.fromEntries([...raw].filter(([name]) => !HIDDEN.has(name.toLowerCase())));
    this.#entries.push({ seq: ++this.#seq, ...entry, parameters });
    this.#counts.set(entry.command, (this.#counts.get(entry.command) ?? 0) + 1);
    this.#letters += lettersOf(parameters);
    const { entries, letters } = this.#limits;
    if (this.#entries.length > entries || this.#letters > letters) this.#dropOlderHalf();
  }

  /** Half at once, which keeps the cost of a call constant. */
  #dropOlderHalf(): void {
    this.#entries = this.#entries.slice(Math.ceil(this.#entries.length / 2));
    this.#letters = this.#entries.reduce((sum, { parameters }) => sum + lettersOf(parameters), 0);
  }
}

function lettersOf(parameters: CallEntry['parameters']): number {
  return Object.values(parameters).reduce((sum, value) => sum + value.length, 0);
}
