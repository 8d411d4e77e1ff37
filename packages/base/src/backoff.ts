export interface BackoffOptions {
  /** First pause in milliseconds. */
  readonly baseMs: number;
  /** Longest pause in milliseconds, before jitter. */
  readonly capMs: number;
  /** Growth from one pause to the next. Default 2. */
  readonly factor?: number;
  /** Share of the pause that is added at random: 0.5 means up to half as much again. Default 0. */
  readonly jitter?: number;
  /** Numbers in [0, 1). Default Math.random. */
  readonly random?: () => number;
}

/** Pauses that grow with each failure in a row. */
export class Backoff {
  readonly #options: Required<BackoffOptions>;
  #failures = 0;

  constructor(options: BackoffOptions) {
    this.#options = { factor: 2, jitter: 0, random: Math.random, ...options };
  }

  /** Failures since the last reset. */
  get failures(): number {
    return this.#failures;
  }

  /** The pause before the next try, in milliseconds. */
  next(): number {
    return backoffDelay(this.#options, this.#failures++);
  }

  reset(): void {
    this.#failures = 0;
  }
}

/** The pause after `failures` earlier failures, in milliseconds. */
export function backoffDelay(options: BackoffOptions, failures: number): number {
  const { baseMs, capMs, factor = 2, jitter = 0, random = Math.random } = options;
  const pause = Math.min(capMs, baseMs * factor ** Math.min(failures, 1000));
  return pause * (1 + jitter * random());
}
