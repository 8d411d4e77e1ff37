import type { Call } from '../call.ts';
import type { JsonObject } from '../json.ts';

/** A machine or an address with a job under way says so at its end. */
export function showPendingJob(call: Call, instanceId: string): JsonObject {
  const job = call.state.jobs.by('instanceId', instanceId).findLast((one) => one.status === 'pending');
  return job ? { jobid: job.id, jobstatus: 0 } : {};
}
