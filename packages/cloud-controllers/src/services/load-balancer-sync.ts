import { messageOf, type Clock, type Logger, type Scope } from '@cloudstack-ccm/base';
import { keyOf, type Place, type Service } from '@cloudstack-ccm/kubernetes';

import type { LoadBalancers, LoadBalancerStatus, ServiceContext } from '../cloud.ts';
import { CleanupError, SyncError } from '../errors.ts';
import type { MayWrite } from '../fence.ts';
import { sameSet, type NodeSet, type NodeSets } from './node-set.ts';
import type { OwnAnnotations } from './own-annotations.ts';
import { needsCleanup, wantsLoadBalancer } from './predicates.ts';
import type { ServiceEvents } from './service-events.ts';
import type { ServiceMetrics } from './service-metrics.ts';
import { serviceView } from './service-view.ts';
import type { ServiceWriter } from './service-writer.ts';

export interface LoadBalancerSyncOptions {
  readonly loadBalancers: LoadBalancers;
  readonly clusterName: string;
  readonly nodeSets: NodeSets;
  readonly writer: ServiceWriter;
  readonly events: ServiceEvents;
  readonly metrics: ServiceMetrics;
  readonly ownAnnotations: OwnAnnotations;
  readonly mayWrite: MayWrite;
  readonly clock: Clock;
  readonly log: Logger;
}

/** One time that a Service is worked on. */
export interface Turn {
  readonly scope: Scope;
  readonly place: Place;
}

/** Brings the load balancer of one Service to where it should be. It knows no queue. */
export class LoadBalancerSync {
  readonly #options: LoadBalancerSyncOptions;
  /** The Services as they were last handed to a sync: what a deletion without finalizer has to go by. */
  readonly #known = new Map<string, Service>();
  /** The nodes last given to the cloud, or meant for it, by Service. */
  readonly #given = new Map<string, NodeSet>();

  constructor(options: LoadBalancerSyncOptions) {
    this.#options = options;
  }

  knows(key: string): boolean {
    return this.#known.has(key);
  }

  /** Keys of the Services whose load balancer does not have the nodes of now. */
  outdated(): readonly string[] {
    const { set } = this.#options.nodeSets.current();
    return [...this.#known].flatMap(([key, service]) =>
      wantsLoadBalancer(service) && !sameSet(this.#given.get(key) ?? new Map(), set) ? [key] : [],
    );
  }

  /** Creates, updates or removes, as the Service wants. @throws SyncError, after an event has told of it. */
  async apply(turn: Turn, service: Service): Promise<void> {
    const key = keyOf(service);
    await this.#removeFormer(turn, key, service);
    this.#known.set(key, service);
    try {
      if (!wantsLoadBalancer(service) || needsCleanup(service)) {
        await this.#remove(turn, service);
        this.#forget(key);
      } else await this.#ensure(turn, key, service);
    } catch (thrown) {
      if (!turn.scope.cancelled) this.#options.events.syncFailed(service, thrown);
      throw thrown;
    }
  }

  /** The Service is gone from the API server, without having waited for us. @throws what the cloud threw. */
  async removeGone(turn: Turn, key: string): Promise<void> {
    const service = this.#known.get(key);
    if (service) await this.#removeKnown(turn, service);
    this.#forget(key);
  }

  /**
   * Gives the load balancer the nodes of now, if they are not the ones it has.
   * @returns false when that failed and the Service needs a full sync.
   */
  async updateMembers(turn: Turn, key: string): Promise<boolean> {
    const service = this.#known.get(key);
    if (!service || !wantsLoadBalancer(service)) return true;
    const { nodes, set } = this.#options.nodeSets.current();
    const before = this.#given.get(key) ?? new Map();
    // Noted before it is done: a slow update must not be repeated with older nodes by a later pass.
    this.#given.set(key, set);
    if (sameSet(before, set)) return true;
    const { events, loadBalancers, metrics } = this.#options;
    try {
      await this.#timed(() => loadBalancers.updateMembers(this.#context(turn, service), serviceView(service), nodes));
      if (nodes.length === 0) events.unavailable(service);
      else events.updated(service);
      return true;
    } catch (thrown) {
      turn.scope.throwIfCancelled();
      if (await this.#isAbsent(turn, service)) return true;
      events.updateFailed(service, nodes, thrown);
      metrics.memberUpdateErrors.inc();
      return false;
    }
  }

  /** A Service that was deleted and made again at once, which only works without our finalizer. */
  async #removeFormer(turn: Turn, key: string, service: Service): Promise<void> {
    const former = this.#known.get(key);
    if (!former || former.metadata.uid === service.metadata.uid) return;
    await this.#removeKnown(turn, former);
    this.#forget(key);
  }

  async #removeKnown(turn: Turn, service: Service): Promise<void> {
    if (!wantsLoadBalancer(service)) return;
    const { events, loadBalancers } = this.#options;
    events.deleting(service);
    try {
      await loadBalancers.delete(this.#context(turn, service), serviceView(service));
    } catch (thrown) {
      if (!turn.scope.cancelled) events.deleteFailed(service, thrown);
      throw thrown;
    }
    events.deleted(service);
  }

  async #remove(turn: Turn, service: Service): Promise<void> {
    const { events, writer } = this.#options;
    await this.#removeFromCloud(turn, service);
    await writer.removeFinalizer(turn.scope, service);
    events.deleted(service);
    await writer.setIngress(turn.scope, service, []);
  }

