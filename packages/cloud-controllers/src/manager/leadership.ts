import { asError, Scope, type Clock, type Logger, type Metrics } from '@cloudstack-ccm/base';
import type { KubernetesClient } from '@cloudstack-ccm/kubernetes';

import type { Cloud, Notice } from '../cloud.ts';
import type { Controller } from '../controller.ts';
import { ManagerError } from '../errors.ts';
import type { MayWrite } from '../fence.ts';
import { aliasOf } from '../options/controller-names.ts';
import type { Options } from '../options/options.ts';
import type { HealthChecks } from '../serving/health.ts';
import { buildControllers, type ControllerSet } from './controllers.ts';

export interface LeadershipOptions {
  readonly options: Options;
  readonly cloud: Cloud;
  readonly client: KubernetesClient;
  readonly mayWrite: MayWrite;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly random: () => number;
  /** Gets one check for each controller that was started. */
  readonly health: HealthChecks;
  /** Tells an administrator what happened to this controller as a whole. */
  readonly notify: (notice: Notice) => void;
}

/** How long queued events may take to be sent at the end. */
const FLUSH_MS = 2000;

/** What this process does while it leads: it starts the cloud and the controllers, and ends with them. */
export class Leadership {
  readonly #options: LeadershipOptions;
  readonly #drained = Promise.withResolvers<void>();
  #set: ControllerSet | undefined;
  #draining = false;

  constructor(options: LeadershipOptions) {
    this.#options = options;
  }

  /** What is missing before the controllers can work; undefined for nothing. */
  unready(): string | undefined {
    if (!this.#set) return 'the controllers are being started';
    const { nodes, services, controllers } = this.#set;
    if (controllers.length === 0) return undefined;
    if (!nodes.hasSynced()) return 'the nodes have not been listed yet';
    const needsServices = controllers.some(({ name }) => name === 'service-lb-controller');
    return needsServices && !services.hasSynced() ? 'the Services have not been listed yet' : undefined;
  }

  /** Takes no new work; `run` ends with the work at hand. */
  drain(): void {
    this.#draining = true;
    this.#drained.resolve();
    for (const controller of this.#set?.controllers ?? []) controller.drain();
  }

  /**
   * @throws ManagerError when the API server is not healthy, or a controller or the cloud cannot go on; the scope's
   * reason when that ends first.
   */
  async run(scope: Scope): Promise<void> {
    await this.#waitForApiServer(scope);
    // Ends with the work, also when that ends before the scope does.
    const own = scope.child();
    try {
      await this.#options.cloud.start(own, this.#options.notify);
      await this.#tellAndWork(own, buildControllers(this.#options));
    } finally {
      own.cancel();
    }
  }

  async #tellAndWork(scope: Scope, set: ControllerSet): Promise<void> {
    this.#set = set;
    // Events are sent after the controllers have ended, too.
    const telling = Scope.root(this.#options.clock);
    for (const recorder of set.recorders) recorder.start(telling);
    try {
      await this.#work(scope, set);
    } finally {
      await this.#flush(set);
      telling.cancel();
    }
  }

  async #work(scope: Scope, set: ControllerSet): Promise<void> {
    using working = scope.child();
    const running: Promise<void>[] = [];
    try {
      await this.#startAll(working, set.controllers, running);
      await this.#waitForApiServer(working);
      this.#follow(working, set);
      await (running.length > 0 ? Promise.all(running) : working.wait(this.#drained.promise));
    } finally {
      // The lease is let go after this, so nothing may still be at work.
      working.cancel();
      await Promise.allSettled(running);
      await Promise.all([set.nodes.stopped(), set.services.stopped()]);
    }
  }

  async #startAll(scope: Scope, controllers: readonly Controller[], running: Promise<void>[]): Promise<void> {
    const { options, health, log, random } = this.#options;
    for (const controller of controllers) {
      const work = this.#runOne(scope, controller);
      // It is waited for once all have started; until then a failure must not count as unhandled.
      work.catch(() => undefined);
      running.push(work);
      log.info(`Started ${JSON.stringify(controller.name)}`);
      const pause = options.generic.controllerStartInterval * (1 + random());
      if (pause > 0) await scope.sleep(pause);
    }
    health.add(...controllers.map((controller) => ({ name: controller.name, check: () => controller.note?.() })));
    if (this.#draining) this.drain();
  }

  /** Only now: a controller that starts late must not miss what an informer tells first. */
  #follow(scope: Scope, { nodes, services, controllers }: ControllerSet): void {
    if (controllers.length > 0) nodes.start(scope);
    if (controllers.some(({ name }) => name === 'service-lb-controller')) services.start(scope);
  }

  async #runOne(scope: Scope, controller: Controller): Promise<void> {
    const { metrics, log } = this.#options;
    const gauge = metrics.gauge({
      name: 'running_managed_controllers',
      help: '[BETA] Indicates where instances of a controller are currently running',
      labels: ['name', 'manager'],
    });
    const labels = { name: aliasOf(controller.name), manager: 'cloud-controller-manager' };
    gauge.set(1, labels);
    try {
      await controller.run(scope);
    } catch (thrown) {
      if (!scope.cancelled) {
        log.error(`Error starting ${JSON.stringify(controller.name)}`, thrown);
        throw new ManagerError(`error running controllers: ${asError(thrown).message}`, { cause: thrown });
      }
    } finally {
      gauge.set(0, labels);
    }
  }

  async #waitForApiServer(scope: Scope): Promise<void> {
    try {
      await this.#options.client.waitUntilHealthy(scope);
    } catch (thrown) {
      scope.throwIfCancelled();
      const text = 'error building controller context: failed to wait for apiserver being healthy';
      throw new ManagerError(`${text}: ${asError(thrown).message}`, { cause: thrown });
    }
  }

  async #flush({ recorders }: ControllerSet): Promise<void> {
    const { clock, log } = this.#options;
    using within = Scope.root(clock).withDeadline(FLUSH_MS, 'sending the last events');
    try {
      await Promise.all(recorders.map((recorder) => recorder.flush(within)));
    } catch (thrown) {
      log.debug(1, 'Some events were not sent', { err: asError(thrown).message });
    }
  }
}
