import type { Notice } from '@cloudstack-ccm/cloud-controllers';
import type { LoadBalancerRule, PublicIp } from '@cloudstack-ccm/cloudstack-client';
import { AddressNotUsableError } from '../load-balancer/errors.ts';
import { notice } from '../load-balancer/report/events.ts';
import type { Address, ObservedRule } from '../load-balancer/plan/observed.ts';
import type { RequestedAddress } from '../load-balancer/annotations/wish.ts';
import { adopt, type Predecessor } from './adopt.ts';
import type { AddressReader } from './address-reader.ts';
import type { Associator, Taking } from './associate.ts';
import { settleIntents, type Unsettled } from './intents.ts';
import { EMPTY_RECORD, holdingsOf, parseTime, withHolding, type AddressRecord, type Holding } from './record.ts';
import { isSameAllocation } from './release.ts';
import type { StuckAddresses } from './stuck-addresses.ts';
import { usability, type AddressOptions } from './usability.ts';

/** What is known of the addresses that a load balancer has. */
export interface Takeover extends Unsettled {
  readonly predecessor: Predecessor;
  /** Rules that the load balancer has now, on whatever address. */
  readonly rules: readonly Pick<ObservedRule, 'id' | 'addressId' | 'address'>[];
  /** The address that the status shows now. */
  readonly statusAddress: string | undefined;
}

/** What a load balancer needs of its address. */
export interface AddressNeed extends Taking, Takeover {
  readonly options: AddressOptions;
  readonly ports: ReadonlySet<number>;
  readonly notify: (notice: Notice) => void;
}

/** The address that a load balancer is to use. */
export interface Acquired {
  readonly address: Address & Pick<PublicIp, 'tags'>;
  /** True if it was taken just now: nothing can be on it. */
  readonly fresh: boolean;
  /** Why nothing new can be put on it now, although it goes on serving; undefined when it can. */
  readonly changing?: string;
}

/** Finds, takes and remembers the public address of a load balancer. */
export class AddressKeeper {
  readonly #reader: AddressReader;
  readonly #associator: Associator;
  readonly #stuck: StuckAddresses;

  constructor(reader: AddressReader, associator: Associator, stuck: StuckAddresses) {
    this.#reader = reader;
    this.#associator = associator;
    this.#stuck = stuck;
  }

  /**
   * The address to use, noted on the Service. Nothing is written to the cloud unless an address has to be taken.
   * @throws AddressNotUsableError when the address that is asked for cannot be used
   */
  async acquire(need: AddressNeed): Promise<Acquired> {
    const intended = await this.takeStock(need);
    const current = currentHolding(need.book.record, need.rules);
    const { requested } = need.predecessor;
    if (requested && requested.address !== current?.address) return this.#acquireRequested(need, requested);
    const kept = current && (await this.#keep(need, current));
    if (kept) return kept;
    const taken = intended ? this.#associator.take(need, intended) : this.#associator.takeAny(need);
    return fresh(need, await taken);
  }

  /**
   * Brings the notes on the Service up to what is there.
   * @returns an address whose taking was noted, that was not taken, and is still free
   */
  async takeStock(takeover: Takeover): Promise<PublicIp | undefined> {
    await this.#noteUnknown(takeover);
    return settleIntents(takeover, this.#reader, this.#stuck);
  }

  /** Takes over addresses that carry rules of ours although nothing is noted about them. */
  async #noteUnknown({ scope, rules, book, predecessor, statusAddress }: Takeover): Promise<void> {
    const record = book.record ?? EMPTY_RECORD;
    const known = new Set(holdingsOf(record).map((claim) => claim.id));
    const unknown = new Map(rules.filter((rule) => !known.has(rule.addressId)).map((rule) => [rule.addressId, rule]));
    if (unknown.size === 0) return;
    const adopted: Holding[] = [];
    for (const [id, rule] of unknown) {
      const address = await this.#reader.byId(scope, id);
      // An address that we do not see is surely not ours to release.
      const unseen = { state: 'held', id, address: rule.address, origin: 'user', allocated: undefined } as const;
      adopted.push(address ? adopt(address, predecessor) : unseen);
    }
    // The last one is the one to use: what the user asks for, else what clients use now, else the oldest.
    const wanted = [predecessor.requested?.address, statusAddress];
    const rank = (claim: Holding): number => -(wanted.indexOf(claim.address) + 1 || wanted.length + 1);
    const ordered = adopted.toReversed().sort((left, right) => rank(left) - rank(right));
    const claims = [...ordered, ...record.claims];
    const inherited = book.record === undefined && { stickiness: true, adopting: true };
    await book.note({ ...record, claims, ...inherited });
  }

  async #acquireRequested(need: AddressNeed, { address: wanted, field }: RequestedAddress): Promise<Acquired> {
    const { scope, network, options } = need;
    const found = await this.#reader.byAddress(scope, wanted);
    const [address] = found;
    if (!address || found.length > 1) {
      const hint = `check ${field}, project and account`;
      throw refuse(need, `could not find IP address ${wanted}. Found ${found.length} addresses: ${hint}`);
    }
    const use = usability(address, network, options);
    switch (use.kind) {
      case 'unusable':
        throw refuse(need, use.reason);
      case 'changing':
        throw new AddressNotUsableError(use.reason);
      case 'free':
        return fresh(need, await this.#associator.take(need, address));
      case 'usable':
        await this.#checkPorts(need, address);
        await hold(need, address);
        return { address, fresh: false };
    }
  }

  /** True if somebody gave the address back, and it was taken anew for something that leaves no room for us. */
  async #wentToOthers(need: AddressNeed, current: Holding, address: PublicIp): Promise<boolean> {
    if (address.state !== 'Allocated' || isSameAllocation(current, address)) return false;
    return need.book.isClaimedByAnother(address.id) || (await this.#clash(need, address)) !== undefined;
  }

  /** Other Services may use the address too, but not the same ports. */
  async #checkPorts(need: AddressNeed, address: PublicIp): Promise<void> {
    const clash = await this.#clash(need, address);
    if (!clash) return;
    const what = `port ${clash.publicPort} of ${address.ipAddress} is taken by rule ${clash.name} (${clash.id})`;
    need.notify(notice('PortConflict', what));
    throw new AddressNotUsableError(what);
  }

