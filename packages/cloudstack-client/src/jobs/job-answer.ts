import type { JobCommand } from '../commands/command.ts';
import { asRecord, Fields, object } from '../decode.ts';
import { apiError, DecodeError, JobInterruptedError } from '../errors.ts';

/** What queryAsyncJobResult says of a job. */
export interface JobAnswer {
  readonly jobId: string;
  readonly status: 'pending' | 'done' | 'failed';
  /** The error code of a failed job. */
  readonly resultCode: number;
  /** The object of the command, or the error; undefined for a job that a restart of the server has cut. */
  readonly result: unknown;
}

export function readJob(content: unknown): JobAnswer {
  const record = asRecord(content, 'queryAsyncJobResult');
  const fields = new Fields(record, 'queryAsyncJobResult');
  return {
    jobId: fields.optionalText('jobid') ?? '',
    status: statusOf(fields.integer('jobstatus')),
    resultCode: fields.optionalInteger('jobresultcode') ?? 0,
    result: record['jobresult'],
  };
}

function statusOf(status: number): JobAnswer['status'] {
  switch (status) {
    case 0:
      return 'pending';
    case 1:
      return 'done';
    case 2:
      return 'failed';
    default:
      throw new DecodeError('queryAsyncJobResult.jobstatus', `is ${status}, not 0, 1 or 2`);
  }
}

/** The result of a job that has ended. @throws CloudStackApiError if it failed */
export function jobOutcome<P, T>(command: JobCommand<P, T>, answer: JobAnswer): T {
  if (answer.status === 'done') return command.decode(answer.result, `${command.command}.jobresult`);
  throw jobError(command.command, answer);
}

const failure = object((fields) => ({
  errorCode: fields.optionalInteger('errorcode'),
  text: fields.optionalText('errortext'),
}));

function jobError(command: string, answer: JobAnswer): Error {
  const refusal = { command, csErrorCode: 0, jobId: answer.jobId };
  if (answer.result === undefined || answer.result === null) {
    const text = `job ${answer.jobId} of ${command} was cut, as by a restart of the management server; what it did so far stays`;
    return new JobInterruptedError({ ...refusal, errorCode: answer.resultCode, text });
  }
  const { errorCode, text } = failure(answer.result, `${command}.jobresult`);
  return apiError({ ...refusal, errorCode: errorCode ?? answer.resultCode, text: text ?? 'no reason given' });
}
