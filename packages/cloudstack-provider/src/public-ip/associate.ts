import type { Logger, Scope } from '@cloudstack-ccm/base';
import { CapacityError, type PublicIp } from '@cloudstack-ccm/cloudstack-client';
import { ActionError, AddressNotUsableError } from '../load-balancer/errors.ts';
import type { Executor } from '../load-balancer/execute/execute.ts';
import type { NetworkFacts } from '../load-balancer/plan/network-facts.ts';
import type { AddressReader } from './address-reader.ts';
import {
  EMPTY_RECORD,
  parseTime,
  withHolding,
  withIntent,
  type Intent,
  type OpenIntent,
  type Place,
} from './record.ts';
import type { RecordBook } from './record-book.ts';

/** What taking an address needs. */
export interface Taking {
  readonly scope: Scope;
  readonly log: Logger;
  readonly network: NetworkFacts;
  readonly book: RecordBook;
}

/** So many addresses are tried when others are faster. */
const TRIES = 3;

/**
 * Takes public addresses so that a crash at any point leaks none: first a note of the address on the Service, then the
 * association, then a note of the result; only then the address is used.
 */
export class Associator {
  readonly #reader: AddressReader;
  readonly #executor: Executor;
  readonly #random: () => number;

  /** @param random numbers in [0, 1) */
  constructor(reader: AddressReader, executor: Executor, random: () => number) {
    this.#reader = reader;
    this.#executor = executor;
    this.#random = random;
  }

  /** Takes a particular address that is free. */
  async take(taking: Taking, address: Pick<PublicIp, 'id' | 'ipAddress'>): Promise<PublicIp> {
    await intend(taking, { state: 'associating', id: address.id, address: address.ipAddress, ...placeOf(taking) });
    const taken = await this.#associate(taking, address.ipAddress);
    if (taken.id !== address.id) {
      const what = `CloudStack answered with ${taken.ipAddress} when ${address.ipAddress} was asked for`;
      throw new AddressNotUsableError(`${what}: neither is used before that is cleared up by looking again`);
    }
    return noteResult(taking.book, taken);
  }

  /** Takes any address that is free: one that is named beforehand, as long as free ones are shown. */
  async takeAny(taking: Taking): Promise<PublicIp> {
    for (let attempt = 1; ; attempt++) {
      const free = await this.#unclaimed(taking);
      const picked = free[Math.floor(this.#random() * free.length)];
      if (!picked) return this.#takeUnnamed(taking);
      try {
        return await this.take(taking, picked);
      } catch (error) {
        if (!isTaken(error) || attempt === TRIES) throw error;
      }
    }
  }

  /** Free addresses; one that another Service has tried to take only where there is no other. */
  async #unclaimed({ scope, network, book }: Taking): Promise<readonly PublicIp[]> {
    const free = await this.#reader.free(scope, network);
    const claimed = book.claimedByOthers();
    const unclaimed = free.filter(({ id }) => !claimed.has(id));
    return unclaimed.length > 0 ? unclaimed : free;
  }

  /** No free address is shown: CloudStack chooses. The note says which addresses are not the one. */
  async #takeUnnamed(taking: Taking): Promise<PublicIp> {
    const before = await this.#reader.ofNetwork(taking.scope, placeOf(taking));
    const known = before.map((address) => address.id).sort();
    await intend(taking, { state: 'associating-any', known, ...placeOf(taking) });
    const taken = await this.#associate(taking, undefined);
    if (known.includes(taken.id)) {
      throw new AddressNotUsableError(`CloudStack answered with ${taken.ipAddress}, which was in use before`);
    }
    return noteResult(taking.book, taken);
  }

  async #associate({ scope, log, network }: Taking, address: string | undefined): Promise<PublicIp> {
    const { id: networkId, name: networkName, vpcId } = network;
    const action = { kind: 'associate-address', address, networkId, networkName, vpcId } as const;
    const { errors, associated } = await this.#executor.execute(scope, log, [{ chain: 'address', action }], networkId);
    if (!associated) throw errors[0] ?? new Error('an association without error gave no address');
    return associated;
  }
}

/** True if the address that was asked for is somebody else's now. */
function isTaken(error: unknown): boolean {
  return error instanceof ActionError && error.cause instanceof CapacityError;
}

function intend({ book }: Taking, intent: Intent | OpenIntent): Promise<void> {
  return book.note(withIntent(book.record ?? EMPTY_RECORD, intent));
}

function placeOf({ network }: Taking): Place {
  return { networkId: network.id, vpcId: network.vpcId };
}

/** The result replaces the intent, and is the address to use from now on. */
export async function noteResult(book: RecordBook, taken: PublicIp): Promise<PublicIp> {
  const { id, ipAddress: address } = taken;
  const allocated = parseTime(taken.allocated);
  const holding = { state: 'held', id, address, origin: 'controller', allocated } as const;
  await book.note(withHolding(book.record ?? EMPTY_RECORD, holding));
  return taken;
}
