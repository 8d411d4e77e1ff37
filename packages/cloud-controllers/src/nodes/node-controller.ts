import { Tasks, type Clock, type Logger, type Metrics, type Scope } from '@cloudstack-ccm/base';
import {
  labelsPatch,
  runWorkers,
  StatusError,
  WorkQueue,
  type EventRecorder,
  type Informer,
  type Node,
  type ResourceClient,
} from '@cloudstack-ccm/kubernetes';

import type { Instances } from '../cloud.ts';
import type { Controller } from '../controller.ts';
import { SyncError } from '../errors.ts';
import { FencedResource, type MayWrite } from '../fence.ts';
import { AddressLoop } from './address-loop.ts';
import { AddressUpdater } from './address-updater.ts';
import { reconciledLabels } from './labels.ts';
import { NodeEvents } from './node-events.ts';
import { NodeInitializer } from './node-initializer.ts';
import { nodeMetrics } from './node-metrics.ts';
import { hasTaintKey } from './taints.ts';
import { UNINITIALIZED_TAINT } from './well-known.ts';

export interface NodeControllerOptions {
  readonly client: ResourceClient<Node>;
  readonly informer: Informer<Node>;
  readonly instances: Instances;
  readonly recorder: Pick<EventRecorder, 'event'>;
  readonly mayWrite: MayWrite;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Nodes initialised at a time. */
  readonly workers: number;
  /** Nodes whose addresses are compared at a time. */
  readonly addressWorkers: number;
  /** Pause between two rounds of the address loop in milliseconds. */
  readonly addressPeriodMs: number;
  /** Every node is looked at again after this time, in milliseconds. */
  readonly resyncMs: number;
}

/**
 * First and longest pause before a node is tried again, in milliseconds. The framework begins with 5: a machine that
 * is late by a second would be looked for eight times until then, and then too rarely.
 */
const RETRY = { baseDelayMs: 1000, maxDelayMs: 60_000 };

/** Initialises nodes that join, keeps both generations of their labels alike, and their addresses up to date. */
export class NodeController implements Controller {
  readonly name = 'cloud-node-controller';
  readonly #options: NodeControllerOptions;
  readonly #nodes: FencedResource<Node>;
  readonly #queue: WorkQueue;
  readonly #initializer: NodeInitializer;
  readonly #addressLoop: AddressLoop;
  #draining = false;

  constructor(options: NodeControllerOptions) {
    const { client, informer, instances, mayWrite, clock, log, metrics } = options;
    this.#options = options;
    this.#nodes = new FencedResource(client, mayWrite);
    const addresses = new AddressUpdater(this.#nodes, log);
    const events = new NodeEvents(options.recorder);
    const shared = { nodes: this.#nodes, instances, addresses, events, log };
    this.#initializer = new NodeInitializer({
      ...shared,
      clock,
      metrics: nodeMetrics(metrics),
      waiting: () => this.#queue.length,
    });
    this.#addressLoop = new AddressLoop({ ...shared, lister: informer.lister, workers: options.addressWorkers });
    this.#queue = new WorkQueue({ name: 'Nodes', clock, metrics, qps: 10, burst: 100, ...RETRY });
    const handler = {
      added: (node: Node) => this.#enqueue(node),
      updated: (_before: Node, node: Node) => this.#enqueue(node),
      deleted: (node: Node) => events.forget(node),
    };
    informer.addHandler(handler, { resyncMs: options.resyncMs });
  }

  async run(scope: Scope): Promise<void> {
    const { informer, log, workers } = this.#options;
    await informer.waitForSync(scope);
    using looping = scope.child();
    const tasks = new Tasks(looping, log);
    tasks.spawn('node-addresses', (own) => this.#loopAddresses(own));
    await runWorkers(scope, { queue: this.#queue, workers, log, sync: (own, name) => this.sync(own, name) });
    looping.cancel();
    await tasks.drain();
  }

  drain(): void {
    this.#draining = true;
    this.#queue.shutDown();
  }

  /** Brings one node to where it should be. @throws when it is to be tried again. */
  async sync(scope: Scope, name: string): Promise<void> {
    const node = this.#options.informer.lister.get(name);
    if (!node || this.#draining) return;
    if (hasTaintKey(node.spec.taints, UNINITIALIZED_TAINT)) await this.#initializer.initialize(scope, node);
    else await this.#reconcileLabels(scope, node);
  }

  /** One round over the addresses of all nodes. */
  updateAddresses(scope: Scope): Promise<void> {
    return this.#addressLoop.round(scope);
  }

  /** Heartbeats change nothing that matters here, and there are many of them. */
  #enqueue(node: Node): void {
    const labels = reconciledLabels(node.metadata.labels);
    if (hasTaintKey(node.spec.taints, UNINITIALIZED_TAINT) || Object.keys(labels).length > 0) {
      this.#queue.add(node.metadata.name);
    }
  }

  async #loopAddresses(scope: Scope): Promise<void> {
    for (;;) {
      await this.updateAddresses(scope);
      await scope.sleep(this.#options.addressPeriodMs);
    }
  }

  async #reconcileLabels(scope: Scope, node: Node): Promise<void> {
    const labels = reconciledLabels(node.metadata.labels);
    if (Object.keys(labels).length === 0) return;
    try {
      await this.#nodes.patch(scope, node.metadata, labelsPatch(labels));
    } catch (thrown) {
      if (thrown instanceof StatusError && thrown.isNotFound) return;
      throw new SyncError(`failed update labels for node ${node.metadata.name}`, thrown);
    }
  }
}
