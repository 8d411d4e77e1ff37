import type { Clock } from '@cloudstack-ccm/base';
import type { Account, Domain, Role, User } from './entities/identity.ts';
import type { Faults } from './faults.ts';
import type { Jobs } from './jobs.ts';
import type { Random } from './random.ts';
import type { RateLimit } from './rate-limit.ts';
import type { State } from './state.ts';
import type { VersionProfile } from './version-profile.ts';

/** Who calls. */
export interface Caller {
  readonly user: User;
  readonly account: Account;
  readonly domain: Domain;
  readonly role: Role;
}

/** What commands share while the server runs. */
export interface Services {
  readonly state: State;
  readonly clock: Clock;
  readonly random: Random;
  readonly profile: VersionProfile;
  readonly jobs: Jobs;
  readonly faults: Faults;
  readonly rateLimit: RateLimit;
}

/** One call of a command, or the job it started. */
export interface Call extends Services {
  readonly caller: Caller;
  readonly command: string;
  /** The parameters as sent, names in lower case. */
  readonly raw: ReadonlyMap<string, string>;
  /** True inside of a job, where errors are told differently. */
  readonly inJob: boolean;
}

export function isRoot(call: Pick<Call, 'caller'>): boolean {
  return call.caller.account.type === 'admin';
}

export function isDomainAdmin(call: Pick<Call, 'caller'>): boolean {
  return call.caller.account.type === 'domain-admin';
}
