import type { Clock, Logger, Scope } from '@cloudstack-ccm/base';
import type { PublicIp } from '@cloudstack-ccm/cloudstack-client';
import type { Executor } from '../load-balancer/execute/execute.ts';

/** So long an address may be on its way without a job that works on it. */
const PATIENCE_MS = 30_000;

const BETWEEN_STATES = new Set(['Allocating', 'Releasing']);

/** Nobody asked again for so long: it has got on, or its Service has gone. */
const FORGOTTEN_MS = 60 * 60_000;

/**
 * Addresses that hang between two states. A management server that is restarted cuts the job that takes an address and
 * leaves it in `Allocating` for ever: it can only be given back. Whether it hangs, time tells.
 */
export class StuckAddresses {
  readonly #clock: Clock;
  readonly #executor: Executor;
  /** When each was first seen so, by id. */
  readonly #seen = new Map<string, number>();

  constructor(clock: Clock, executor: Executor) {
    this.#clock = clock;
    this.#executor = executor;
  }

  /**
   * Gives an address of ours back if it hangs. @returns true if it was given back
   * @throws ActionError when CloudStack refuses
   */
  async giveBack({ scope, log }: { readonly scope: Scope; readonly log: Logger }, address: PublicIp): Promise<boolean> {
    if (!this.#hangs(address)) return false;
    const { id, ipAddress } = address;
    const action = { kind: 'release-address', id, address: ipAddress } as const;
    const { errors } = await this.#executor.execute(scope, log, [{ chain: 'address', action }]);
    if (errors[0]) throw errors[0];
    this.#seen.delete(id);
    return true;
  }

  #hangs({ id, state, pendingJobId }: PublicIp): boolean {
    const now = this.#clock.monotonic();
    for (const [other, since] of this.#seen) if (now - since > FORGOTTEN_MS) this.#seen.delete(other);
    if (!BETWEEN_STATES.has(state) || pendingJobId !== undefined) {
      this.#seen.delete(id);
      return false;
    }
    const since = this.#seen.get(id) ?? now;
    this.#seen.set(id, since);
    return now - since >= PATIENCE_MS;
  }
}
