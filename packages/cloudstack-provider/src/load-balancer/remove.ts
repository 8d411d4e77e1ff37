import { asError, CombinedError, messageOf } from '@cloudstack-ccm/base';
import type { ServiceContext, ServiceView } from '@cloudstack-ccm/cloud-controllers';
import type { LoadBalancerRule, PublicIp } from '@cloudstack-ccm/cloudstack-client';
import { canonicalCidrs } from '../access/source-cidrs.ts';
import { predecessorOf } from '../public-ip/adopt.ts';
import { EMPTY_RECORD, holdingsOf, notedOpenings, type Holding } from '../public-ip/record.ts';
import type { RecordBook } from '../public-ip/record-book.ts';
import { isSameAllocation } from '../public-ip/release.ts';
import { readAnnotations, type Settings } from './annotations/annotations.ts';
import type { Circumstances } from './plan/circumstances.ts';
import { desireNothing } from './plan/desired.ts';
import { loadBalancerName } from './plan/names.ts';
import { networkFacts, type AccessKind } from './plan/network-facts.ts';
import { lookAtSettled, type Wanted } from './observe/observation.ts';
import type { Parts } from './parts.ts';
import { plan } from './plan/plan.ts';
import { tellFailures } from './report/report.ts';
import type { Server } from './observe/server.ts';

/** What is being removed. */
interface Removal {
  readonly context: ServiceContext;
  readonly service: ServiceView;
  readonly settings: Settings;
  readonly server: Server;
  readonly book: RecordBook;
  readonly rules: readonly LoadBalancerRule[];
}

/**
 * Removes load balancers: first what lets traffic in, then the rules, then the addresses, and last the notes on the
 * Service. As long as one of them is left, so are the notes, and the removal is tried again.
 */
export class Remover {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async remove(context: ServiceContext, service: ServiceView): Promise<void> {
    const { scope } = context;
    const removal = {
      context,
      service,
      settings: readAnnotations(service.annotations).settings,
      server: await this.#parts.server(scope, service),
      book: this.#parts.book(tolerant(context), service),
      rules: await this.#parts.rules(scope, service),
    };
    if (removal.rules.length > 0 || removal.book.record) await this.#removeAll(removal);
    await this.#parts.book(context, service).erase();
  }

  async #removeAll(removal: Removal): Promise<void> {
    await this.#takeStock(removal);
    const [first] = removal.rules;
    const work = (): Promise<void> => this.#removeFromNetwork(removal);
    await (first ? this.#parts.inNetwork(removal.context, first.networkId, work) : work());
  }

