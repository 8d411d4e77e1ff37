import { Backoff, type Clock, createMetrics, type Logger, type Metrics, type Scope, Tasks } from '@cloudstack-ccm/base';
import type { Cloud, DeletionLimits, Instances, LoadBalancers, Notice } from '@cloudstack-ccm/cloud-controllers';
import { createCloudStackClient, type CloudStackClient, type Connection } from '@cloudstack-ccm/cloudstack-client';
import type { LoadedCloudConfig } from './cloud-config/load.ts';
import { CloudConfigWatcher } from './cloud-config/watch.ts';
import { CloudWatch } from './cloud-watch.ts';
import { Health } from './health.ts';
import { createInstances } from './instances/instances.ts';
import { Resolver } from './instances/resolver.ts';
import { Inventory } from './inventory/inventory.ts';
import { ProjectResolver } from './inventory/project.ts';
import { VersionSource } from './inventory/version.ts';
import { findZone } from './inventory/zone.ts';
import { createLoadBalancers } from './load-balancer/load-balancers.ts';
import type { LoadBalancerOptions } from './load-balancer/parts.ts';
import { probe } from './probe.ts';

export interface CloudStackCloudOptions {
  readonly config: LoadedCloudConfig;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** True while this process may change something in the cloud. */
  readonly mayWrite: () => boolean;
  /** UID of the namespace `kube-system`, which marks what is this cluster's; undefined when it cannot be read. */
  readonly clusterUid: (scope: Scope) => Promise<string | undefined>;
  /** Watched for changes when given. */
  readonly configFile?: string | undefined;
  /** True makes unknown keys of a changed file a warning. Default false. */
  readonly allowUnknownKeys?: boolean;
  /** Names under which the machine that this process runs on may be known. Default: none. */
  readonly hostNames?: readonly string[];
  /** Where a proxy is looked for when `proxy-url` is not set, and keys that cloud-config lacks. Default: nowhere. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly loadBalancers?: Partial<LoadBalancerOptions>;
}

/** CloudStack as a cloud for the controllers. */
export interface CloudStackCloud extends Cloud {
  /**
   * Takes another configuration into use, if CloudStack answers with it. Timeouts of jobs and the rate limit stay.
   * @throws when it does not; the old configuration then stays in use
   */
  reconfigure(scope: Scope, config: LoadedCloudConfig): Promise<void>;
  /** Waits for calls that run, then lets go of the connections. */
  close(): Promise<void>;
}

const NAME = 'external-cloudstack';

/** Wires everything that this package holds. Nothing goes out before `start`, or before the first call. */
export function createCloudStackCloud(options: CloudStackCloudOptions): CloudStackCloud {
  return new Wiring(options);
}

class Wiring implements CloudStackCloud {
  readonly name = NAME;
  readonly instances: Instances;
  readonly loadBalancers: LoadBalancers;
  readonly #options: CloudStackCloudOptions;
  readonly #client: CloudStackClient;
  readonly #health: Health;
  readonly #inventory: Inventory;
  readonly #project: ProjectResolver;
  readonly #version: VersionSource;
  #config: LoadedCloudConfig;
  #started = false;

