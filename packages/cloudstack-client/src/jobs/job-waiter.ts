import type { Clock, HistogramMetric, Logger, Scope } from '@cloudstack-ccm/base';
import type { Dispatch } from '../call.ts';
import type { JobCommand } from '../commands/command.ts';
import { CloudStackApiError, JobTimeoutError } from '../errors.ts';
import type { JobPace } from './job-pace.ts';
import { jobOutcome, readJob, type JobAnswer } from './job-answer.ts';
import type { Job } from './job.ts';

interface JobWaiterOptions {
  readonly dispatch: Dispatch;
  readonly clock: Clock;
  readonly log: Logger;
  readonly pace: JobPace;
  /** How long a job may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly durations: HistogramMetric;
}

/** A job that is waited for; times by the monotonic clock. */
interface PendingJob {
  readonly command: string;
  readonly jobId: string;
  readonly accepted: number;
  readonly begins: () => number;
}

/** Waits for async jobs. */
export class JobWaiter {
  readonly #options: JobWaiterOptions;

  constructor(options: JobWaiterOptions) {
    this.#options = options;
  }

  handle<P, T>(command: JobCommand<P, T>, jobId: string, objectId: string | undefined): Job<T> {
    const { clock, pace } = this.#options;
    const accepted = clock.monotonic();
    const wait = async (scope: Scope, begins = (): number => accepted): Promise<T> => {
      const answer = await this.#end(scope, { command: command.command, jobId, accepted, begins });
      return jobOutcome(command, answer);
    };
    return { command: command.command, jobId, objectId, expectedMs: pace.expected(command.command), wait };
  }

  async #end(scope: Scope, job: PendingJob): Promise<JobAnswer> {
    const { clock, pace, timeoutMs } = this.#options;
    const { command, jobId } = job;
    const limit = clock.monotonic() + timeoutMs;
    let atWorkAt = -Infinity;
    for (;;) {
      const left = limit - clock.monotonic();
      if (left <= 0) throw new JobTimeoutError(command, jobId, timeoutMs);
      await scope.sleep(Math.min(left, pace.nextPause(command, clock.monotonic() - job.begins())));
      const asked = clock.monotonic();
      const answer = await this.#poll(scope, command, jobId);
      if (answer && answer.status !== 'pending') {
        this.#note(job, answer, asked, atWorkAt);
        return answer;
      }
      atWorkAt = asked;
    }
  }

  /** Undefined when the question failed in a way that says nothing about the job. */
  async #poll(scope: Scope, command: string, jobId: string): Promise<JobAnswer | undefined> {
    try {
      const call = { command: 'queryAsyncJobResult', params: { jobId }, writes: false };
      return readJob(await this.#options.dispatch(scope, call));
    } catch (error) {
      if (error instanceof CloudStackApiError || scope.cancelled) throw error;
      this.#options.log.warn('Could not ask for a job, asking again', { command, job: jobId, err: error });
      return undefined;
    }
  }

  /** What is learnt is told by when the questions were sent: the way of an answer is no part of a job. */
  #note({ command, accepted, begins }: PendingJob, { status }: JobAnswer, doneAt: number, atWorkAt: number): void {
    const { clock, durations, pace } = this.#options;
    durations.observe((clock.monotonic() - accepted) / 1000, { command, result: status });
    const began = begins();
    if (status === 'done') pace.observe(command, doneAt - began, Math.max(0, atWorkAt - began));
  }
}
