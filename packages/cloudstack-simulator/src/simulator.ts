import { systemClock } from '@cloudstack-ccm/base';
import { Api } from './api.ts';
import { CallLog } from './call-log.ts';
import { commandTable } from './commands/index.ts';
import { Conditions } from './conditions.ts';
import { ControlServer } from './control/control-server.ts';
import { Faults } from './faults.ts';
import { HttpServer } from './http-server.ts';
import { Jobs } from './jobs.ts';
import { Random } from './random.ts';
import { RateLimit } from './rate-limit.ts';
import { World } from './scene/world.ts';
import { Sessions } from './sessions.ts';
import type { Simulator, SimulatorOptions } from './simulator-handle.ts';
import { SkewedClock } from './skewed-clock.ts';
import { State, type StateSnapshot } from './state.ts';
import { timingByName, type Timing, type TimingName } from './timing.ts';
import { versionProfile, type VersionProfile } from './version-profile.ts';

export type { Simulator, SimulatorOptions } from './simulator-handle.ts';

/** Starts a management server on its own port. @throws InvalidInputError for a version or timing that is unknown. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { host = '127.0.0.1', port = 0, controlPort } = options;
  const core = createCore(options);
  const boundPort = await core.server.listen(port, host);
  let simulator: Simulator | undefined;
  const control = controlPort === undefined ? undefined : new ControlServer(() => simulator ?? ended());
  const boundControl = await control?.listen(controlPort ?? 0, host);
  simulator = {
    ...core.simulator,
    url: `http://${host}:${boundPort}/client/api`,
    port: boundPort,
    controlUrl: boundControl === undefined ? undefined : `http://${host}:${boundControl}/`,
    close: async () => {
      core.simulator.jobs.dropAll();
      await Promise.all([core.server.close(), control?.close()]);
    },
  };
  return simulator;
}

function ended(): never {
  throw new Error('The simulator is not there yet');
}

interface Core {
  readonly server: HttpServer;
  readonly simulator: Omit<Simulator, 'url' | 'port' | 'controlUrl' | 'close'>;
}

/** Everything but the ports. */
function createCore(options: SimulatorOptions): Core {
  const { seed = 1 } = options;
  const profile = profileOf(options);
  const clock = new SkewedClock(options.clock ?? systemClock);
  let timing = asTiming(options.timing ?? 'instant');
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
  const conditions = new Conditions(state, clock);
  const server = new HttpServer({ api, faults, clock, random, timing: () => timing });

  const restore = (snapshot: StateSnapshot): void => {
    jobs.dropAll();
    state.restore(snapshot);
    jobs.interruptLeftOvers();
  };
  return {
    server,
    simulator: {
      state,
      clock,
      profile,
      writeLog,
      callLog,
      faults,
      jobs,
      conditions,
      credentials: world.credentials,
      snapshots: new Map(),
      setTiming: (next) => {
        timing = asTiming(next);
      },
      snapshot: () => state.snapshot(),
      restore,
      reset: () => {
        restore(beginning);
        conditions.skewClock(0);
        for (const log of [callLog, writeLog]) log.clear();
        faults.clear();
        sessions.clear();
      },
      restart: () => {
        jobs.interruptAll();
        sessions.clear();
      },
    },
  };
}

function profileOf({ version, versionText }: SimulatorOptions): VersionProfile {
  const profile = versionProfile(version);
  return versionText === undefined ? profile : { ...profile, version: versionText };
}

function asTiming(timing: Timing | TimingName): Timing {
  return typeof timing === 'string' ? timingByName(timing) : timing;
}