  constructor(options: CloudStackCloudOptions) {
    const { clock, log, metrics, config } = options;
    this.#options = options;
    this.#config = config;
    this.#health = new Health(clock, () => this.#client.host);
    this.#client = createCloudStackClient({
      connection: this.#connection(config),
      clock,
      log,
      metrics,
      project: (scope) => this.#project.get(scope),
      mayWrite: options.mayWrite,
      rateLimit: config.rateLimit,
      jobTimeoutMs: config.jobTimeoutMs,
      decorators: [this.#health.observe],
    });
    const client = this.#client;
    this.#project = new ProjectResolver({ client, clock, configured: () => this.#config.projectId });
    this.#version = new VersionSource({ client, clock, log, pinned: () => this.#config.version });
    this.#inventory = new Inventory(client, clock, {
      metrics,
      affinityGroups: () => this.#config.nodes.affinityGroupLabel,
    });
    this.instances = createInstances({
      inventory: this.#inventory,
      clock,
      log,
      region: () => this.#config.region,
      nodes: () => this.#config.nodes,
      generation: () => client.generation,
    });
    this.loadBalancers = createLoadBalancers({
      client,
      inventory: this.#inventory,
      resolver: new Resolver(this.#inventory),
      clock,
      metrics,
      version: (scope) => this.#version.get(scope),
      projectId: (scope) => this.#project.get(scope),
      clusterUid: options.clusterUid,
      ...(options.loadBalancers && { options: options.loadBalancers }),
    });
  }

  async start(scope: Scope, notify: (notice: Notice) => void = () => undefined): Promise<void> {
    const { configFile, log } = this.#options;
    this.#started = true;
    const tasks = new Tasks(scope, log);
    const watch = this.#cloudWatch();
    tasks.loop('watch whether CloudStack answers', retryCalmly(), (work) => watch.run(work));
    if (!configFile) return;
    const watcher = this.#configWatcher(configFile, notify);
    tasks.loop('watch cloud-config', retryCalmly(), (work) => watcher.run(work));
  }

  /** A replica that waits for leadership has not asked anything, so nothing is known to be wrong. */
  readiness(): string | undefined {
    if (!this.#started) return undefined;
    return this.#health.problem() ?? this.#project.problem();
  }

  deletionLimits(): Partial<DeletionLimits> {
    return this.#config.deletionLimits;
  }

  async reconfigure(scope: Scope, config: LoadedCloudConfig): Promise<void> {
    await this.#tryOut(scope, config);
    this.#client.replaceConnection(this.#connection(config));
    this.#config = config;
    this.#project.forget();
    this.#version.forget();
    this.#inventory.forget();
    this.#options.log.info('Took a changed cloud-config into use', { host: this.#client.host });
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  /** Asks with the new keys before anything depends on them. */
  async #tryOut(scope: Scope, config: LoadedCloudConfig): Promise<void> {
    const { clock, log } = this.#options;
    const candidate = createCloudStackClient({
      connection: this.#connection(config),
      clock,
      log,
      metrics: createMetrics(),
      mayWrite: () => false,
    });
    try {
      await probe(scope, candidate);
      await new ProjectResolver({ client: candidate, clock, configured: () => config.projectId }).get(scope);
    } finally {
      candidate.destroy();
    }
  }

  #connection(config: LoadedCloudConfig): Connection {
    const { environment } = this.#options;
    return {
      url: config.apiUrl,
      apiKey: config.apiKey,
      secretKey: config.secretKey,
      verifyCertificate: !config.sslNoVerify,
      certificateAuthorities: config.certificateAuthorities,
      proxy: config.proxyUrl ? { url: config.proxyUrl } : environment && { environment },
      timeoutMs: config.timeoutMs,
    };
  }

  #cloudWatch(): CloudWatch {
    const zone = (scope: Scope): Promise<string> =>
      findZone(scope, {
        client: this.#client,
        inventory: this.#inventory,
        configured: () => this.#config.zone,
        hostNames: this.#options.hostNames ?? [],
      });
    return new CloudWatch({
      client: this.#client,
      health: this.#health,
      project: this.#project,
      version: this.#version,
      zone,
      log: this.#options.log,
    });
  }

  #configWatcher(path: string, notify: (notice: Notice) => void): CloudConfigWatcher {
    const { allowUnknownKeys, environment, log } = this.#options;
    const reloads = this.#options.metrics.counter({
      name: 'cloudstack_ccm_config_reloads_total',
      help: '[ALPHA] Changes of cloud-config that were noticed, by result: success (in use) or failure (old one kept).',
      labels: ['result'],
    });
    return new CloudConfigWatcher({
      path,
      load: { allowUnknown: allowUnknownKeys ?? false, environment },
      log,
      notify,
      current: () => this.#config,
      adopt: (scope, config) => this.reconfigure(scope, config),
      attempted: (result) => reloads.inc({ result }),
    });
  }
}

function retryCalmly(): Backoff {
  return new Backoff({ baseMs: 1000, capMs: 60_000, jitter: 0.5 });
}
