import { type Clock, type Logger, messageOf, type Scope } from '@cloudstack-ccm/base';
import { StatusError } from '../errors.ts';
import type { Lease, LeaseSpec } from '../objects/lease.ts';
import type { ObjectName } from '../objects/metadata.ts';
import type { ResourceClient } from '../resource-client.ts';
import { releasedRecord, renewedRecord, sameRecord, takenRecord, withRecord } from './lease-record.ts';

/** What an election needs of the API server. */
export type LeaseApi = Pick<ResourceClient<Lease>, 'get' | 'create' | 'update'>;

export interface LeaseLockOptions {
  readonly leases: LeaseApi;
  readonly name: Required<ObjectName>;
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called when a renewal had to read the lease first. */
  readonly onSlowPath: () => void;
}

interface Observation {
  readonly lease: Lease;
  /** Monotonic milliseconds: the clock of whoever wrote the record is never trusted. */
  readonly at: number;
}

/** One candidate's view of a Lease, and its single step: take it or renew it, if that is allowed now. */
export class LeaseLock {
  readonly #options: LeaseLockOptions;
  #observed: Observation | undefined;
  /** When the newest record that this candidate has certainly written was sent. */
  #renewed: { readonly monotonic: number; readonly wall: number } | undefined;

  constructor(options: LeaseLockOptions) {
    this.#options = options;
  }

  /** Who holds the lease by the last record seen; empty: nobody, or nothing was seen yet. */
  get holder(): string {
    return this.#observed?.lease.spec.holderIdentity ?? '';
  }

  get isOurs(): boolean {
    return this.holder === this.#options.identity;
  }

  /** Milliseconds since the record was last seen to change. */
  get ageMs(): number {
    return this.#options.clock.monotonic() - (this.#observed?.at ?? 0);
  }

  /** The Lease as last seen, for a reference to it. */
  get lease(): Lease | undefined {
    return this.#observed?.lease;
  }

  /**
   * True while no other candidate can have taken the lease. Wall time is asked too: monotonic time stands still while
   * a machine sleeps. If it jumps for another reason, the next renewal sets things right.
   */
  get isCertain(): boolean {
    const { clock, leaseDurationMs } = this.#options;
    if (!this.#renewed || !this.isOurs) return false;
    return (
      clock.monotonic() - this.#renewed.monotonic < leaseDurationMs &&
      clock.now() - this.#renewed.wall < leaseDurationMs
    );
  }

  /** Takes or renews the lease. @returns whether that worked. @throws only when the scope ends. */
  async try(scope: Scope): Promise<boolean> {
    try {
      return (await this.#renewAtOnce(scope)) || (await this.#readAndTake(scope));
    } catch (thrown) {
      scope.throwIfCancelled();
      this.#options.log.error('Failed to update the lease', thrown, { lease: this.#options.name.name });
      return false;
    }
  }

  /** Lets the next candidate take over without waiting. @throws when the API server does not take it. */
  async release(scope: Scope): Promise<void> {
    const lease = this.#observed?.lease;
    if (!lease || !this.isOurs) return;
    this.#renewed = undefined;
    const record = releasedRecord(lease.spec, this.#options.clock.now());
    this.#observe(await this.#put(scope, lease, record));
  }

  /** With the version at hand: one request instead of two, as long as nobody else can have written. */
  async #renewAtOnce(scope: Scope): Promise<boolean> {
    const { log, leaseDurationMs, clock } = this.#options;
    const lease = this.#observed?.lease;
    if (!lease || !this.isOurs || this.ageMs >= lease.spec.leaseDurationSeconds * 1000) return false;
    try {
      await this.#write(() => this.#put(scope, lease, renewedRecord(lease.spec, leaseDurationMs, clock.now())));
      return true;
    } catch (thrown) {
      scope.throwIfCancelled();
      log.debug(1, 'Failed to update the lease optimistically, falling back to reading it', { err: messageOf(thrown) });
      return false;
    }
  }

  async #readAndTake(scope: Scope): Promise<boolean> {
    const { clock, identity, leaseDurationMs } = this.#options;
    const lease = await this.#read(scope);
    if (!lease) {
      await this.#create(scope);
      return true;
    }
    this.#observe(lease);
    if (this.#heldByAnother(lease.spec)) return false;
    const renews = this.isOurs;
    if (renews) this.#options.onSlowPath();
    const record = renews
      ? renewedRecord(lease.spec, leaseDurationMs, clock.now())
      : takenRecord(identity, leaseDurationMs, clock.now(), lease.spec);
    await this.#write(() => this.#put(scope, lease, record));
    return true;
  }

  #heldByAnother({ holderIdentity, leaseDurationSeconds }: LeaseSpec): boolean {
    return holderIdentity !== '' && !this.isOurs && this.ageMs < leaseDurationSeconds * 1000;
  }

  async #read(scope: Scope): Promise<Lease | undefined> {
    try {
      return await this.#options.leases.get(scope, this.#options.name);
    } catch (thrown) {
      if (thrown instanceof StatusError && thrown.isNotFound) return undefined;
      throw thrown;
    }
  }
  #create(scope: Scope): Promise<void> {
    const { leases, name, identity, leaseDurationMs, clock } = this.#options;
    const body = { metadata: name, spec: takenRecord(identity, leaseDurationMs, clock.now()) };
    return this.#write(() => leases.create(scope, name.namespace, body));
  }

  #put(scope: Scope, lease: Lease, record: LeaseSpec): Promise<Lease> {
    return this.#options.leases.update(scope, this.#options.name, withRecord(lease, record));
  }

  /** Others measure from when they see the record, so from its sending we are on the safe side. */
  async #write(send: () => Promise<Lease>): Promise<void> {
    const { clock } = this.#options;
    const sent = { monotonic: clock.monotonic(), wall: clock.now() };
    const lease = await send();
    this.#renewed = sent;
    this.#observe(lease);
  }

  #observe(lease: Lease): void {
    const unchanged = this.#observed !== undefined && sameRecord(this.#observed.lease, lease);
    this.#observed = { lease, at: unchanged && this.#observed ? this.#observed.at : this.#options.clock.monotonic() };
  }
}
