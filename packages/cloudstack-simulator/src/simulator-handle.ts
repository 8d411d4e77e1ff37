import type { Clock } from '@cloudstack-ccm/base';
import type { CallLog } from './call-log.ts';
import type { Conditions } from './conditions.ts';
import type { Faults } from './faults.ts';
import type { Jobs } from './jobs.ts';
import type { Credentials } from './scene/specs.ts';
import type { World } from './scene/world.ts';
import type { State, StateSnapshot } from './state.ts';
import type { Timing, TimingName } from './timing.ts';
import type { VersionProfile } from './version-profile.ts';

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
  /** Serves the state's page and the control API on a port of its own; 0 takes any free one. Default: not at all. */
  readonly controlPort?: number;
}

/** A management server at work. */
export interface Simulator {
  /** Of the API, for example `http://127.0.0.1:8080/client/api`. */
  readonly url: string;
  readonly port: number;
  /** Of the page that shows the state, and of the control API. */
  readonly controlUrl: string | undefined;
  readonly state: State;
  readonly clock: Clock;
  readonly profile: VersionProfile;
  /** Calls that change something, without those that were not recognised. */
  readonly writeLog: CallLog;
  readonly callLog: CallLog;
  readonly faults: Faults;
  readonly jobs: Jobs;
  /** Clock skew, settings, keys and routers. */
  readonly conditions: Conditions;
  /** Keys by account name; `admin` is root. */
  readonly credentials: ReadonlyMap<string, Credentials>;
  /** Replaces how long things take. */
  setTiming(timing: Timing | TimingName): void;
  /** Remembers the state. */
  snapshot(): StateSnapshot;
  /** Snapshots that the control API keeps, by name. */
  readonly snapshots: Map<string, StateSnapshot>;
  /** Puts a remembered state back. Jobs under way are forgotten; those the snapshot has pending count as interrupted. */
  restore(snapshot: StateSnapshot): void;
  /** Back to the scene, with empty logs and without faults. */
  reset(): void;
  /** What a restart of the management server does: jobs under way are cut, sessions end. */
  restart(): void;
  close(): Promise<void>;
}
