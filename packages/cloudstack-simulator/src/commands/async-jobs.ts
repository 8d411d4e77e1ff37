import { accountAndDomain, accountText, mayOperate } from '../access.ts';
import { permissionDenied } from '../api-error.ts';
import type { Call } from '../call.ts';
import { list, sync } from '../command.ts';
import { formatDate } from '../date.ts';
import type { Json, JsonObject } from '../json.ts';
import { like } from '../paging.ts';
import { PAGE, SCOPE } from '../parameter.ts';
import { resolveScope } from '../scope.ts';
import type { Job } from '../state.ts';
import { supports } from '../version-profile.ts';

/** The number that the recordings have for their management server. */
const MANAGEMENT_SERVER_ID = 90_520_730_001;

const STATUS = { pending: 0, succeeded: 1, failed: 2 } as const;

function showJob(job: Job, call: Call): JsonObject {
  const owner = accountAndDomain(call.state, job.accountId);
  const pending = job.status === 'pending';
  return {
    accountid: job.accountId,
    ...(call.profile.jobOwner && {
      account: owner?.account.name,
      domainid: owner?.domain.id,
      domainpath: owner?.domain.path,
    }),
    userid: job.userId,
    cmd: job.commandClass,
    jobstatus: STATUS[job.status],
    jobprocstatus: 0,
    jobresultcode: job.resultCode,
    jobresulttype: job.result === undefined ? undefined : 'object',
    // The result was JSON when it went in.
    jobresult: job.result as Json,
    jobinstancetype: job.instanceType,
    jobinstanceid: job.instanceId,
    managementserverid: call.profile.jobServer && (pending || job.interrupted) ? MANAGEMENT_SERVER_ID : undefined,
    created: formatDate(job.created),
    completed: completion(job, call),
    jobid: job.id,
  };
}

function completion(job: Job, call: Call): string | undefined {
  const known = job.completed !== undefined && supports(call.profile, '4.15');
  return known ? formatDate(job.completed) : undefined;
}

export const asyncJobCommands = [
  sync({
    name: 'queryAsyncJobResult',
    description: 'Retrieves the current status of asynchronous job.',
    readOnly: true,
    parameters: { jobid: { type: 'uuid', of: 'job', required: true } },
    run: (call, { jobid }) => {
      const job = call.state.jobs.get(jobid);
      if (!job) return {};
      if (!mayOperate(call, job.accountId)) {
        throw permissionDenied(`Account ${accountText(call)} is not authorized to see job id=${job.internalId}`);
      }
      return showJob(job, call);
    },
  }),
  list({
    name: 'listAsyncJobs',
    description: 'Lists all pending asynchronous jobs for the account.',
    item: 'asyncjobs',
    parameters: {
      ...PAGE,
      ...SCOPE,
      startdate: { type: 'date' },
      managementserverid: { type: 'string', since: '4.19' },
    },
    select: (call, values) => {
      const scope = resolveScope(call, values);
      const { keyword, startdate } = values;
      return call.state.jobs.filter(
        (job) =>
          job.status === 'pending' &&
          scope.includes(job.accountId) &&
          (keyword === undefined || like(job.commandClass, keyword)) &&
          (startdate === undefined || job.created >= Date.parse(startdate)),
      );
    },
    show: showJob,
  }),
];
