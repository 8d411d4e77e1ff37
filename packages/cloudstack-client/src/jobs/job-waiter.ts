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

/** Waits for async jobs. */
export class JobWaiter {
  readonly #options: JobWaiterOptions;

  constructor(options: JobWaiterOptions) {
    this.#options = options;
  }

  handle<P, T>(command: JobCommand<P, T>, jobId: string, objectId: string | undefined): Job<T> {
    const accepted = this.#options.clock.monotonic();
    const wait = async (scope: Scope): Promise<T> => {
      const answer = await this.#end(scope, command.command, jobId, accepted);
      return jobOutcome(command, answer);
    };
    return { command: command.command, jobId, objectId, wait };
  }

  async #end(scope: Scope, command: string, jobId: string, accepted: number): Promise<JobAnswer> {
    const { clock, pace, timeoutMs } = this.#options;
    const began = clock.monotonic();
    const limit = timeoutMs;
    let atWorkAt = 0;
    for (;;) {
      const left = began + limit - clock.monotonic();
      if (left <= 0) throw new JobTimeoutError(command, jobId, limit);
      await scope.sleep(Math.min(left, pace.nextPause(command, clock.monotonic() - accepted)));
      const answer = await this.#poll(scope, command, jobId);
      if (answer && answer.status !== 'pending') {
        this.#note(command, answer, clock.monotonic() - accepted, atWorkAt);
        return answer;
      }
      atWorkAt = clock.monotonic() - accepted;
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

  #note(command: string, answer: JobAnswer, durationMs: number, atWorkAtMs: number): void {
    this.#options.durations.observe(durationMs / 1000, { command, result: answer.status });
    if (answer.status === 'done') this.#options.pace.observe(command, durationMs, atWorkAtMs);
  }
}
