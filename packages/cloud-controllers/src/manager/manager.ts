import {
  asError,
  Scope,
  systemClock,
  type Clock,
  type Logger,
  type Metrics,
  type Verbosity,
} from '@cloudstack-ccm/base';
import {
  electionIdentity,
  EventRecorder,
  LeaderElector,
  leaseNamed,
  type KubernetesClient,
} from '@cloudstack-ccm/kubernetes';

import type { Cloud, Notice } from '../cloud.ts';
import { ManagerError } from '../errors.ts';
import type { BuildInfo } from '../options/build-info.ts';
import type { Options } from '../options/options.ts';
import { HealthChecks } from '../serving/health.ts';
import type { HttpsEndpoint } from '../serving/https-endpoint.ts';
import { buildMetric, processMetrics } from '../serving/process-metrics.ts';
import { Leadership } from './leadership.ts';
import { mayFollow, type ManagerState } from './manager-state.ts';
import { startServing, type Reviewers } from './serving.ts';

export interface ManagerOptions {
  readonly options: Options;
  readonly build: BuildInfo;
  readonly cloud: Cloud;
  /** Of the cluster; the controllers get clients of their own from it. */
  readonly client: KubernetesClient;
  readonly reviewers: Reviewers;
  readonly log: Logger;
  /** What `PUT /debug/flags/v` changes. */
  readonly verbosity: Verbosity;
  readonly metrics: Metrics;
  /** Default: the system's clock. */
  readonly clock?: Clock;
  /** Numbers in [0, 1). Default Math.random. */
  readonly random?: () => number;
  /** How long work at hand may take when the manager is asked to stop, in milliseconds. Default 10,000. */
  readonly drainMs?: number;
}

const DRAIN_MS = 10_000;
const FLUSH_MS = 1000;

/** Starts the controllers when this process leads, serves its endpoint all the time, and stops in order. */
export class Manager {
  readonly #options: Required<ManagerOptions>;
  readonly #health = new HealthChecks();
  readonly #live = new HealthChecks();
  readonly #ready = new HealthChecks();
  readonly #elector: LeaderElector | undefined;
  readonly #recorder: EventRecorder;
  readonly #life: Scope;
  readonly #leadership: Leadership;
  #state: ManagerState = 'starting';
  #endpoint: HttpsEndpoint | undefined;