  /** A rule of others on one of the ports that are wanted. */
  async #clash(need: AddressNeed, address: PublicIp): Promise<LoadBalancerRule | undefined> {
    if (address.hasRules === false) return undefined;
    const own = new Set(need.rules.map((rule) => rule.id));
    const others = (await this.#reader.rulesOn(need.scope, address.id)).filter((rule) => !own.has(rule.id));
    return others.find((rule) => rule.state !== 'Deleting' && need.ports.has(rule.publicPort));
  }

  /** Goes on with the address in use, unless it has been taken from us. */
  async #keep(need: AddressNeed, current: Holding): Promise<Acquired | undefined> {
    const { scope, network, rules } = need;
    const address = await this.#reader.byId(scope, current.id);
    if (rules.some((rule) => rule.addressId === current.id)) return this.#confirm(need, current, address);
    if (address && !need.predecessor.requested && (await this.#wentToOthers(need, current, address))) return undefined;
    const use = address && usability(address, network, { allowSourceNat: true });
    if (address && use?.kind === 'usable') return this.#confirm(need, current, address);
    if (address && use?.kind === 'changing') {
      const ours = current.origin === 'controller' && isSameAllocation(current, address);
      const givenBack = ours && (await this.#stuck.giveBack(need, address));
      throw new AddressNotUsableError(
        givenBack
          ? `${use.reason} and no job works on it: it was given back, and is taken again next time`
          : use.reason,
      );
    }
    if (address && use?.kind === 'free') return fresh(need, await this.#associator.take(need, address));
    if (need.predecessor.requested) throw refuse(need, `public IP ${current.address} is not available any more`);
    return undefined;
  }

  /** Notes when the address is no longer the allocation that it was: it is not ours to release then. */
  async #confirm(need: AddressNeed, current: Holding, address: PublicIp | undefined): Promise<Acquired> {
    if (!address) return { address: { id: current.id, ipAddress: current.address, tags: [] }, fresh: false };
    if (!isSameAllocation(current, address)) await hold(need, address);
    const use = usability(address, need.network, { allowSourceNat: true });
    return { address, fresh: false, ...(use.kind === 'changing' && { changing: use.reason }) };
  }
}

/** The address that a load balancer uses now: the last one noted that carries rules, else the last one noted. */
export function currentHolding(
  record: AddressRecord | undefined,
  rules: readonly { readonly addressId: string }[],
): Holding | undefined {
  const held = holdingsOf(record);
  return held.findLast((claim) => rules.some((rule) => rule.addressId === claim.id)) ?? held.at(-1);
}

/** Notes the address to use. One that we have not taken is not ours to release. */
async function hold({ book }: AddressNeed, address: PublicIp): Promise<void> {
  const record = book.record ?? EMPTY_RECORD;
  const before = holdingsOf(record).find((claim) => claim.id === address.id && isSameAllocation(claim, address));
  const { id, ipAddress } = address;
  const allocated = parseTime(address.allocated);
  const foreign = { state: 'held', id, address: ipAddress, origin: 'user', allocated } as const;
  await book.note(withHolding(record, before ?? foreign));
}

function fresh(need: AddressNeed, address: PublicIp): Acquired {
  const where = need.network.vpcId === undefined ? `network ${need.network.name}` : `VPC of ${need.network.name}`;
  need.notify(notice('AddressAssociated', `public IP ${address.ipAddress} was associated with ${where}`));
  return { address, fresh: true };
}

function refuse(need: AddressNeed, reason: string): AddressNotUsableError {
  need.notify(notice('AddressNotUsable', reason));
  return new AddressNotUsableError(reason);
}
