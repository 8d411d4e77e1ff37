import { silentLogger, type Clock } from '@cloudstack-ccm/base';
import type {
  LoadBalancerStatus,
  NodeView,
  Notice,
  ServiceContext,
  ServiceView,
} from '@cloudstack-ccm/cloud-controllers';
import { TransportError, UnauthorizedError } from '@cloudstack-ccm/cloudstack-client';
import { SingleQuestions } from '../inventory/single-questions.ts';
import { Ensurer } from '../load-balancer/ensure.ts';
import { LookCloserError } from '../load-balancer/errors.ts';
import type { Parts } from '../load-balancer/parts.ts';
import type { LoadBalancerReader } from '../load-balancer/observe/read.ts';
import { glancingClient } from './glancing-client.ts';
import { SharedLists } from './shared-lists.ts';

/** So many Services within that time are few: each is looked at for itself. */
const FEW = 3;
const SHORT_MS = 10_000;

/** Lists that are younger are not read again for the sake of one Service that was worked on since. */
const HARDLY_OLD_MS = 1000;

/**
 * Looks at many Services by a few paged lists instead of four questions each. A glance is an ordinary sync with its hands
 * tied: if it comes to where it would write anything, it is given up, and the Service is looked at closely. So what is
 * seen at a glance can only ever decide that nothing is to be done.
 */
export class Glance {
  readonly #parts: Parts;
  readonly #clock: Clock;
  readonly #crowd: SingleQuestions;
  /** When a Service was last looked at closely: lists begun before that may lack what was done. By Service UID. */
  readonly #touched = new Map<string, number>();
  #lists: SharedLists;
  #generation: number;

  constructor(parts: Parts, clock: Clock) {
    this.#parts = parts;
    this.#clock = clock;
    this.#crowd = new SingleQuestions(clock, FEW, SHORT_MS);
    this.#lists = new SharedLists(parts.client, clock);
    this.#generation = parts.client.generation;
  }

  /** The status of a load balancer in which nothing is to be done; undefined when it takes a closer look to tell. */
  async ensure(
    context: ServiceContext,
    service: ServiceView,
    nodes: readonly NodeView[],
  ): Promise<LoadBalancerStatus | undefined> {
    if (!this.#parts.knows(service) || !this.#isWorthwhile(service)) return undefined;
    const notices: Notice[] = [];
    try {
      const glancing = new Ensurer(this.#parts.through(this.#client(service)));
      const status = await glancing.ensure(withHandsTied(context, notices), service, nodes);
      for (const notice of notices) context.notify(notice);
      return status;
    } catch (thrown) {
      context.scope.throwIfCancelled();
      if (thrown instanceof TransportError || thrown instanceof UnauthorizedError) throw thrown;
      return undefined;
    }
  }

  /** Where the members of a Service's rules may be looked up at a glance; undefined when they are better read. */
  membersOf(service: ServiceView): LoadBalancerReader | undefined {
    return this.#isWorthwhile(service) ? this.#parts.through(this.#client(service)).reader : undefined;
  }

  /** Works on the Service for itself: lists begun before that ends are of no use for it. */
  async closely<T>({ uid }: ServiceView, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.#touched.set(uid, this.#clock.monotonic());
    }
  }

  forget({ uid }: ServiceView): void {
    this.#touched.delete(uid);
  }

  #client(service: ServiceView): ReturnType<typeof glancingClient> {
    return glancingClient(this.#parts.client, this.#current(), this.#touched.get(service.uid) ?? -Infinity);
  }

  #isWorthwhile({ uid }: ServiceView): boolean {
    if (this.#crowd.take()) return false;
    const age = this.#current().rules.ageMs();
    if (age === undefined || age >= HARDLY_OLD_MS) return true;
    return this.#clock.monotonic() - age > (this.#touched.get(uid) ?? -Infinity);
  }

  /** With other keys, or in another cloud, nothing of what was seen counts. */
  #current(): SharedLists {
    const { generation } = this.#parts.client;
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#lists = new SharedLists(this.#parts.client, this.#clock);
      this.#parts.members.clear();
    }
    return this.#lists;
  }
}

function withHandsTied(context: ServiceContext, notices: Notice[]): ServiceContext {
  return {
    ...context,
    log: silentLogger,
    mayWrite: () => false,
    notify: (notice) => void notices.push(notice),
    annotate: () => Promise.reject(new LookCloserError()),
  };
}
