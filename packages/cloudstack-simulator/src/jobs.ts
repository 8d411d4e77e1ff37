import type { Clock, Timer } from '@cloudstack-ccm/base';
import { ApiError } from './api-error.ts';
import type { Faults } from './faults.ts';
import type { Json } from './json.ts';
import type { Random } from './random.ts';
import { refusesRouter } from './router.ts';
import type { Job, State } from './state.ts';
import { pick, type Timing } from './timing.ts';

/** What a job's body can do besides changing the state. */
export interface JobHandle {
  readonly id: string;
  /** Takes the time such a job takes. A job that a restart cuts never comes back from it. */
  work(): Promise<void>;
  /**
   * The same, and programs the router of a network. Succeeds where there is no router yet, or where it is stopped.
   * @throws RouterRefusedError if the router answers with a failure.
   */
  apply(networkId: string): Promise<void>;
}

/** The virtual router answered with a failure. Commands turn it into their own texts. */
export class RouterRefusedError extends Error {}

export interface JobSpec {
  readonly accountId: string;
  readonly userId: string;
  readonly account: string;
  readonly command: string;
  readonly commandClass: string;
  readonly instanceType?: string | undefined;
  readonly instanceId?: string | undefined;
  readonly queue?: string | undefined;
  /** Takes back what the request did before there was a job. */
  readonly undo?: () => void;
  readonly run: (job: JobHandle) => Promise<Json>;
}

interface JobsOptions {
  readonly state: State;
  readonly clock: Clock;
  readonly random: Random;
  readonly faults: Faults;
  readonly timing: () => Timing;
}

/** Jobs remembered at most. */
const MOST_JOBS = 20_000;

/** Runs jobs: at once where they have no queue, else one at a time and in order. */
export class Jobs {
  readonly #options: JobsOptions;
  readonly #queues = new Map<string, (() => void)[]>();
  /** Timers of jobs at work. */
  readonly #running = new Map<string, Timer | undefined>();

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /** Jobs that have not ended. */
  get pending(): number {
    return this.#running.size;
  }

  /** Writes the job down and starts it as soon as its queue lets it. */
  submit(spec: JobSpec): Job {
    const { state, clock, random } = this.#options;
    this.#forgetOld();
    const { accountId, userId, command, commandClass, instanceType, instanceId, queue } = spec;
    const job = state.jobs.add({
      id: random.uuid(),
      accountId,
      userId,
      command,
      commandClass,
      status: 'pending',
      resultCode: 0,
      ...(instanceType !== undefined && { instanceType }),
      ...(instanceId !== undefined && { instanceId }),
      ...(queue !== undefined && { queue }),
      created: clock.now(),
      interrupted: false,
    });
    this.#running.set(job.id, undefined);
    this.#enqueue(queue, (waited) => void this.#run(job, spec, waited));
    return job;
  }

  /** What a restart of the management server does: every job that has not ended is cut where it stands. */
  interruptAll(): void {
    for (const id of this.#running.keys()) this.#interrupt(id);
    this.#queues.clear();
  }

  /** Forgets all jobs without a trace, for when the state is replaced or the server ends. */
  dropAll(): void {
    for (const timer of this.#running.values()) timer?.cancel();
    this.#running.clear();
    this.#queues.clear();
  }

  /** Jobs that a restored state has pending, and that nobody works on, end as a restart would have ended them. */
  interruptLeftOvers(): void {
    for (const job of this.#options.state.jobs.filter((one) => one.status === 'pending')) this.#interrupt(job.id);
  }

  /**
   * Jobs are there for as long as the setting says, and finished ones never more than a fixed number. One that does not
   * end must not keep those that came after it.
   */
  #forgetOld(): void {
    const { state, clock } = this.#options;
    const expired = clock.now() - state.settings.jobExpireMinutes * 60_000;
    for (const job of state.jobs.values()) {
      const tooMany = state.jobs.size > MOST_JOBS;
      if (job.created >= expired && !tooMany) return;
      if ((job.completed ?? job.created) < expired || (tooMany && job.completed !== undefined)) this.#forget(job);
    }
  }

  #forget({ id }: Job): void {
    this.#running.get(id)?.cancel();
    this.#running.delete(id);
    this.#options.state.jobs.delete(id);
  }

  #enqueue(queue: string | undefined, start: (waited: boolean) => void): void {
    if (queue === undefined) return queueMicrotask(() => start(false));
    const waiting = this.#queues.get(queue);
    if (waiting) {
      waiting.push(() => start(true));
      return;
    }
    this.#queues.set(queue, []);
    queueMicrotask(() => start(false));
  }

