import type { Scope } from '@cloudstack-ccm/base';
import type { LoadBalancerStatus, Notice, ServiceContext, ServiceView } from '@cloudstack-ccm/cloud-controllers';
import type { LoadBalancerRule } from '@cloudstack-ccm/cloudstack-client';
import { editableAclList, type AclList } from '../access/acl-list.ts';
import { openingId } from '../access/opening.ts';
import { canonicalCidrs } from '../access/source-cidrs.ts';
import type { Acquired } from '../public-ip/address-keeper.ts';
import { markAddress } from '../public-ip/mark-address.ts';
import { predecessorOf } from '../public-ip/adopt.ts';
import { EMPTY_RECORD, holdingsOf, notedOpenings, withoutHolding, type AddressRecord } from '../public-ip/record.ts';
import type { RecordBook } from '../public-ip/record-book.ts';
import type { Circumstances } from './plan/circumstances.ts';
import type { Desired } from './plan/desired.ts';
import { isDenial } from './observe/denial.ts';
import { ActionError, AddressNotUsableError } from './errors.ts';
import { notice } from './report/events.ts';
import { stickinessNotPermitted } from './report/explain.ts';
import type { NetworkFacts } from './plan/network-facts.ts';
import { lookAtSettled, type Observation, type Settled } from './observe/observation.ts';
import type { Observed } from './plan/observed.ts';
import { placeOf } from './plan/protocol.ts';
import type { Parts } from './parts.ts';
import { plan } from './plan/plan.ts';
import { serveOn } from './plan/serve-on.ts';
import type { Step } from './plan/step.ts';
import type { Unread } from './observe/read.ts';
import { tellFailures } from './report/report.ts';
import type { Server } from './observe/server.ts';
import { buildStatus } from './status.ts';
import type { Wish } from './annotations/wish.ts';

/** A Service, checked, and what should be in the cloud for it. */
export interface Aim {
  readonly context: ServiceContext;
  readonly service: ServiceView;
  readonly wish: Wish;
  readonly network: NetworkFacts;
  readonly desired: Desired;
}

/** One sync of one load balancer, from the address to the status. */
export class Convergence {
  readonly #parts: Parts;
  readonly #aim: Aim;
  readonly #scope: Scope;
  readonly #book: RecordBook;
  readonly #notify: (notice: Notice) => void;

  constructor(parts: Parts, aim: Aim) {
    this.#parts = parts;
    this.#aim = aim;
    this.#scope = aim.context.scope;
    this.#book = parts.book(aim.context, aim.service);
    this.#notify = (one) => aim.context.notify(one);
  }

  /** @param rules the rules of the load balancer that are there now */
  async run(rules: readonly LoadBalancerRule[]): Promise<LoadBalancerStatus> {
    const { service, wish } = this.#aim;
    const server = await this.#parts.server(this.#scope, service);
    if (this.#takesBareAddress(rules)) this.#book.stage({ ...EMPTY_RECORD, openedFor: this.#wantedOpenings });
    const acquired = await this.#acquire(rules, server);
    const { ipAddress } = acquired.address;
    const waiting = await this.#parts.addressLocks.run(this.#scope, ipAddress, () =>
      acquired.changing === undefined
        ? this.#converge(rules, acquired, server)
        : this.#serveOn(rules, acquired, acquired.changing, server),
    );
    await this.#letGoOfOthers(acquired, server);
    if (waiting) throw waiting;
    return buildStatus(service, wish.settings, ipAddress);
  }

