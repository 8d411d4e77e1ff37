import { messageOf, type Clock, type Logger, type Scope } from '@cloudstack-ccm/base';
import { keyOf, type Place, type Service } from '@cloudstack-ccm/kubernetes';

import type {
  LoadBalancers,
  LoadBalancerStatus,
  NodeView,
  Notice,
  ReadyNodes,
  ServiceContext,
  ServiceView,
} from '../cloud.ts';
import { CleanupError, SyncError } from '../errors.ts';
import type { MayWrite } from '../fence.ts';
import { ConditionWriter } from './condition-writer.ts';
import { chosen, sameSet, withEndpoints, type Members, type NodeSet, type NodeSets } from './node-set.ts';
import type { OwnAnnotations } from './own-annotations.ts';
import type { PendingNodes } from './pending-nodes.ts';
import { hasCleanupFinalizer, needsCleanup, wantsLoadBalancer } from './predicates.ts';
import type { ReadyEndpoints } from './ready-endpoints.ts';
import type { ServiceEvents } from './service-events.ts';
import type { ServiceMetrics } from './service-metrics.ts';
import { serviceView } from './service-view.ts';
import type { StatusGuard } from './status-guard.ts';
import type { ServiceWriter } from './service-writer.ts';

export interface LoadBalancerSyncOptions {
  readonly loadBalancers: LoadBalancers;
  /** The Service of this key as it was last heard of. */
  readonly latest: (key: string) => Service | undefined;
  readonly clusterName: string;
  readonly nodeSets: NodeSets;
  readonly endpoints: ReadyEndpoints;
  readonly writer: ServiceWriter;
  readonly events: ServiceEvents;
  readonly metrics: ServiceMetrics;
  readonly ownAnnotations: OwnAnnotations;
  readonly pendingNodes: PendingNodes;
  readonly statusGuard: StatusGuard;
  readonly mayWrite: MayWrite;
  readonly clock: Clock;
  readonly log: Logger;
}

/** One time that a Service is worked on. */
export interface Turn {
  readonly scope: Scope;
  readonly place: Place;
}

/** What is found out while a Service is worked on. */
interface Attempt extends Turn {
  readonly warnings: Notice[];
}

/** Whom an update of members is for. */
interface MemberUpdate {
  readonly readyNodes: ReadyNodes | undefined;
  readonly nodes: readonly NodeView[];
  /** Nothing is told unless something has come of it. */
  readonly quiet: boolean;
}

/** Brings the load balancer of one Service to where it should be. It knows no queue. */
export class LoadBalancerSync {
  readonly #options: LoadBalancerSyncOptions;
  readonly #conditions: ConditionWriter;
  /** The Services as they were last handed to a sync: what a deletion without finalizer has to go by. */
  readonly #known = new Map<string, Service>();
  /** The nodes last given to the cloud, or meant for it, by Service. */
  readonly #given = new Map<string, NodeSet>();
  /** Services whose nodes are tried again though they are the same. */
  readonly #again = new Set<string>();

  constructor(options: LoadBalancerSyncOptions) {
    this.#options = options;
    const { loadBalancers, writer, clock, log } = options;
    this.#conditions = new ConditionWriter({ domain: loadBalancers.conditionDomain, writer, clock, log });
  }

  knows(key: string): boolean {
    return this.#known.has(key);
  }

  /** Its author has changed the Service, and wants to hear what comes of it. */
  changed(key: string): void {
    if (this.knows(key)) this.#options.events.anew(key);
  }

  /** Keys of the Services whose load balancer does not have the nodes of now. */
  outdated(): readonly string[] {
    const { nodeSets, endpoints } = this.#options;
    const all = nodeSets.current();
    return [...this.#known].flatMap(([key, service]) => {
      if (!wantsLoadBalancer(service)) return [];
      const wanted = this.#wantedNodes(service, all, endpoints.of(key));
      return sameSet(this.#given.get(key) ?? new Map(), wanted) ? [] : [key];
    });
  }

  /** Keys of the Services that have to do without some node, which the next update of their members tries again. */
  retryPending(): readonly string[] {
    const keys = this.#options.pendingNodes.due();
    for (const key of keys) this.#again.add(key);
    return keys;
  }