  async #removeFromNetwork(removal: Removal): Promise<void> {
    const addresses = new Set([
      ...removal.rules.map((rule) => rule.publicIp),
      ...holdingsOf(removal.book.record).map((holding) => holding.address),
    ]);
    await this.#locking(removal.context, [...addresses].sort(), () => this.#removeObjects(removal));
    await this.#letGo(removal);
  }

  /** Holds several addresses. Always in the same order, so that nobody waits for a neighbour who waits for him. */
  #locking(context: ServiceContext, [address, ...others]: readonly string[], work: () => Promise<void>): Promise<void> {
    if (address === undefined) return work();
    return this.#parts.addressLocks.run(context.scope, address, () => this.#locking(context, others, work));
  }

  /** Makes sure that every address is noted before the rules that lead to it go. */
  async #takeStock({ context, service, settings, server, book, rules }: Removal): Promise<void> {
    await this.#parts.keeper.takeStock({
      ...server,
      scope: context.scope,
      log: context.log,
      book,
      predecessor: predecessorOf(service, settings),
      rules: rules.map(({ id, publicIpId, publicIp }) => ({ id, addressId: publicIpId, address: publicIp })),
      statusAddress: service.ingress[0]?.ip,
    });
  }

  async #removeObjects(removal: Removal): Promise<void> {
    const { context, service, book, server, rules } = removal;
    const { scope, log } = context;
    const wanted = { ...(await this.#wanted(removal)), features: server.features };
    const { reader, addresses } = this.#parts;
    // The openings of an address that is between two states must not hold up a removal: they go with the address.
    const { observation } = await lookAtSettled(scope, { reader, addresses }, wanted);
    const record = book.record ?? EMPTY_RECORD;
    const { adopting, marks } = record;
    const circumstances: Circumstances = {
      ...server,
      address: undefined,
      aclList: undefined,
      expectedCidrs: canonicalCidrs(service.loadBalancerSourceRanges),
      adopting,
      inheritedRanges: undefined,
      marks,
      notedOpenings: notedOpenings(record),
      accessRules: this.#parts.options.accessRules,
    };
    const { steps } = plan(desireNothing(loadBalancerName(service.uid)), observation.observed, circumstances);
    const { errors } = await this.#parts.executor.execute(scope, log, steps, rules[0]?.networkId);
    const failure = tellFailures(context, errors, server.features);
    if (failure) throw failure;
  }

  async #wanted({ context, rules, book }: Removal): Promise<Omit<Wanted, 'features'>> {
    const kinds = new Map<string, AccessKind | 'unknown'>();
    for (const networkId of new Set(rules.map((rule) => rule.networkId))) {
      const network = await this.#parts.inventory.network(context.scope, networkId);
      kinds.set(networkId, network ? networkFacts(network).access : 'unknown');
    }
    const has = (kind: AccessKind, rule: LoadBalancerRule): boolean =>
      [kind, 'unknown'].includes(kinds.get(rule.networkId) ?? 'unknown');
    const bare = await this.#bareAddresses(context, rules, holdingsOf(book.record));
    const firewalled = rules.filter((rule) => has('firewall', rule)).map((rule) => rule.publicIpId);
    const listed = rules.some((rule) => has('network-acl', rule)) || bare.some(({ vpcId }) => vpcId !== undefined);
    return {
      rules,
      members: false,
      policies: false,
      firewallsOf: [...new Set([...firewalled, ...bare.map(({ id }) => id)])],
      acl: listed ? 'all' : 'none',
    };
  }

  /** Addresses without rules of ours that are still ours to look at: openings may have been left on them. */
  async #bareAddresses(
    { scope }: ServiceContext,
    rules: readonly LoadBalancerRule[],
    holdings: readonly Holding[],
  ): Promise<readonly PublicIp[]> {
    const addresses: PublicIp[] = [];
    for (const holding of holdings.filter(({ id }) => rules.every((rule) => rule.publicIpId !== id))) {
      const address = await this.#parts.addresses.byId(scope, holding.id);
      if (address?.state === 'Allocated' && isSameAllocation(holding, address)) addresses.push(address);
    }
    return addresses;
  }

  async #letGo({ context, settings, server, book }: Removal): Promise<void> {
    const leaving = {
      ...server,
      scope: context.scope,
      log: context.log,
      keepIp: settings.keepIp,
      notify: (one: Parameters<ServiceContext['notify']>[0]) => context.notify(one),
    };
    const errors: Error[] = [];
    for (const holding of holdingsOf(book.record)) {
      await this.#parts.releaser.letGo(leaving, holding).catch((thrown: unknown) => {
        context.scope.throwIfCancelled();
        errors.push(
          new Error(`error releasing load balancer IP ${holding.address}: ${messageOf(thrown)}`, {
            cause: asError(thrown),
          }),
        );
      });
    }
    const failure = CombinedError.of(errors);
    if (failure) throw failure;
  }
}

/** The Service may be gone already, with nothing left to note anything on. Its cloud objects must go all the same. */
function tolerant(context: ServiceContext): Pick<ServiceContext, 'annotate'> {
  return {
    annotate: (changes) =>
      context.annotate(changes).catch((thrown: unknown) => {
        context.scope.throwIfCancelled();
        context.log.warn('Could not note the addresses of a Service that goes', { err: messageOf(thrown) });
      }),
  };
}
