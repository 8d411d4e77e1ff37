import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  asError,
  type Clock,
  type GaugeMetric,
  type Logger,
  messageOf,
  type Metrics,
  Scope,
  systemClock,
} from '@cloudstack-ccm/base';
import { LeadershipLostError } from '../errors.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { leaseReference } from '../events/references.ts';
import type { ClientLimits } from '../kubernetes-client.ts';
import { checkElectionTimes, type ElectionTimes, JITTER_FACTOR } from './election-settings.ts';
import { type LeaseApi, LeaseLock } from './lease-lock.ts';

/** A KubernetesClient, or whatever else can reach Leases. */
export interface ElectionClient {
  named(name: string, limits: ClientLimits): { readonly leases: LeaseApi };
}

export interface LeaderElectorOptions extends ElectionTimes {
  readonly client: ElectionClient;
  /** Of the Lease. */
  readonly namespace: string;
  readonly name: string;
  /** This process among all candidates, see `electionIdentity`. */
  readonly identity: string;
  readonly log: Logger;
  readonly clock?: Clock;
  readonly metrics?: Metrics;
  /** Tells on the Lease who leads. */
  readonly recorder?: Pick<EventRecorder, 'event'>;
  /** After a clean stop, let the next candidate take over at once. Default true. */
  readonly releaseOnStop?: boolean;
  /** Numbers in [0, 1). Default Math.random. */
  readonly random?: () => number;
}

/**
 * - `idle`: not started.
 * - `acquiring`: another one leads, or nobody yet; tries go on.
 * - `leading`: holds the lease, and the work runs.
 * - `draining`: asked to stop; the work comes to its end while the lease is still renewed.
 * - `releasing`: the work has ended; the lease is being let go.
 * - `stopped`: ended cleanly.
 * - `lost`: the lease could not be renewed. The work was cancelled, but nobody waited for it.
 */
export type ElectionState = 'idle' | 'acquiring' | 'leading' | 'draining' | 'releasing' | 'stopped' | 'lost';

/** How long after the lease's end the health check still bears a leader that does not renew, in milliseconds. */
const HEALTH_GRACE_MS = 20_000;

/** `<hostname>_<random UUID>`: unique even when two processes run on one host. */
export function electionIdentity(): string {
  return `${hostname()}_${randomUUID()}`;
}

/** Takes part in the election that a Lease decides, with client-go's timing and record. */
export class LeaderElector {
  readonly #options: LeaderElectorOptions & Required<Pick<LeaderElectorOptions, 'random' | 'releaseOnStop'>>;
  readonly #clock: Clock;
  readonly #lock: LeaseLock;
  readonly #master: GaugeMetric | undefined;
  #state: ElectionState = 'idle';

