import type { Clock, Scope, Timer } from '@cloudstack-ccm/base';

/** One's turn to have a job in the queue of a network. It ends with the job. */
export interface Turn {
  /**
   * CloudStack has accepted the command. May be told again, when one turn sends several commands, one after another.
   * @param expectedMs what its job is expected to take once it is at work, in milliseconds
   * @returns when it is thought to begin, by the monotonic clock: after the jobs that were accepted before it
   */
  accepted(expectedMs: number): () => number;
}

/**
 * The part of a command's way to CloudStack and back, counted from when it is sent to when its acceptance is here, that
 * has passed when its job could begin. Measured: smaller leaves the queue empty now and then, greater makes two jobs
 * meet, which slows both.
 */
const WAY_THERE = 0.6;
/** Weight of the newest way in the running average. */
const NEWEST = 0.3;
/** A command that is not answered for longer than this keeps nobody waiting. */
const UNANSWERED_MS = 2000;

/**
 * CloudStack works on the jobs of a network one at a time, and each is slower the more of them wait. So a command is
 * sent when the job before is about to end: its job finds the queue empty, and the queue never stands still. A job that
 * takes longer than expected gets company up to `width`, so that a wrong expectation costs little; a job that hangs
 * leaves the other places to the others. A network that has no jobs takes no memory.
 */
export class NetworkQueue {
  readonly #clock: Clock;
  readonly #width: number;
  readonly #lines = new Map<string, Line>();
  readonly #answers = new AnswerTime();

  constructor(clock: Clock, width: number) {
    this.#clock = clock;
    this.#width = width;
  }

  /** Networks that have jobs now. */
  get size(): number {
    return this.#lines.size;
  }

  /** Runs `work`, which has a job in the network, when its turn has come. @throws the scope's reason while it waits */
  async run<T>(scope: Scope, networkId: string, work: (turn: Turn) => Promise<T>): Promise<T> {
    const line = this.#lines.get(networkId) ?? new Line(this.#clock, this.#width, this.#answers);
    this.#lines.set(networkId, line);
    try {
      const turn = await line.join(scope);
      try {
        return await work(turn);
      } finally {
        line.leave(turn);
      }
    } finally {
      if (line.isEmpty) this.#lines.delete(networkId);
    }
  }
}

/** Who has a turn in one network, and who waits for one. */
class Line {
  readonly #clock: Clock;
  readonly #width: number;
  readonly #answers: AnswerTime;
  readonly #waiting = new Set<(turn: JobTurn) => void>();
  readonly #turns = new Set<JobTurn>();
  #latest: QueuedJob | undefined;
  #timer: Timer | undefined;

  constructor(clock: Clock, width: number, answers: AnswerTime) {
    this.#clock = clock;
    this.#width = width;
    this.#answers = answers;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0 && this.#turns.size === 0;
  }

  join(scope: Scope): Promise<JobTurn> {
    return scope.race<JobTurn>((resolve) => {
      this.#waiting.add(resolve);
      this.#next();
      return () => {
        this.#waiting.delete(resolve);
        this.#next();
      };
    });
  }

  leave(turn: JobTurn): void {
    turn.end();
    this.#turns.delete(turn);
    this.#next();
  }

  /** Gives the first who waits a turn, if there is one to be had, now or when it is time. */
  #next(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const [first] = this.#waiting;
    if (!first || this.#turns.size >= this.#width) return;
    const pause = this.#pause();
    if (pause <= 0) this.#give(first);
    // Whatever else happens until then sets the time anew.
    else this.#timer = this.#clock.setTimer(pause, () => this.#give(first));
  }

  #give(first: (turn: JobTurn) => void): void {
    const turn = new JobTurn(this.#clock, {
      answered: (ms) => this.#answers.note(ms),
      accepted: (expectedMs) => this.#accepted(expectedMs),
      changed: () => this.#next(),
    });
    this.#turns.add(turn);
    this.#waiting.delete(first);
    first(turn);
    this.#next();
  }

  /** How long the next command is to wait, in milliseconds, so that it arrives when the jobs before it end. */
  #pause(): number {
    if (this.#turns.size === 0) return 0;
    const end = Math.max(...[...this.#turns].map((turn) => turn.expectedEnd));
    return end - this.#clock.monotonic() - WAY_THERE * this.#answers.ms;
  }

  #accepted(expectedMs: number): QueuedJob {
    const job = new QueuedJob(this.#clock, expectedMs, this.#latest);
    this.#latest = job;
    return job;
  }
}

/** All times by the monotonic clock, in milliseconds. */
class JobTurn implements Turn {
  readonly #clock: Clock;
  readonly #line: LineOfTurn;
  readonly #sentAt: number;
  #job: QueuedJob | undefined;

  constructor(clock: Clock, line: LineOfTurn) {
    this.#clock = clock;
    this.#line = line;
    this.#sentAt = clock.monotonic();
  }

  accepted(expectedMs: number): () => number {
    // Of a further command nobody noted when it was sent; the job of the one before has ended.
    if (this.#job) this.#job.end();
    else this.#line.answered(this.#clock.monotonic() - this.#sentAt);
    const job = this.#line.accepted(expectedMs);
    this.#job = job;
    this.#line.changed();
    return () => job.begins;
  }

  /** When its job will have ended. */
  get expectedEnd(): number {
    return this.#job ? this.#job.expectedEnd : this.#sentAt + UNANSWERED_MS;
  }

  end(): void {
    this.#job?.end();
  }
}

/** What a turn tells its line. */
interface LineOfTurn {
  readonly answered: (ms: number) => void;
  readonly accepted: (expectedMs: number) => QueuedJob;
  readonly changed: () => void;
}

/** A job in the queue of CloudStack, behind the one that was accepted before it. */
class QueuedJob {
  readonly #clock: Clock;
  readonly #expectedMs: number;
  readonly #acceptedAt: number;
  #before: QueuedJob | undefined;
  #endedAt: number | undefined;

  constructor(clock: Clock, expectedMs: number, before: QueuedJob | undefined) {
    this.#clock = clock;
    this.#expectedMs = expectedMs;
    this.#acceptedAt = clock.monotonic();
    this.#before = before;
  }

  get begins(): number {
    return Math.max(this.#acceptedAt, this.#before?.expectedEnd ?? 0);
  }

  /** When it will have ended, or has. */
  get expectedEnd(): number {
    return this.#endedAt ?? Math.max(this.begins + this.#expectedMs, this.#clock.monotonic());
  }

  end(): void {
    // That a job has ended is seen some time after it has.
    this.#endedAt ??= Math.min(this.begins + this.#expectedMs, this.#clock.monotonic());
    // Or each job would hold all that were ever before it.
    this.#before = undefined;
  }
}

/** How long answers to commands took of late, in milliseconds. */
class AnswerTime {
  #ms: number | undefined;

  get ms(): number {
    return this.#ms ?? 0;
  }

  note(ms: number): void {
    this.#ms = this.#ms === undefined ? ms : this.#ms + NEWEST * (ms - this.#ms);
  }
}
