import type { Scope } from '@cloudstack-ccm/base';

/** A command that CloudStack has accepted and works on. */
export interface Job<T> {
  readonly command: string;
  readonly jobId: string;
  /**
   * The object that a creating command makes. It exists at once and can be listed; if the job fails, it is gone again
   * or stays behind in state `Deleting`. Undefined for commands that create nothing.
   */
  readonly objectId: string | undefined;
  /** What jobs of this command took of late, in milliseconds, once they were at work. */
  readonly expectedMs: number;
  /**
   * Waits for the job's end. May be called again, after an error too.
   * @param begins when the job is thought to begin, by the scope's monotonic clock, where it waits behind others in
   *   CloudStack: it is not asked for before it can be done. Default: when it was accepted.
   * @throws CloudStackApiError with `jobId` if the job failed, JobInterruptedError, JobTimeoutError, the scope's reason
   */
  wait(scope: Scope, begins?: () => number): Promise<T>;
}

/** Sends a command and waits for its job: `await completed(scope, client.deleteFirewallRule(scope, { id }))`. */
export async function completed<T>(scope: Scope, submitted: Promise<Job<T>>): Promise<T> {
  const job = await submitted;
  return job.wait(scope);
}
