/** One request that meant to change something, as a test looks at it. */
export interface WriteLogEntry {
  /** Wall time, in milliseconds since the epoch. */
  readonly at: number;
  readonly user: string;
  readonly userAgent: string;
  readonly verb: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The media type of the body: tells the kinds of patches apart. */
  readonly contentType: string;
  readonly body: string;
  readonly status: number;
  /** True if an object is different now. */
  readonly changed: boolean;
}

/** Requests that are remembered; the oldest are forgotten first. */
const LIMIT = 20_000;

/** All writes in the order in which they were answered. */
export class WriteLog {
  #entries: WriteLogEntry[] = [];

  get entries(): readonly WriteLogEntry[] {
    return this.#entries;
  }

  /** Writes to some resources, for example all to `services`. */
  of(resource: string): readonly WriteLogEntry[] {
    return this.#entries.filter((entry) => entry.resource === resource);
  }

  clear(): void {
    this.#entries = [];
  }

  add(entry: WriteLogEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length > LIMIT * 2) this.#entries = this.#entries.slice(-LIMIT);
  }
}
