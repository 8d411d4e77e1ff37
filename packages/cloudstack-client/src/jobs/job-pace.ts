/** How a job is polled. All in milliseconds. */
export interface JobPaceOptions {
  /** Shortest pause between two polls. Default 200: closer polling slows the jobs themselves. */
  readonly shortestMs?: number;
  /** Longest pause between two polls. Default 10 s. */
  readonly longestMs?: number;
  /** What a job is expected to take before one of its command was seen. Default 300. */
  readonly expectedMs?: number;
  /** Numbers in [0, 1). Default Math.random. */
  readonly random?: () => number;
}

/** Weight of the newest duration in the running average. */
const NEWEST = 0.3;
const MOST_JITTER = 0.2;

/**
 * When to ask for a job: first at the time that jobs of its command took of late, then at pauses that grow with the
 * time it has taken already. A fixed second would be slow for most jobs, and a storm of polls for all together.
 */
export class JobPace {
  readonly #options: Required<JobPaceOptions>;
  readonly #expected = new Map<string, number>();

  constructor(options: JobPaceOptions = {}) {
    this.#options = { shortestMs: 200, longestMs: 10_000, expectedMs: 300, random: Math.random, ...options };
  }

  /** The pause before the next poll of a job that was accepted `elapsedMs` ago. */
  nextPause(command: string, elapsedMs: number): number {
    const { shortestMs, longestMs, random } = this.#options;
    const expected = this.expected(command);
    const pause = elapsedMs < expected ? expected - elapsedMs : elapsedMs / 5;
    return Math.min(longestMs, Math.max(shortestMs, pause)) * (1 + MOST_JITTER * random());
  }

  /** What jobs of this command took of late. */
  expected(command: string): number {
    return this.#expected.get(command) ?? this.#options.expectedMs;
  }

  /** Notes how long a job took from its acceptance to the poll that saw its end. Commands are few, so nothing grows. */
  observe(command: string, durationMs: number): void {
    const before = this.#expected.get(command);
    this.#expected.set(command, before === undefined ? durationMs : before + NEWEST * (durationMs - before));
  }
}