  async #removeFromCloud(turn: Turn, service: Service): Promise<void> {
    const { events, loadBalancers } = this.#options;
    const context = this.#context(turn, service);
    const status = await loadBalancers.get(context, serviceView(service)).catch((thrown: unknown) => {
      throw new CleanupError('failed to check if load balancer exists before cleanup', thrown);
    });
    if (!status) return;
    events.deleting(service);
    await loadBalancers.delete(context, serviceView(service)).catch((thrown: unknown) => {
      throw new CleanupError('failed to delete load balancer', thrown);
    });
  }

  async #ensure(turn: Turn, key: string, service: Service): Promise<void> {
    const { events, writer, nodeSets } = this.#options;
    events.ensuring(service);
    await writer.addFinalizer(turn.scope, service);
    const { nodes, set } = nodeSets.current();
    if (nodes.length === 0) events.unavailable(service);
    this.#given.set(key, set);
    const status = await this.#ensureInCloud(turn, service, nodes);
    events.ensured(service);
    await writer.setIngress(turn.scope, service, status.ingress);
  }

  async #ensureInCloud(
    turn: Turn,
    service: Service,
    nodes: Parameters<LoadBalancers['ensure']>[2],
  ): Promise<LoadBalancerStatus> {
    try {
      return await this.#options.loadBalancers.ensure(this.#context(turn, service), serviceView(service), nodes);
    } catch (thrown) {
      throw new SyncError('failed to ensure load balancer', thrown);
    }
  }

  async #isAbsent(turn: Turn, service: Service): Promise<boolean> {
    const { loadBalancers, log } = this.#options;
    try {
      return (await loadBalancers.get(this.#context(turn, service), serviceView(service))) === undefined;
    } catch (thrown) {
      turn.scope.throwIfCancelled();
      log.error(`Failed to check if load balancer exists: ${messageOf(thrown)}`, thrown, { service: keyOf(service) });
      return false;
    }
  }

  async #timed(work: () => Promise<void>): Promise<void> {
    const { clock, metrics } = this.#options;
    const start = clock.monotonic();
    metrics.memberUpdates.inc();
    try {
      await work();
    } finally {
      metrics.memberUpdateSeconds.observe((clock.monotonic() - start) / 1000);
    }
  }

  #context({ scope, place }: Turn, service: Service): ServiceContext {
    const { log, clusterName, mayWrite, events, writer, ownAnnotations } = this.#options;
    const key = keyOf(service);
    return {
      scope,
      log: log.with({ service: key }),
      clusterName,
      mayWrite,
      stepAside: () => {
        const comeBack = place.stepAside();
        return () => comeBack(scope);
      },
      notify: (notice) => events.notice(service, notice),
      annotate: async (changes) => {
        ownAnnotations.note(key, changes);
        try {
          await writer.annotate(scope, service, changes);
        } catch (thrown) {
          ownAnnotations.drop(key, Object.keys(changes));
          throw thrown;
        }
      },
    };
  }

  #forget(key: string): void {
    this.#known.delete(key);
    this.#given.delete(key);
    this.#options.ownAnnotations.forget(key);
  }
}
