import type { Call } from '../call.ts';
import type { JsonObject } from '../json.ts';

/** A machine or an address with a job under way says so at its end. */
export function showPendingJob(call: Call, instanceId: string): JsonObject {
  const job = call.state.jobs.by('pendingFor', instanceId).at(-1);
  return job ? { jobid: job.id, jobstatus: 0 } : {};
}