  constructor(options: ManagerOptions) {
    this.#options = { clock: systemClock, random: Math.random, drainMs: DRAIN_MS, ...options };
    const { client, clock, log } = this.#options;
    this.#life = Scope.root(clock);
    const source = 'cloud-controller-manager';
    this.#recorder = new EventRecorder({ client: client.named(source), source, log, clock });
    this.#elector = this.#electorOf(this.#options);
    this.#leadership = new Leadership({
      ...this.#options,
      health: this.#health,
      mayWrite: () => this.mayWrite(),
      notify: (notice) => this.#notify(notice),
    });
    this.#addChecks();
  }

  get state(): ManagerState {
    return this.#state;
  }

  /** True while no other process can have become the leader. A cloud asks before each call that changes something. */
  mayWrite(): boolean {
    return this.#elector ? this.#elector.mayWrite() : !this.#life.cancelled;
  }

  /** The port that is served; 0 while there is none. */
  get port(): number {
    return this.#endpoint?.port ?? 0;
  }

  /**
   * Works until `stop` is cancelled, then lets work at hand end, releases the lease and resolves.
   * @throws LeadershipLostError at once when the lease is lost; ServingError or ManagerError when it cannot go on.
   */
  async run(stop: Scope): Promise<void> {
    const off = stop.onCancel(() => this.#stop());
    try {
      await this.#untilStopped();
      this.#become('stopping');
      await this.#end();
      this.#become('stopped');
    } catch (thrown) {
      this.#become('lost');
      this.#life.cancel(asError(thrown));
      this.#options.client.close();
      throw thrown;
    } finally {
      off();
    }
  }

  /** The end of life is no error when somebody asked for it. */
  async #untilStopped(): Promise<void> {
    try {
      await this.#run();
    } catch (thrown) {
      if (!this.#is('stopping') || thrown !== this.#life.reason) throw thrown;
    }
  }

  async #run(): Promise<void> {
    const { build, metrics, log } = this.#options;
    processMetrics(metrics);
    buildMetric(metrics, build);
    log.info('Version', { version: build.version, commit: build.commit, buildDate: build.buildDate });
    this.#recorder.start(this.#life);
    this.#endpoint = await startServing(this.#life, { ...this.#options, ...this.#checks });
    if (!this.#is('starting')) return;
    this.#become('standby');
    const lead = (scope: Scope): Promise<void> => this.#lead(scope);
    await (this.#elector ? this.#elector.run(this.#life, lead) : lead(this.#life));
  }

  async #lead(scope: Scope): Promise<void> {
    if (!this.#is('standby')) return;
    this.#become('leading');
    await this.#leadership.run(scope);
    if (this.#is('leading')) throw new ManagerError('the controllers ended though nobody stopped them');
  }

  #stop(): void {
    const { clock, drainMs, log } = this.#options;
    const was = this.#state;
    log.info('Stopping', { was });
    this.#become('stopping');
    if (was !== 'leading') return this.#life.cancel();
    this.#leadership.drain();
    const timer = clock.setTimer(drainMs, () => this.#life.cancel());
    this.#life.onCancel(() => timer.cancel());
  }

  async #end(): Promise<void> {
    using within = Scope.root(this.#options.clock).withDeadline(FLUSH_MS, 'sending the last events');
    await this.#recorder.flush(within).catch(() => undefined);
    this.#life.cancel();
    await this.#endpoint?.close();
    this.#options.client.close();
  }

  /** On the lease, which needs no right to read a pod, and is found in the namespace of the controller. */
  #notify({ type, reason, message }: Notice): void {
    const { leaderElectResourceNamespace: namespace, leaderElectResourceName: name } = this.#options.options.generic;
    this.#recorder.event(leaseNamed(namespace, name), type, reason, message);
  }

  #is(state: ManagerState): boolean {
    return this.#state === state;
  }

  #become(state: ManagerState): void {
    if (state === this.#state || !mayFollow(this.#state, state)) return;
    this.#options.log.debug(2, 'State changed', { from: this.#state, to: state });
    this.#state = state;
  }

  get #checks() {
    return { health: this.#health, live: this.#live, ready: this.#ready };
  }

  #addChecks(): void {
    const elector = this.#elector;
    if (elector) {
      const check = { name: 'leaderElection', check: () => failIf(elector.healthError()?.message) };
      this.#health.add(check);
      this.#live.add(check);
    }
    this.#ready.add(
      { name: 'manager', check: () => failIf(this.#unready()) },
      { name: 'cloud', check: () => failIf(this.#state === 'leading' ? this.#options.cloud.readiness() : undefined) },
    );
  }

  #unready(): string | undefined {
    switch (this.#state) {
      case 'standby':
        return undefined;
      case 'leading':
        return this.#leadership.unready();
      case 'starting':
      case 'stopping':
      case 'stopped':
      case 'lost':
        return `the manager is ${this.#state}`;
      default:
        return this.#state satisfies never;
    }
  }

  #electorOf({ options, client, log, clock, metrics, random }: Required<ManagerOptions>): LeaderElector | undefined {
    const { generic } = options;
    if (!generic.leaderElect) return undefined;
    return new LeaderElector({
      client,
      namespace: generic.leaderElectResourceNamespace,
      name: generic.leaderElectResourceName,
      identity: electionIdentity(),
      leaseDurationMs: generic.leaderElectLeaseDuration,
      renewDeadlineMs: generic.leaderElectRenewDeadline,
      retryPeriodMs: generic.leaderElectRetryPeriod,
      log,
      clock,
      metrics,
      random,
      recorder: this.#recorder,
    });
  }
}

/** @throws Error with the text, if there is one. */
function failIf(problem: string | undefined): undefined {
  if (problem !== undefined) throw new Error(problem);
}