  /** Creates, updates or removes, as the Service wants. @throws SyncError, after an event has told of it. */
  async apply(turn: Turn, service: Service): Promise<void> {
    const key = keyOf(service);
    await this.#removeFormer(turn, key, service);
    this.#known.set(key, service);
    this.#options.events.begin(service, this.#conditions.shown(service));
    const attempt = { ...turn, warnings: [] };
    try {
      if (!wantsLoadBalancer(service) || needsCleanup(service)) {
        await this.#remove(attempt, service);
        this.#forget(key);
      } else await this.#ensure(attempt, key, service);
    } catch (thrown) {
      if (!turn.scope.cancelled) await this.#tellFailure(attempt, service, thrown);
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
   * Gives the load balancer the nodes of now, if they are not the ones it has, as its endpoints have it.
   * @returns false when that failed, or changed more than members, and the Service needs a full sync.
   */
  async updateMembers(turn: Turn, key: string): Promise<boolean> {
    const service = this.#known.get(key);
    const again = this.#again.delete(key);
    if (!service || !wantsLoadBalancer(service)) return true;
    const readyNodes = await this.#readyNodes(turn, key, service);
    const all = this.#options.nodeSets.current();
    const set = this.#wantedNodes(service, all, readyNodes);
    const before = this.#given.get(key) ?? new Map();
    // Noted before it is done: a slow update must not be repeated with older nodes by a later pass.
    this.#given.set(key, set);
    const same = sameSet(before, set);
    if (same && !again) return true;
    return await this.#updateMembers(turn, service, { readyNodes, nodes: all.nodes, quiet: same });
  }

  async #updateMembers(turn: Turn, service: Service, { readyNodes, nodes, quiet }: MemberUpdate): Promise<boolean> {
    const { events, loadBalancers, metrics, pendingNodes } = this.#options;
    const context = this.#context({ ...turn, warnings: [] }, service);
    try {
      const view = serviceView(service, readyNodes);
      const pending = await this.#timed(() => loadBalancers.updateMembers(context, view, nodes));
      const changed = pendingNodes.note(keyOf(service), pending);
      if (nodes.length === 0) events.unavailable(service);
      else if (!quiet || changed) events.updated(service);
      return !changed;
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
      const context = this.#context({ ...turn, warnings: [] }, service);
      await loadBalancers.delete(context, serviceView(service));
    } catch (thrown) {
      if (!turn.scope.cancelled) events.deleteFailed(service, thrown);
      throw thrown;
    }
    events.deleted(service);
  }

  async #remove(attempt: Attempt, service: Service): Promise<void> {
    const { events, writer } = this.#options;
    await this.#removeFromCloud(attempt, service);
    await writer.removeFinalizer(attempt.scope, service);
    events.deleted(service);
    await writer.setStatus(attempt.scope, service, { ingress: [], removed: this.#conditions.own(service) });
  }

  async #removeFromCloud(attempt: Attempt, service: Service): Promise<void> {
    const { events, loadBalancers } = this.#options;
    const context = this.#context(attempt, service);
    const status = await loadBalancers.get(context, serviceView(service)).catch((thrown: unknown) => {
      throw new CleanupError('failed to check if load balancer exists before cleanup', thrown);
    });
    if (!status) return;
    events.deleting(service);
    await loadBalancers.delete(context, serviceView(service)).catch((thrown: unknown) => {
      throw new CleanupError('failed to delete load balancer', thrown);
    });
  }

  async #ensure(attempt: Attempt, key: string, service: Service): Promise<void> {
    const { events, writer, nodeSets, pendingNodes, statusGuard } = this.#options;
    events.ensuring(service);
    await writer.addFinalizer(attempt.scope, service);
    const readyNodes = await this.#readyNodes(attempt, key, service);
    const all = nodeSets.current();
    const { nodes } = all;
    if (nodes.length === 0) events.unavailable(service);
    this.#given.set(key, this.#wantedNodes(service, all, readyNodes));
    const status = await this.#ensureInCloud(attempt, service, serviceView(service, readyNodes), nodes);
    const { ingress, pendingNodes: pending = [] } = status;
    pendingNodes.note(key, pending);
    events.ensured(service);
    const conditions = this.#conditions.changed(service, { warnings: attempt.warnings });
    // Noted before it is written: it comes back at once.
    statusGuard.note(key, ingress);
    await writer.setStatus(attempt.scope, this.#latest(key, service), { ingress, conditions });
    events.settled(service);
  }

  /** Somebody may have overwritten the status meanwhile. */
  #latest(key: string, service: Service): Service {
    const latest = this.#options.latest(key);
    return latest?.metadata.uid === service.metadata.uid ? latest : service;
  }

