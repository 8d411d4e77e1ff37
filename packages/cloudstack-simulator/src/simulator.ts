import { systemClock, type Clock } from '@cloudstack-ccm/base';
import { Api } from './api.ts';
import { CallLog } from './call-log.ts';
import { commandTable } from './commands/index.ts';
import { Faults } from './faults.ts';
import { createHttpServer, listen } from './http-server.ts';
import { Jobs } from './jobs.ts';
import { Random } from './random.ts';
import { RateLimit } from './rate-limit.ts';
import type { Credentials } from './scene/specs.ts';
import { World } from './scene/world.ts';
import { Sessions } from './sessions.ts';
import { State, type StateSnapshot } from './state.ts';
import { timingByName, type Timing, type TimingName } from './timing.ts';
import { versionProfile, type VersionProfile } from './version-profile.ts';

export interface SimulatorOptions {
  /** Builds the state to start with. Default: an installation with nothing in it. */
  readonly scene?: (world: World) => void;
  /** The release to behave like, for example `4.20`. Default the newest. */
  readonly version?: string;
  /** What `cloudstackversion` says, where it is not the profile's own. */
  readonly versionText?: string;
  /** How long answers and jobs take. Default `instant`. */
  readonly timing?: Timing | TimingName;
  /** Makes ids, keys and chance repeatable. Default 1. */
  readonly seed?: number;
  /** Default the system's. */
  readonly clock?: Clock;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** Default 0: any free one. */
  readonly port?: number;
}

/** A management server at work. */
export interface Simulator {
  /** Of the API, for example `http://127.0.0.1:8080/client/api`. */
  readonly url: string;
  readonly port: number;
  readonly state: State;
  readonly clock: Clock;
  readonly profile: VersionProfile;
  /** Calls that change something, without those that were not recognised. */
  readonly writeLog: CallLog;
  readonly callLog: CallLog;
  readonly faults: Faults;
  readonly jobs: Jobs;
  /** Keys by account name; `admin` is root. */
  readonly credentials: ReadonlyMap<string, Credentials>;
  /** Replaces how long things take. */
  setTiming(timing: Timing | TimingName): void;
  /** Remembers the state. */
  snapshot(): StateSnapshot;
  /** Puts a remembered state back. Jobs under way are forgotten; those the snapshot has pending count as interrupted. */
  restore(snapshot: StateSnapshot): void;
  /** Back to the scene, with empty logs and without faults. */
  reset(): void;
  /** What a restart of the management server does: jobs under way are cut, sessions end. */
  restart(): void;
  close(): Promise<void>;
}

/** Starts a management server on its own port. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { clock = systemClock, host = '127.0.0.1', seed = 1, timing: timingOption = 'instant' } = options;
  const chosen = versionProfile(options.version);
  const profile = options.versionText === undefined ? chosen : { ...chosen, version: options.versionText };
  let timing = asTiming(timingOption);
  const state = new State();
  const random = new Random(seed);
  const world = new World({ state, random, clock });
  options.scene?.(world);
  const beginning = state.snapshot();

  const faults = new Faults(random);
  const sessions = new Sessions(clock, random);
  const [callLog, writeLog] = [new CallLog(), new CallLog()];
  const jobs = new Jobs({ state, clock, random, faults, timing: () => timing });
  const rateLimit = new RateLimit(clock);
  const services = { state, clock, random, profile, jobs, faults, rateLimit };
  const api = new Api({ ...services, commands: commandTable, sessions, callLog, writeLog });
  const server = createHttpServer({ api, faults, clock, random, timing: () => timing });
  const port = await listen(server, options.port ?? 0, host);

  const restore = (snapshot: StateSnapshot): void => {
    jobs.dropAll();
    state.restore(snapshot);
    jobs.interruptLeftOvers();
  };
  return {
    url: `http://${host}:${port}/client/api`,
    port,
    state,
    clock,
    profile,
    writeLog,
    callLog,
    faults,
    jobs,
    credentials: world.credentials,
    setTiming: (next) => {
      timing = asTiming(next);
    },
    snapshot: () => state.snapshot(),
    restore,
    reset: () => {
      restore(beginning);
      faults.clear();
      sessions.clear();
      callLog.clear();
      writeLog.clear();
    },
    restart: () => {
      jobs.interruptAll();
      sessions.clear();
    },
    close: () => {
      jobs.dropAll();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function asTiming(timing: Timing | TimingName): Timing {
  return typeof timing === 'string' ? timingByName(timing) : timing;
}
