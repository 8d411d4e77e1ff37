import { messageOf, type Clock, type Logger, type Metrics, type Scope } from '@cloudstack-ccm/base';
import type { EventRecorder, Informer, Node, ResourceClient } from '@cloudstack-ccm/kubernetes';

import type { DeletionLimits, Instances, Sighting, Sightings } from '../cloud.ts';
import type { Controller } from '../controller.ts';
import { FencedResource, type MayWrite } from '../fence.ts';
import { isReady, nodeView } from '../nodes/node-view.ts';
import { hasTaint } from '../nodes/taints.ts';
import { SHUTDOWN_TAINT } from '../nodes/well-known.ts';
import {
  afterFailedPass,
  EMPTY_MEMORY,
  judge,
  type Decision,
  type GuardedNode,
  type GuardMemory,
} from './deletion-guard.ts';
import { CONFIRM_DELETION, describeHeld, heldDeletions, type HeldDeletions } from './held-deletions.ts';
import { LifecycleEvents } from './lifecycle-events.ts';
import { LifecycleMetrics } from './lifecycle-metrics.ts';
import { NodeWriter } from './node-writer.ts';
import { SightingLog } from './sighting-log.ts';

export interface NodeLifecycleControllerOptions {
  readonly client: ResourceClient<Node>;
  readonly informer: Informer<Node>;
  readonly instances: Instances;
  readonly recorder: Pick<EventRecorder, 'event'>;
  readonly mayWrite: MayWrite;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Pause between two passes in milliseconds. */
  readonly periodMs: number;
  /** Asked in each pass: they may change. */
  readonly limits: () => DeletionLimits;
}

const NOTHING_SEEN: Sightings = { byNode: new Map(), witness: undefined };

/** Looks after nodes that are not ready: taints those whose machine is shut down, deletes those whose machine is gone. */
export class NodeLifecycleController implements Controller {
  readonly name = 'cloud-node-lifecycle-controller';
  readonly #options: NodeLifecycleControllerOptions;
  readonly #events: LifecycleEvents;
  readonly #metrics: LifecycleMetrics;
  readonly #writer: NodeWriter;
  readonly #sightings: SightingLog;
  #memory: GuardMemory = EMPTY_MEMORY;
  #held: HeldDeletions | undefined;
  #heldText: string | undefined;
  #wake: (() => void) | undefined;
  #drained = false;

  constructor(options: NodeLifecycleControllerOptions) {
    const { client, recorder, mayWrite, log, metrics } = options;
    this.#options = options;
    this.#events = new LifecycleEvents(recorder);
    this.#metrics = new LifecycleMetrics(metrics);
    this.#writer = new NodeWriter(new FencedResource(client, mayWrite), this.#events, log);
    this.#sightings = new SightingLog(log);
  }

  async run(scope: Scope): Promise<void> {
    // Unlike the framework, which may see a part of the cluster first: the guard counts nodes.
    await this.#options.informer.waitForSync(scope);
    while (!this.#drained) {
      await this.pass(scope);
      await this.#pause(scope);
    }
  }

  drain(): void {
    this.#drained = true;
    this.#wake?.();
  }

  /** Which deletions are held and why; undefined for none. */
  note(): string | undefined {
    return this.#heldText;
  }

  /** Looks once at all nodes. Failures are logged. */
  async pass(scope: Scope): Promise<void> {
    const nodes = this.#options.informer.lister.list();
    const sightings = await this.#look(scope, nodes);
    const { clock, limits } = this.#options;
    const subjects = sightings ? nodes : nodes.filter(isReady);
    const former = sightings ? this.#memory : afterFailedPass(this.#memory);
    const pass = { nodes: subjects.map(guardedNode), sightings: sightings ?? NOTHING_SEEN, now: clock.monotonic() };
    const { decisions, memory } = judge(pass, former, limits());
    this.#memory = memory;
    if (sightings) this.#showHeld(decisions, nodes);
    for (const node of subjects) await this.#act(scope, node, decisions.get(node.metadata.name));
  }

  /** @returns undefined when the cloud could not be asked. */
  async #look(scope: Scope, nodes: readonly Node[]): Promise<Sightings | undefined> {
    const suspects = nodes.filter((node) => !isReady(node));
    if (suspects.length === 0) return this.#show(NOTHING_SEEN);
    const others = nodes.filter(isReady);
    try {
      return this.#show(await this.#options.instances.look(scope, suspects.map(nodeView), others.map(nodeView)));
    } catch (thrown) {
      scope.throwIfCancelled();
      const names = suspects.map(({ metadata }) => metadata.name);
      this.#options.log.error(`error checking if ${names.length} nodes exist: ${messageOf(thrown)}`, thrown, {
        nodes: names.slice(0, 20),
      });
      return undefined;
    }
  }

  #show(sightings: Sightings): Sightings {
    this.#metrics.showSightings([...sightings.byNode.values()] satisfies Sighting[]);
    this.#sightings.log(sightings);
    return sightings;
  }

  async #act(scope: Scope, node: Node, decision: Decision | undefined): Promise<void> {
    try {
      await this.#carryOut(scope, node, decision);
    } catch (thrown) {
      scope.throwIfCancelled();
      this.#options.log.error('Failed to look after a node', thrown, { node: node.metadata.name });
    }
  }

  async #carryOut(scope: Scope, node: Node, decision: Decision | undefined): Promise<void> {
    if (!decision || this.#drained) return;
    switch (decision.action) {
      case 'delete':
        if (await this.#writer.delete(scope, node)) this.#metrics.deleted(decision.proof);
        return;
      case 'taint':
        return this.#writer.markShutDown(scope, node);
      case 'untaint':
        return this.#writer.markRunning(scope, node);
      case 'none':
      case 'wait':
      case 'hold':
      case 'report':
        return;
      default:
        decision satisfies never;
    }
  }

  /** The metric follows each pass; the event and the log line come once for each state, not for each pass. */
  #showHeld(decisions: ReadonlyMap<string, Decision>, nodes: readonly Node[]): void {
    const { log, limits } = this.#options;
    const held = heldDeletions(decisions);
    const before = this.#held;
    this.#held = held;
    this.#heldText = held && describeHeld(held, limits(), nodes.length);
    this.#metrics.showHeld(held);
    if (!held) {
      if (before) log.info('Deletion of nodes is no longer held', { nodes: before.nodes });
      return;
    }
    if (before?.reason === held.reason) return;
    log.warn(this.#heldText ?? '', { reason: held.reason });
    const first = nodes.find(({ metadata }) => metadata.name === held.nodes[0]);
    if (first) this.#events.deletionHeld(first, this.#heldText ?? '');
  }

  async #pause(scope: Scope): Promise<void> {
    using pause = scope.child();
    this.#wake = () => pause.cancel();
    try {
      if (!this.#drained) await pause.sleep(this.#options.periodMs);
    } catch (thrown) {
      if (!this.#drained) throw thrown;
    }
  }
}

function guardedNode(node: Node): GuardedNode {
  const { name, uid, annotations } = node.metadata;
  return {
    name,
    uid,
    ready: isReady(node),
    identified: node.spec.providerID !== '',
    shutdownTaint: hasTaint(node.spec.taints, SHUTDOWN_TAINT),
    confirmed: annotations[CONFIRM_DELETION] === 'true',
  };
}
