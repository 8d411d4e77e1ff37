/** How a job is polled. All in milliseconds. */
export interface JobPaceOptions {
  /** Shortest pause between two polls. Default 100: closer polling slows the jobs themselves. */
  readonly shortestMs?: number;
  /** Longest pause between two polls. Default 10 s. */
  readonly longestMs?: number;
  /** What a job is expected to take before one of its command was seen. Default: what was measured, else 150. */
  readonly expectedMs?: number;
  /** Numbers in [0, 1). Default Math.random. */
  readonly random?: () => number;
}

/**
 * From the acceptance of a command to the end of its job on a CloudStack 4.20 with nothing else to do. With real routers
 * behind it jobs take longer, which the first ones teach.
 */
const MEASURED_MS: Readonly<Record<string, number>> = {
  associateIpAddress: 130,
  createLoadBalancerRule: 100,
  assignToLoadBalancerRule: 270,
  removeFromLoadBalancerRule: 270,
  createFirewallRule: 120,
  createTags: 100,
};
const UNMEASURED_MS = 150;

/** Weight of the newest duration in the running average. */
const NEWEST = 0.3;
const MOST_JITTER = 0.1;
/** A first poll that finds the job done came too late, nobody knows by how much: the next one comes this much earlier. */
const TRY_EARLIER = 0.97;

/**
 * When to ask for a job: first at the time that jobs of its command took of late, then at pauses that grow with the
 * time it has taken already. A fixed second would be slow for most jobs, and a storm of polls for all together. How long
 * a job took is never told, only that one poll came too early and the next one late enough: the expected time follows
 * what lies between, and falls as long as first polls find their jobs done.
 */
export class JobPace {
  readonly #options: Required<Omit<JobPaceOptions, 'expectedMs'>> & JobPaceOptions;
  readonly #expected = new Map<string, number>();

  constructor(options: JobPaceOptions = {}) {
    this.#options = { shortestMs: 100, longestMs: 10_000, random: Math.random, ...options };
  }

  /** The pause before the next poll of a job that began `elapsedMs` ago; a negative time is still to go until then. */
  nextPause(command: string, elapsedMs: number): number {
    const { shortestMs, longestMs, random } = this.#options;
    const expected = this.expected(command);
    const pause = elapsedMs < expected ? expected - elapsedMs : elapsedMs / 5;
    return Math.min(longestMs, Math.max(shortestMs, pause)) * (1 + MOST_JITTER * random());
  }

  /** What jobs of this command took of late. */
  expected(command: string): number {
    return this.#expected.get(command) ?? this.#options.expectedMs ?? MEASURED_MS[command] ?? UNMEASURED_MS;
  }

  /**
   * Notes what polls have shown of a job: how long after its beginning one first saw it done, and how long after it
   * the last one before saw it at work, 0 when none did. Commands are few, so nothing grows.
   */
  observe(command: string, doneAtMs: number, atWorkAtMs: number): void {
    const before = this.#expected.get(command);
    const next =
      atWorkAtMs > 0
        ? towards(before, (atWorkAtMs + doneAtMs) / 2)
        : Math.min(before ?? doneAtMs, doneAtMs) * TRY_EARLIER;
    this.#expected.set(command, Math.max(this.#options.shortestMs, next));
  }
}

function towards(before: number | undefined, seen: number): number {
  return before === undefined ? seen : before + NEWEST * (seen - before);
}