  async #ensureInCloud(
    attempt: Attempt,
    service: Service,
    view: ServiceView,
    nodes: readonly NodeView[],
  ): Promise<LoadBalancerStatus> {
    try {
      return await this.#options.loadBalancers.ensure(this.#context(attempt, service), view, nodes);
    } catch (thrown) {
      throw new SyncError('failed to ensure load balancer', thrown);
    }
  }

  async #tellFailure({ scope, warnings }: Attempt, service: Service, thrown: unknown): Promise<void> {
    this.#options.events.syncFailed(service, thrown);
    // What is somebody else's has at most our event.
    if (!wantsLoadBalancer(service) && !hasCleanupFinalizer(service)) return;
    await this.#conditions.write(scope, service, { error: thrown, warnings });
  }

  /** Undefined for a Service whose members do not depend on its endpoints. */
  #wantedNodes(service: Service, all: Members, readyNodes: ReadyNodes | undefined): NodeSet {
    const filter = this.#options.loadBalancers.nodeFilter(serviceView(service));
    return withEndpoints(chosen(all, filter), readyNodes);
  }

  async #readyNodes({ scope }: Turn, key: string, service: Service): Promise<ReadyNodes | undefined> {
    const { endpoints, loadBalancers } = this.#options;
    if (loadBalancers.followsEndpoints(serviceView(service))) return await endpoints.follow(scope, key);
    endpoints.unfollow(key);
    return undefined;
  }

  async #isAbsent(turn: Turn, service: Service): Promise<boolean> {
    const { loadBalancers, log } = this.#options;
    try {
      const context = this.#context({ ...turn, warnings: [] }, service);
      return (await loadBalancers.get(context, serviceView(service))) === undefined;
    } catch (thrown) {
      turn.scope.throwIfCancelled();
      log.error(`Failed to check if load balancer exists: ${messageOf(thrown)}`, thrown, { service: keyOf(service) });
      return false;
    }
  }

  async #timed<T>(work: () => Promise<T>): Promise<T> {
    const { clock, metrics } = this.#options;
    const start = clock.monotonic();
    metrics.memberUpdates.inc();
    try {
      return await work();
    } finally {
      metrics.memberUpdateSeconds.observe((clock.monotonic() - start) / 1000);
    }
  }

  #context({ scope, place, warnings }: Attempt, service: Service): ServiceContext {
    const { log, clusterName, mayWrite, events } = this.#options;
    return {
      scope,
      log: log.with({ service: keyOf(service) }),
      clusterName,
      mayWrite,
      stepAside: () => {
        const comeBack = place.stepAside();
        return () => comeBack(scope);
      },
      notify: (notice) => {
        if (notice.type === 'Warning') warnings.push(notice);
        events.notice(service, notice);
      },
      annotate: (changes) => this.#annotate(scope, service, changes),
    };
  }

  async #annotate(scope: Scope, service: Service, changes: Readonly<Record<string, string | null>>): Promise<void> {
    const { writer, ownAnnotations } = this.#options;
    const key = keyOf(service);
    ownAnnotations.note(key, changes);
    try {
      await writer.annotate(scope, service, changes);
    } catch (thrown) {
      ownAnnotations.drop(key, Object.keys(changes));
      throw thrown;
    }
  }

  #forget(key: string): void {
    const { ownAnnotations, pendingNodes, statusGuard, events, endpoints } = this.#options;
    this.#known.delete(key);
    this.#given.delete(key);
    this.#again.delete(key);
    ownAnnotations.forget(key);
    pendingNodes.note(key, []);
    statusGuard.forget(key);
    events.forget(key);
    endpoints.unfollow(key);
  }
}