  #next(queue: string | undefined): void {
    if (queue === undefined) return;
    const start = this.#queues.get(queue)?.shift();
    if (start) queueMicrotask(start);
    else this.#queues.delete(queue);
  }

  async #run(job: Job, spec: JobSpec, waited: boolean): Promise<void> {
    if (!this.#running.has(job.id)) return this.#next(spec.queue);
    const fault = this.#options.faults.forJob(spec.command, spec.account);
    if (fault?.kind === 'job-hangs') return this.#hang(job);
    const handle = this.#handle(job, spec, { waited, interrupted: fault?.kind === 'job-interrupted' });
    try {
      if (fault?.kind === 'job-fails' && !fault.afterwards) {
        spec.undo?.();
        throw new ApiError(fault.text, failure(fault.code));
      }
      const result = await spec.run(handle);
      if (fault?.kind === 'job-fails') throw new ApiError(fault.text, failure(fault.code));
      this.#end(job, { status: 'succeeded', resultCode: 0, result });
    } catch (thrown) {
      this.#end(job, failureOf(thrown));
    }
  }

  /**
   * A job that does not end keeps its place in the queue, until CloudStack cancels it for the sake of those behind it
   * (`job.cancel.threshold.minutes`). The text it writes down then reaches nobody. Without a queue nothing is behind it.
   */
  #hang(job: Job): void {
    if (job.queue === undefined) return;
    const { state, clock } = this.#options;
    const cancel = (): void => this.#end(job, { status: 'failed', resultCode: 0 });
    this.#running.set(job.id, clock.setTimer(state.settings.jobCancelThresholdMinutes * 60_000, cancel));
  }

  #handle(
    job: Job,
    spec: JobSpec,
    { waited, interrupted }: { readonly waited: boolean; readonly interrupted: boolean },
  ): JobHandle {
    const work = (): Promise<void> => (interrupted ? this.#cut(job.id) : this.#work(job.id, spec, waited));
    return {
      id: job.id,
      work,
      apply: async (networkId) => {
        await work();
        if (refusesRouter(this.#options, networkId, spec.command)) {
          throw new RouterRefusedError(`The router of network ${networkId} refused`);
        }
      },
    };
  }

  #work(id: string, spec: JobSpec, waited: boolean): Promise<void> {
    const timing = this.#options.timing();
    const waiting = spec.queue === undefined ? 0 : (this.#queues.get(spec.queue)?.length ?? 0);
    const alone = pick(timing.job(spec.command), this.#options.random);
    const hindered = alone * (1 + timing.hindrance * waiting) + (waited ? timing.takeUp : 0);
    const ms = hindered + this.#options.faults.extraJobTime(spec);
    if (ms <= 0) return this.#running.has(id) ? Promise.resolve() : forever();
    return new Promise((resolve) => {
      const timer = this.#options.clock.setTimer(ms, resolve);
      this.#running.set(id, timer);
    });
  }

  #cut(id: string): Promise<void> {
    this.#interrupt(id);
    return forever();
  }

  #interrupt(id: string): void {
    const job = this.#options.state.jobs.get(id);
    this.#running.get(id)?.cancel();
    this.#running.delete(id);
    this.#options.state.jobs.update(id, {
      status: 'failed',
      resultCode: 530,
      interrupted: true,
      completed: this.#options.clock.now(),
    });
    this.#next(job?.queue);
  }

  #end(job: Job, outcome: Pick<Job, 'status' | 'resultCode' | 'result'>): void {
    // Whoever was cut meanwhile has ended already.
    if (!this.#running.delete(job.id)) return;
    this.#options.state.jobs.update(job.id, { ...outcome, completed: this.#options.clock.now() });
    this.#next(job.queue);
  }
}

function forever(): Promise<never> {
  return new Promise(() => undefined);
}

function failure(code: number): { status: number; jobStatus: number } {
  return { status: code, jobStatus: code };
}

function failureOf(thrown: unknown): { status: 'failed'; resultCode: number; result: Json } {
  const code = thrown instanceof ApiError ? thrown.jobStatus : 530;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return { status: 'failed', resultCode: code, result: { errorcode: code, errortext: text } };
}
