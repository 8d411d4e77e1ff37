import {
  formatGoDuration,
  InvalidInputError,
  type Clock,
  type Logger,
  type Metrics,
  type Scope,
} from '@cloudstack-ccm/base';
import {
  keyOf,
  runWorkers,
  WorkQueue,
  type EndpointSlice,
  type EventRecorder,
  type Informer,
  type ListWatch,
  type Node,
  type Place,
  type ResourceClient,
  type Service,
} from '@cloudstack-ccm/kubernetes';

import type { LoadBalancers } from '../cloud.ts';
import type { Controller } from '../controller.ts';
import { FencedResource, type MayWrite } from '../fence.ts';
import { Causes } from './causes.ts';
import { sameIngress } from './ingress.ts';
import { LoadBalancerSync, type Turn } from './load-balancer-sync.ts';
import { NodeSets } from './node-set.ts';
import { OwnAnnotations } from './own-annotations.ts';
import { PendingNodes } from './pending-nodes.ts';
import { needsCleanup, needsUpdate, wantsLoadBalancer } from './predicates.ts';
import { ReadyEndpoints } from './ready-endpoints.ts';
import { ServiceEvents } from './service-events.ts';
import { serviceMetrics, type ServiceMetrics } from './service-metrics.ts';
import { ServiceWriter } from './service-writer.ts';
import { StatusGuard } from './status-guard.ts';
import { labelsChanged, membershipChanged } from './stable-nodes.ts';

export interface ServiceControllerOptions {
  readonly client: ResourceClient<Service>;
  readonly services: Informer<Service>;
  readonly nodes: Informer<Node>;
  /** Watched only while a Service asks for it. */
  readonly endpointSlices: ListWatch<EndpointSlice>;
  readonly loadBalancers: LoadBalancers;
  readonly clusterName: string;
  readonly recorder: Pick<EventRecorder, 'event'>;
  readonly mayWrite: MayWrite;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Services worked on at a time; those that wait their turn in the cloud do not count. */
  readonly workers: number;
}

/** First and longest pause before a Service is tried again, in milliseconds. */
const RETRY = { baseDelayMs: 5000, maxDelayMs: 300_000 };

/** So often a cleanup that failed is tried again, however long its back-off has grown. */
const RESYNC_MS = 30_000;

/** Nobody else waits for the place of a sync that no worker does. */
const ALONE: Place = { stepAside: () => async () => undefined };

/** All changes of nodes that wait are one pass. */
const ALL_NODES = 'nodes';

/** The key, beside that, of the nodes that load balancers have to do without. */
const PENDING_NODES = 'pending nodes';

/** Nodes come and go in crowds: after one pass, changes gather for so long. */
const GATHER_MS = 100;

/**
 * Gives Services of type LoadBalancer their load balancers. Whatever happens to a Service, or to the nodes, its key
 * goes through one queue, so nothing is done to one load balancer by two workers.
 */
export class ServiceController implements Controller {
  readonly name = 'service-lb-controller';
  readonly #options: ServiceControllerOptions;
  readonly #metrics: ServiceMetrics;
  readonly #queue: WorkQueue;
  readonly #nodeQueue: WorkQueue;
  readonly #causes = new Causes();
  readonly #ownAnnotations = new OwnAnnotations();
  readonly #statusGuard = new StatusGuard();
  readonly #endpoints: ReadyEndpoints;
  readonly #sync: LoadBalancerSync;
  #draining = false;