  /**
   * On an address that nobody had before, every opening is ours. It is then noted together with the address; elsewhere
   * only together with those of others that look like ours.
   */
  #takesBareAddress(rules: readonly LoadBalancerRule[]): boolean {
    const { service, wish } = this.#aim;
    const known = rules.length > 0 || this.#book.record !== undefined;
    return !known && predecessorOf(service, wish.settings).requested === undefined && this.#opensPorts();
  }

  async #acquire(rules: readonly LoadBalancerRule[], server: Server): Promise<Acquired> {
    const { context, service, wish, network } = this.#aim;
    const need = {
      ...server,
      scope: this.#scope,
      log: context.log,
      book: this.#book,
      network,
      options: this.#parts.options,
      predecessor: predecessorOf(service, wish.settings),
      rules: rules.map(({ id, publicIpId, publicIp }) => ({ id, addressId: publicIpId, address: publicIp })),
      statusAddress: service.ingress[0]?.ip,
      ports: new Set(wish.ports.map((port) => port.publicPort)),
      notify: this.#notify,
    };
    try {
      return await this.#parts.takingLocks.run(this.#scope, network.id, () => this.#parts.keeper.acquire(need));
    } catch (thrown) {
      if (thrown instanceof ActionError) tellFailures(context, [thrown], server.features);
      throw thrown;
    }
  }

  /** @returns why something has to wait until the next time; undefined when all is done */
  async #converge(
    rules: readonly LoadBalancerRule[],
    acquired: Acquired,
    server: Server,
  ): Promise<AddressNotUsableError | undefined> {
    const { context, desired, wish } = this.#aim;
    // Noted before the first policy is made, so that it is looked for when nobody wants one any more.
    if (wish.stickiness && !this.#record.stickiness) await this.#book.note({ ...this.#record, stickiness: true });
    const { list, notice: aclNotice } = await this.#aclList();
    if (aclNotice) this.#notify(aclNotice);
    const { observation, between } = await this.#look(rules, acquired, list?.id, server);
    if (between.includes(acquired.address.id)) throw leftBehind(rules, between);
    const circumstances = this.#circumstances(acquired, server, observation.aclForbidden ? undefined : list);
    const { steps, notices, unmarked, lookalikes } = plan(
      desired,
      without(observation.observed, between),
      circumstances,
    );
    for (const one of notices) this.#notify(one);
    const openedFor = steps.some(opensPort) ? this.#openedOrWanted() : this.#record.openedFor;
    await this.#book.note({ ...this.#record, foreignOpenings: lookalikes.toSorted(), openedFor });
    const all = [...this.#marking(acquired, server), ...steps];
    const execution = await this.#parts.executor.execute(this.#scope, context.log, all, this.#aim.network.id);
    const unread = [...observation.unread, ...this.#tellForbidden(observation)];
    const failure = tellFailures(context, execution.errors, server.features, unread);
    const marks = this.#record.marks && !execution.errors.some((error) => isTaggingDenied(error, server));
    const openings = marks ? [] : unmarked.flatMap((opening) => execution.idOf(opening) ?? []).sort();
    await this.#book.note({ ...this.#record, ...(!failure && this.#settled()), marks, openings });
    if (failure) throw failure;
    return between.length > 0 ? leftBehind(rules, between) : undefined;
  }

  /**
   * Keeps the rules that are there up to date on an address that takes nothing new. Nothing is noted: not all was seen.
   * @throws AddressNotUsableError so that the rest follows when the address has settled
   */
  async #serveOn(
    rules: readonly LoadBalancerRule[],
    acquired: Acquired,
    reason: string,
    server: Server,
  ): Promise<never> {
    const { context, desired, network } = this.#aim;
    this.#notify(notice('AddressChanging', reason));
    const { observation, between } = await this.#look(rules, acquired, undefined, server);
    const observed = without(observation.observed, between);
    const { steps } = plan(desired, observed, this.#circumstances(acquired, server, undefined));
    const { errors } = await this.#parts.executor.execute(this.#scope, context.log, serveOn(steps), network.id);
    throw tellFailures(context, errors, server.features) ?? new AddressNotUsableError(reason);
  }

  /** Firewall rules that are there or about to be made. */
  #openedOrWanted(): readonly string[] {
    return [...new Set([...this.#record.openedFor, ...this.#wantedOpenings])].sort();
  }

  get #wantedOpenings(): readonly string[] {
    const { rules } = this.#aim.desired;
    return rules
      .map(({ transport, publicPort, openingCidrs }) => openingId(placeOf(transport, publicPort), openingCidrs))
      .sort();
  }

  get #record(): AddressRecord {
    return this.#book.record ?? EMPTY_RECORD;
  }

  #aclList(): Promise<AclList> {
    const { network } = this.#aim;
    const none = { list: undefined, notice: undefined };
    if (this.#parts.options.accessRules === 'none') return Promise.resolve(none);
    return editableAclList(this.#scope, this.#parts.client, network);
  }

  #look(
    rules: readonly LoadBalancerRule[],
    acquired: Acquired,
    aclId: string | undefined,
    { features }: Server,
  ): Promise<Settled> {
    const { wish } = this.#aim;
    const firewalled = this.#opensPorts();
    const addresses = new Set(rules.map((rule) => rule.publicIpId));
    if (!acquired.fresh) addresses.add(acquired.address.id);
    // CloudStack refuses to tell them then.
    if (acquired.changing !== undefined) addresses.delete(acquired.address.id);
    const { reader, addresses: known } = this.#parts;
    return lookAtSettled(
      this.#scope,
      { reader, addresses: known },
      {
        rules,
        members: true,
        policies: wish.stickiness !== undefined || this.#record.stickiness,
        firewallsOf: firewalled ? [...addresses] : [],
        acl: aclId === undefined ? 'none' : { id: aclId },
        features,
      },
    );
  }

  /** True if ports are opened by firewall rules, and by us. */
  #opensPorts(): boolean {
    return this.#aim.network.access === 'firewall' && this.#parts.options.accessRules === 'all';
  }

  #circumstances({ address }: Acquired, { owner, features }: Server, aclList: Circumstances['aclList']): Circumstances {
    const { adopting, inheritedRanges, marks } = this.#record;
    const { accessRules } = this.#parts.options;
    const memory = {
      adopting,
      inheritedRanges,
      marks,
      notedOpenings: notedOpenings(this.#record),
    };
    return {
      owner,
      features,
      address,
      aclList,
      expectedCidrs: canonicalCidrs(this.#aim.wish.sourceRanges ?? []),
      accessRules,
      ...memory,
    };
  }

  /** Marks on the address, if it is one that we took. */
  #marking({ address, fresh }: Acquired, { owner }: Server): readonly Step[] {
    const holding = holdingsOf(this.#record).find((claim) => claim.id === address.id);
    const ours = holding?.origin === 'controller' && this.#record.marks;
    return ours ? markAddress(address, { owner, stale: fresh }) : [];
  }

  #tellForbidden({ aclForbidden, policiesForbidden }: Observation): readonly Unread[] {
    if (aclForbidden) this.#notify(notice('NetworkAclNotPermitted', aclForbidden.message));
    if (!policiesForbidden || !this.#aim.wish.stickiness) return [];
    this.#notify(stickinessNotPermitted(policiesForbidden.message));
    return [{ what: 'stickiness policies', error: policiesForbidden }];
  }

  /** What changes in the record after a sync in which everything went well. */
  #settled(): Pick<AddressRecord, 'stickiness' | 'adopting' | 'inheritedRanges' | 'openedFor'> {
    const { desired, wish } = this.#aim;
    const { adopting, inheritedRanges, openedFor } = this.#record;
    const ranges = desired.rangesOnRules ? desired.rules[0]?.sourceCidrs?.join() : undefined;
    const untouched = adopting || inheritedRanges === ranges ? ranges : undefined;
    return {
      stickiness: wish.stickiness !== undefined,
      adopting: false,
      inheritedRanges: untouched,
      openedFor: openedFor.length > 0 ? this.#wantedOpenings : openedFor,
    };
  }

  /** Addresses that served the load balancer before. */
  async #letGoOfOthers({ address }: Acquired, server: Server): Promise<void> {
    const { context, wish } = this.#aim;
    const leaving = { ...server, scope: this.#scope, log: context.log, notify: this.#notify };
    for (const holding of holdingsOf(this.#record).filter((claim) => claim.id !== address.id)) {
      await this.#parts.releaser.letGo({ ...leaving, keepIp: wish.settings.keepIp }, holding);
      await this.#book.note(withoutHolding(this.#record, holding));
    }
  }
}

/** Rules on addresses that are between two states stay: what belongs to them cannot be seen. */
function without(observed: Observed, addressIds: readonly string[]): Observed {
  return { ...observed, rules: observed.rules.filter(({ addressId }) => !addressIds.includes(addressId)) };
}

function leftBehind(rules: readonly LoadBalancerRule[], addressIds: readonly string[]): AddressNotUsableError {
  const addresses = new Set(rules.flatMap((rule) => (addressIds.includes(rule.publicIpId) ? [rule.publicIp] : [])));
  const what = `public IP ${[...addresses].join(', ')} is between two states in CloudStack`;
  return new AddressNotUsableError(`${what}: what is on it stays until that is over`);
}

function opensPort({ action }: Step): boolean {
  return action.kind === 'create-firewall-rule';
}

function isTaggingDenied({ action, cause }: ActionError, { features }: Server): boolean {
  return action.kind === 'add-tags' && isDenial(cause, features);
}