  /** @throws InvalidInputError when the times do not fit together. */
  constructor(options: LeaderElectorOptions) {
    checkElectionTimes(options);
    this.#options = { random: Math.random, releaseOnStop: true, ...options };
    const { client, namespace, name, identity, leaseDurationMs, renewDeadlineMs, log, metrics } = options;
    this.#clock = options.clock ?? systemClock;
    // A call that hangs must leave time for another within the renew deadline.
    const timeoutMs = Math.max(1000, renewDeadlineMs / 2);
    const slowPath = metrics?.counter({
      name: 'leader_election_slowpath_total',
      help: '[ALPHA] Renewals that had to read the lease first.',
      labels: ['name'],
    });
    this.#lock = new LeaseLock({
      leases: client.named('leader-election', { timeoutMs }).leases,
      name: { namespace, name },
      identity,
      leaseDurationMs,
      clock: this.#clock,
      log,
      onSlowPath: () => slowPath?.inc({ name }),
    });
    this.#master = metrics?.gauge({
      name: 'leader_election_master_status',
      help: '[ALPHA] 1 while this process leads, 0 while it stands by.',
      labels: ['name'],
    });
    this.#showLeading(false);
  }

  get state(): ElectionState {
    return this.#state;
  }

  /** Who holds the lease by the last record seen; empty: nobody. */
  get holder(): string {
    return this.#lock.holder;
  }

  isLeader(): boolean {
    return (this.#state === 'leading' || this.#state === 'draining') && this.#lock.isOurs;
  }

  /** False as soon as another candidate could have taken the lease: to be asked right before each write. */
  mayWrite(): boolean {
    return this.isLeader() && this.#lock.isCertain;
  }

  /** For the `leaderElection` health check: what is wrong with a leader that no longer renews. */
  healthError(): Error | undefined {
    const { name, leaseDurationMs } = this.#options;
    if (!this.#lock.isOurs || this.#lock.ageMs <= leaseDurationMs + HEALTH_GRACE_MS) return undefined;
    return new LeadershipLostError(`failed election to renew leadership on lease ${name}`);
  }

  /**
   * Waits for the lease, then runs `lead` while renewing it. When the scope is cancelled, `lead`'s scope is too; the
   * lease is kept until `lead` has ended, then released, and this resolves.
   * @throws LeadershipLostError at once when the lease is lost, without waiting for `lead`; what `lead` throws.
   */
  async run(scope: Scope, lead: (scope: Scope) => Promise<void>): Promise<void> {
    if (this.#state !== 'idle') throw new Error(`the elector of lease ${this.#options.name} was started twice`);
    this.#state = 'acquiring';
    if (!(await this.#acquire(scope))) {
      this.#state = 'stopped';
      return;
    }
    this.#state = 'leading';
    this.#showLeading(true);
    this.#announce('became leader');
    await this.#lead(scope, lead);
  }

  /** @returns false if the scope ended first. */
  async #acquire(scope: Scope): Promise<boolean> {
    const { log, namespace, name, retryPeriodMs, random } = this.#options;
    log.info(`attempting to acquire leader lease ${namespace}/${name}...`);
    let holder = '';
    try {
      while (!(await this.#lock.try(scope))) {
        if (this.holder !== holder) log.info('new leader elected', { identity: this.holder });
        holder = this.holder;
        await scope.sleep(retryPeriodMs * (1 + JITTER_FACTOR * random()));
      }
    } catch (thrown) {
      if (scope.cancelled) return false;
      throw thrown;
    }
    log.info(`successfully acquired lease ${namespace}/${name}`);
    return true;
  }

  async #lead(scope: Scope, lead: (scope: Scope) => Promise<void>): Promise<void> {
    using leading = scope.child();
    // Not a child of `scope`: the lease is renewed for as long as the work takes to stop.
    const renewing = Scope.root(this.#clock);
    const off = scope.onCancel(() => (this.#state = 'draining'));
    const renewal = this.#renewUntilLost(renewing);
    const end = await Promise.race([endOf(lead(leading)), renewal]);
    off();
    renewing.cancel();
    await renewal;
    if (end instanceof LeadershipLostError) throw this.#lose(leading, end);
    await this.#stop(scope, end);
  }

  /** @returns the loss, or undefined once `renewing` was cancelled. Never rejects. */
  async #renewUntilLost(renewing: Scope): Promise<LeadershipLostError | undefined> {
    try {
      for (;;) {
        await renewing.sleep(this.#options.retryPeriodMs);
        await this.#renew(renewing);
      }
    } catch (thrown) {
      if (renewing.cancelled) return undefined;
      return thrown instanceof LeadershipLostError ? thrown : this.#loss(messageOf(thrown));
    }
  }

  /** Tries until it works, but no longer than the renew deadline. */
  async #renew(renewing: Scope): Promise<void> {
    const { renewDeadlineMs, retryPeriodMs } = this.#options;
    using within = renewing.withDeadline(renewDeadlineMs, 'renewing the lease');
    while (!(await this.#lock.try(within))) {
      if (!this.#lock.isOurs) throw this.#loss(`${this.holder || 'nobody'} holds it now`);
      await within.sleep(retryPeriodMs);
    }
  }

  #loss(why: string): LeadershipLostError {
    const { namespace, name } = this.#options;
    return new LeadershipLostError(`leaderelection lost: lease ${namespace}/${name}: ${why}`);
  }

  #lose(leading: Scope, loss: LeadershipLostError): LeadershipLostError {
    this.#state = 'lost';
    this.#showLeading(false);
    leading.cancel(loss);
    this.#options.log.error('leaderelection lost', loss);
    this.#announce('stopped leading');
    return loss;
  }

  /** The work has ended: by being cancelled, or by itself, well or badly. */
  async #stop(scope: Scope, failure: Error | undefined): Promise<void> {
    const failed = failure !== undefined && !scope.cancelled;
    // Of work that failed nobody knows whether all of it has ended: then the lease is left to expire.
    if (!failed && this.#options.releaseOnStop) await this.#release();
    this.#state = 'stopped';
    this.#showLeading(false);
    this.#announce('stopped leading');
    if (failed) throw failure;
  }

  async #release(): Promise<void> {
    const { log, name, renewDeadlineMs } = this.#options;
    this.#state = 'releasing';
    using scope = Scope.root(this.#clock).withDeadline(renewDeadlineMs, 'releasing the lease');
    try {
      await this.#lock.release(scope);
    } catch (thrown) {
      log.error('Failed to release the lease: the next leader has to wait until it expires', thrown, { lease: name });
    }
  }

  #showLeading(leads: boolean): void {
    this.#master?.set(leads ? 1 : 0, { name: this.#options.name });
  }

  #announce(what: string): void {
    const { recorder, identity } = this.#options;
    const { lease } = this.#lock;
    if (lease) recorder?.event(leaseReference(lease), 'Normal', 'LeaderElection', `${identity} ${what}`);
  }
}

/** How the work ended: undefined if well. Never rejects. */
function endOf(work: Promise<void>): Promise<Error | undefined> {
  return work.then(() => undefined, asError);
}