  constructor(options: ServiceControllerOptions) {
    const { client, recorder, nodes, endpointSlices, clock, log, metrics, loadBalancers, clusterName, mayWrite } =
      options;
    this.#options = options;
    this.#metrics = serviceMetrics(metrics);
    this.#queue = new WorkQueue({ name: 'service', clock, metrics, ...RETRY });
    this.#nodeQueue = new WorkQueue({ name: 'node', clock, metrics, ...RETRY });
    this.#endpoints = new ReadyEndpoints({ slices: endpointSlices, changed: (key) => this.#membersChanged(key), log });
    this.#sync = new LoadBalancerSync({
      loadBalancers,
      latest: (key) => options.services.lister.get(key),
      clusterName,
      nodeSets: new NodeSets(nodes.lister),
      endpoints: this.#endpoints,
      writer: new ServiceWriter(new FencedResource(client, mayWrite)),
      events: new ServiceEvents(recorder),
      metrics: this.#metrics,
      ownAnnotations: this.#ownAnnotations,
      pendingNodes: new PendingNodes((delayMs) => this.#nodeQueue.addAfter(PENDING_NODES, delayMs)),
      statusGuard: this.#statusGuard,
      mayWrite,
      clock,
      log,
    });
    this.#listen();
  }

  async run(scope: Scope): Promise<void> {
    const { services, nodes, log, workers } = this.#options;
    this.#endpoints.open(scope);
    await Promise.all([services.waitForSync(scope), nodes.waitForSync(scope)]);
    await Promise.all([
      runWorkers(scope, {
        queue: this.#queue,
        workers,
        log,
        sync: (own, key, place) => this.#work({ scope: own, place }, key),
        describeFailure,
      }),
      runWorkers(scope, { queue: this.#nodeQueue, workers: 1, log, sync: (own, key) => this.#workNodes(own, key) }),
    ]);
  }

  drain(): void {
    this.#draining = true;
    this.#queue.shutDown();
    this.#nodeQueue.shutDown();
  }

  /** Brings one Service to where it should be. @throws when it is to be tried again. */
  async sync(scope: Scope, key: string, place: Place = ALONE): Promise<void> {
    const turn = { scope, place };
    if (key.split('/').length > 2) throw new InvalidInputError(`unexpected key format: ${JSON.stringify(key)}`);
    const service = this.#options.services.lister.get(key);
    if (service) await this.#sync.apply(turn, service);
    else await this.#sync.removeGone(turn, key);
  }

  #listen(): void {
    const { services, nodes } = this.#options;
    services.addHandler(
      {
        added: (service) => {
          if (wantsLoadBalancer(service) || needsCleanup(service)) this.#enqueue(keyOf(service));
        },
        updated: (before, after) => this.#updated(before, after),
        // The framework listens to no deletions, and leaves the load balancer of a Service whose finalizer was taken.
        deleted: (service) => {
          if (this.#sync.knows(keyOf(service))) this.#enqueue(keyOf(service));
        },
      },
      { resyncMs: RESYNC_MS },
    );
    nodes.addHandler({
      added: () => this.#nodeQueue.add(ALL_NODES),
      updated: (before, after) => {
        if (membershipChanged(before, after) || labelsChanged(before, after)) this.#nodeQueue.add(ALL_NODES);
      },
      deleted: () => this.#nodeQueue.add(ALL_NODES),
    });
  }

  #updated(before: Service, after: Service): void {
    const key = keyOf(after);
    const expected = this.#ownAnnotations.appliedTo(key, before, after);
    if (needsUpdate(expected, after)) this.#sync.changed(key);
    if (needsUpdate(expected, after) || needsCleanup(after)) this.#enqueue(key);
    this.#guardStatus(key, before, after);
  }

  /** An older status may still be on its way while a newer one is given: only a change can be another writer's. */
  #guardStatus(key: string, before: Service, after: Service): void {
    const { ingress } = after.status.loadBalancer;
    if (!wantsLoadBalancer(after) || sameIngress(before.status.loadBalancer.ingress, ingress)) return;
    const pauseMs = this.#statusGuard.pauseAfter(key, ingress, this.#options.clock.monotonic());
    if (pauseMs === undefined) return;
    const { log } = this.#options;
    log.info('Somebody else has overwritten the load balancer status: it is put right', { service: key, pauseMs });
    this.#causes.note(key);
    this.#queue.addAfter(key, pauseMs);
  }

  #enqueue(key: string): void {
    this.#causes.note(key);
    this.#queue.add(key);
  }

  #membersChanged(key: string): void {
    void this.#causes.noteNodes(key);
    this.#queue.add(key);
  }

  async #work(turn: Turn, key: string): Promise<void> {
    await this.#causes.take(key, async (cause) => {
      if (this.#draining) return;
      if (cause === 'service') await this.#syncAgainIfFailed(turn, key);
      else if (!(await this.#sync.updateMembers(turn, key))) this.#enqueue(key);
    });
  }

  /** The next try has to do all of it, even if only the nodes change until then. */
  async #syncAgainIfFailed({ scope, place }: Turn, key: string): Promise<void> {
    try {
      await this.sync(scope, key, place);
    } catch (thrown) {
      this.#causes.note(key);
      throw thrown;
    }
  }

  async #workNodes(scope: Scope, key: string): Promise<void> {
    if (key === PENDING_NODES) return this.#passNodes(this.#sync.retryPending());
    const outdated = this.#sync.outdated();
    // The nodes may have been what was missing: it is worth trying at once, and often again.
    for (const service of outdated) this.#queue.forget(service);
    this.#passNodes(outdated);
    await scope.sleep(GATHER_MS);
  }

  /** Hands a change of the nodes to the Services that it touches. One that takes long does not hold up the next change. */
  #passNodes(services: readonly string[]): void {
    const start = this.#options.clock.monotonic();
    const passes = services.map((key) => {
      const worked = this.#causes.noteNodes(key);
      this.#queue.add(key);
      return worked;
    });
    void Promise.all(passes).then(() => {
      this.#metrics.nodePassSeconds.observe((this.#options.clock.monotonic() - start) / 1000);
    });
  }
}

function describeFailure(key: string, { message }: Error, retryAfterMs: number | undefined): string {
  const how = retryAfterMs === undefined ? 'with exponential backoff' : `in ${formatGoDuration(retryAfterMs)}`;
  return `error processing service ${key} (retrying ${how}): ${message}`;
}
