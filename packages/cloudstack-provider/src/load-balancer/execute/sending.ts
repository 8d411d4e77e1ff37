import type { Scope } from '@cloudstack-ccm/base';
import type { Commands, Job } from '@cloudstack-ccm/cloudstack-client';
import type { Turn } from './network-queue.ts';

/** How the commands of an action are sent. */
export interface Sending {
  readonly scope: Scope;
  readonly client: Commands;
  /** The turn in the queue of the network; undefined for what has no place in one. */
  readonly turn: Turn | undefined;
}

/** Waits for a command's acceptance and then for its job, as `completed` does, and keeps the turn up to date. */
export async function finished<T>(
  { scope, turn }: Sending,
  submitted: Promise<Job<T>>,
  onAccepted?: (job: Job<T>) => void,
): Promise<T> {
  const job = await submitted;
  const begins = turn?.accepted(job.expectedMs);
  onAccepted?.(job);
  return job.wait(scope, begins);
}
