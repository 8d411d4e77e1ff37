import { type Clock, type Logger, silentLogger, systemClock } from '@cloudstack-ccm/base';
import { Authenticator } from './access/authenticator.ts';
import { Authorizer } from './access/authorizer.ts';
import { anonymousAdministrator, type TokenUser } from './access/user.ts';
import { Faults } from './faults/faults.ts';
import { LiveWatches } from './faults/live-watches.ts';
import { type HandlerContext, handleRequest } from './http/request-handler.ts';
import type { ClusterSettings } from './kinds/strategy.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { Objects } from './objects.ts';
import type { Registry } from './registry/registry.ts';
import { LoopbackServer, type TlsMaterial } from './server.ts';
import { Store } from './store/store.ts';
import { WriteLog } from './write-log.ts';

export interface SimulatorOptions {
  /** For timestamps, ages, watch timeouts, bookmarks and delays. Default: the system's. */
  readonly clock?: Clock;
  /** Default 0: any port that is free. */
  readonly port?: number;
  /** Serves HTTPS. Default: plain HTTP. */
  readonly tls?: TlsMaterial;
  /**
   * Bearer tokens and whom they stand for. With them, every request needs a token or a client certificate, and RBAC
   * decides. Default: everybody is administrator.
   */
  readonly tokens?: Readonly<Record<string, TokenUser>>;
  /** Differences from a cluster with default settings. */
  readonly settings?: Partial<ClusterSettings>;
  /** Changes that each resource remembers for watches. Default 10,000. */
  readonly historyLimit?: number;
  /** How often a watch that wants bookmarks gets one. Default one minute, as in a real API server. */
  readonly bookmarkIntervalMs?: number;
  /** Numbers in [0, 1), for generated names and addresses. Default Math.random. */
  readonly random?: () => number;
  readonly log?: Logger;
}

export interface KubernetesSimulator {
  /** For example `http://127.0.0.1:40123`. */
  readonly url: string;
  /** Direct access for tests: neither access rules nor faults apply. */
  readonly objects: Objects;
  readonly faults: Faults;
  readonly writeLog: WriteLog;
  /** Watches that are open now. */
  readonly openWatches: number;
  /**
   * A kubeconfig as YAML text.
   * @param user one of those that the tokens stand for; not needed where nobody has to show who they are.
   */
  kubeconfig(user?: string): string;
  /** Forgets history: a watch from before gets 410 when it comes back. */
  compact(): void;
  /** Breaks all connections, is away for a while, and comes back on the same port with the same objects. */
  restart(options?: RestartOptions): Promise<void>;
  /** Breaks all connections and ends. May be called twice. */
  close(): Promise<void>;
}

export interface RestartOptions {
  /** How long nothing listens, in milliseconds by the simulator's clock. Default 0. */
  readonly downMs?: number;
  /** Forget history, as a real API server does when it restarts. Default true. */
  readonly compact?: boolean;
}

const SETTINGS: ClusterSettings = {
  serviceCidr: '10.96.0.0/16',
  nodePortRange: [30_000, 32_767],
  taintNewNodes: false,
};

/** Starts a Kubernetes API server in this process, with the objects that a new cluster has. */
export async function startKubernetesSimulator(options: SimulatorOptions = {}): Promise<KubernetesSimulator> {
  const simulator = new Simulator(options);
  await simulator.open();
  return simulator;
}

class Simulator implements KubernetesSimulator {
  readonly objects: Objects;
  readonly faults: Faults;
  readonly writeLog = new WriteLog();
  readonly #options: SimulatorOptions;
  readonly #clock: Clock;
  readonly #store: Store;
  readonly #watches = new LiveWatches();
  readonly #authenticator: Authenticator;
  readonly #server: LoopbackServer;

  constructor(options: SimulatorOptions) {
    const {
      clock = systemClock,
      random = Math.random,
      historyLimit = 10_000,
      port = 0,
      tls,
      tokens,
      settings,
    } = options;
    this.#options = options;
    this.#clock = clock;
    this.#store = new Store(historyLimit);
    this.#authenticator = new Authenticator(tokens);
    this.faults = new Faults(this.#watches);
    const registry: Registry = { store: this.#store, clock, random, settings: { ...SETTINGS, ...settings } };
    this.objects = new Objects(registry);
    const context = this.#context(registry);
    this.#server = new LoopbackServer((request, response) => void handleRequest(context, request, response), port, tls);
  }

  get url(): string {
    return this.#server.url;
  }

  get openWatches(): number {
    return this.#watches.size;
  }

  async open(): Promise<void> {
    this.objects.seedCluster();
    await this.#server.open();
  }

  kubeconfig(user: string = anonymousAdministrator.name): string {
    const token = this.#authenticator.tokenOf(user);
    return writeKubeconfig({ server: this.url, user, token, authority: this.#options.tls?.authority });
  }

  compact(): void {
    this.#store.compact();
  }

  async restart({ downMs = 0, compact = true }: RestartOptions = {}): Promise<void> {
    await this.#server.close();
    if (compact) this.#store.compact();
    if (downMs > 0) await new Promise<void>((resolve) => void this.#clock.setTimer(downMs, resolve));
    await this.#server.open();
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #context(registry: Registry): HandlerContext {
    const { bookmarkIntervalMs = 60_000, log = silentLogger } = this.#options;
    return {
      ...registry,
      registry,
      bookmarkIntervalMs,
      log,
      watches: this.#watches,
      faults: this.faults,
      writeLog: this.writeLog,
      authenticator: this.#authenticator,
      authorizer: new Authorizer(this.#store, (user) => this.#authenticator.rulesOf(user)),
    };
  }
}
