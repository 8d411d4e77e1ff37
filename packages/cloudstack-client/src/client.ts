import { type Clock, exponentialBuckets, type Logger, type Metrics, type Scope } from '@cloudstack-ccm/base';
import { decorate, type Decorator } from './call.ts';
import { bindCommands, type Commands } from './commands/bind.ts';
import { Caller, type ProjectSource } from './commands/caller.ts';
import { jobCommand } from './commands/command.ts';
import { object } from './decode.ts';
import { deadline } from './dispatch/deadline.ts';
import { logging } from './dispatch/logging.ts';
import { metering } from './dispatch/metering.ts';
import { rateLimit, type RateLimitOptions } from './dispatch/rate-limit.ts';
import { retry } from './dispatch/retry.ts';
import { writeFence } from './dispatch/write-fence.ts';
import { capabilities, type Capabilities } from './entities/capabilities.ts';
import { JobPace, type JobPaceOptions } from './jobs/job-pace.ts';
import { JobWaiter } from './jobs/job-waiter.ts';
import { Link } from './link.ts';
import { ListReader } from './list.ts';
import type { Connection } from './transport/connection.ts';

export interface ClientOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Asked before each command that takes a project. Default: none. */
  readonly project?: ProjectSource;
  /** Asked right before each command that changes something is sent. Default: always true. */
  readonly mayWrite?: () => boolean;
  readonly rateLimit?: RateLimitOptions;
  readonly jobPace?: JobPaceOptions;
  /** How long an async job may take. Default 300 s. */
  readonly jobTimeoutMs?: number;
  /** Further decorators, right around the core: they see each call that goes out, and its end. */
  readonly decorators?: readonly Decorator[];
}

/** The CloudStack API: every command as a function, see `bindCommands`, and the life of the client itself. */
export interface CloudStackClient extends Commands {
  /** Host and port, for messages. */
  readonly host: string;
  /** Grows with each replaced connection: what was learnt under two generations may be about two clouds. */
  readonly generation: number;
  listCapabilities(scope: Scope): Promise<Capabilities>;
  /**
   * Waits for a job that somebody else began, for example an earlier process: `pendingJobId` of an address tells of
   * one. What it did is for the caller to look up.
   * @throws NotFoundError when CloudStack does not know the job any more, and what `Job.wait` throws
   */
  waitForJob(scope: Scope, jobId: string): Promise<void>;
  /**
   * Takes other keys, or another endpoint, from the next call on. Calls that run go on as they are.
   * @throws InvalidInputError when the connection's URL is none; the old connection then stays in use
   */
  replaceConnection(connection: Connection): void;
  /** Waits for calls that run, then lets go of the connections. */
  close(): Promise<void>;
  /** Breaks off everything now. */
  destroy(): void;
}

const JOB_TIMEOUT_MS = 300_000;

/** @throws InvalidInputError when the connection's URL is none */
export function createCloudStackClient(options: ClientOptions): CloudStackClient {
  const { clock, log, metrics } = options;
  const link = new Link(options.connection, clock);
  const dispatch = decorate(link.dispatch, ...decorators(options, link));
  const jobs = new JobWaiter({
    dispatch,
    clock,
    log,
    pace: new JobPace(options.jobPace),
    timeoutMs: options.jobTimeoutMs ?? JOB_TIMEOUT_MS,
    durations: metrics.histogram({
      name: 'cloudstack_async_job_duration_seconds',
      help: '[ALPHA] Time from the acceptance of an async job to the poll that saw its end.',
      labels: ['command', 'result'],
      buckets: exponentialBuckets(0.1, 2, 12),
    }),
  });
  const project = options.project ?? (async () => undefined);
  const commands = bindCommands(new Caller(dispatch, new ListReader(dispatch), jobs, project));
  return {
    ...commands,
    get host() {
      return link.host;
    },
    get generation() {
      return link.generation;
    },
    listCapabilities: async (scope) =>
      capabilitiesAnswer(
        await dispatch(scope, { command: 'listCapabilities', params: {}, writes: false }),
        'listCapabilities',
      ),
    waitForJob: (scope, jobId) => jobs.handle(foundJob, jobId, undefined).wait(scope),
    replaceConnection: (connection) => link.replace(connection),
    close: () => link.close(),
    destroy: () => link.destroy(),
  };
}

/** The one list whose item is a single object. */
const capabilitiesAnswer = object((fields) => fields.required('capability', capabilities));

/** A job of whatever command. */
const foundJob = jobCommand<never, void>({ command: 'found-job', decode: () => undefined });

/** Outermost first. The fence is inside whatever waits, so that nothing goes out after a pause without asking. */
function decorators({ clock, log, metrics, ...options }: ClientOptions, link: Link): readonly Decorator[] {
  const host = (): string => link.host;
  const retries = metrics.counter({
    name: 'cloudstack_api_retries_total',
    help: '[ALPHA] Calls of the CloudStack API that were repeated after a failure on the way.',
    labels: ['command'],
  });
  const limited = metrics.counter({
    name: 'cloudstack_api_rate_limited_total',
    help: '[ALPHA] Answers 429: the account has used up its calls.',
  });
  return [
    deadline({ host, timeoutMs: () => link.timeoutMs }),
    retry({ retries }),
    rateLimit({ clock, limited, ...options.rateLimit }),
    writeFence(options.mayWrite ?? (() => true)),
    metering(metrics, clock),
    logging({ log, clock, host }),
    ...(options.decorators ?? []),
  ];
}
