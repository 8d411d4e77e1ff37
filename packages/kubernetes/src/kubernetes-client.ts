import {
  type Clock,
  type Logger,
  type Metrics,
  type Scope,
  type Secret,
  silentLogger,
  systemClock,
  TokenBucket,
} from '@cloudstack-ccm/base';
import type { ClusterConfig } from './auth/cluster-config.ts';
import { type EndpointSlice, ENDPOINT_SLICES } from './objects/endpoint-slice.ts';
import { type Event, EVENTS } from './objects/event.ts';
import type { Kind } from './objects/kind.ts';
import { type Lease, LEASES } from './objects/lease.ts';
import type { KubernetesObject } from './objects/metadata.ts';
import { type Node, NODES } from './objects/node.ts';
import { CONFIG_MAPS, type ConfigMap, type Namespace, NAMESPACES, type Pod, PODS } from './objects/others.ts';
import {
  decodeAccessReview,
  decodeTokenReview,
  type SubjectAccessReviewSpec,
  type SubjectAccessReviewStatus,
  type TokenReviewStatus,
} from './objects/reviews.ts';
import { type Service, SERVICES } from './objects/service.ts';
import { ResourceClient } from './resource-client.ts';
import { ApiCaller } from './transport/api-caller.ts';
import { ClientMetrics } from './transport/client-metrics.ts';
import { Connections } from './transport/connections.ts';

export interface ClientLimits {
  /** Requests per second on average; negative: no limit; 0: 5, client-go's default. Default 20. */
  readonly qps?: number;
  /** Requests at once. Default 30. */
  readonly burst?: number;
  /** Deadline of a call in milliseconds, all waiting and retries included. Default 30,000. */
  readonly timeoutMs?: number;
}

export interface KubernetesClientOptions extends ClientLimits {
  readonly config: ClusterConfig;
  /** For example `cloudstack-ccm/v1.0.0 (linux/amd64) kubernetes/abc1234`; `named` appends its name. */
  readonly userAgent: string;
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly metrics?: Metrics;
}

const DEFAULTS = { qps: 20, burst: 30, timeoutMs: 30_000 };

/** client-go reads 0 as "not set". */
const QPS_WHEN_ZERO = 5;

/** One user of one API server. Clients made by `named` share its connections. */
export class KubernetesClient {
  readonly nodes: ResourceClient<Node>;
  readonly services: ResourceClient<Service>;
  readonly leases: ResourceClient<Lease>;
  readonly events: ResourceClient<Event>;
  readonly endpointSlices: ResourceClient<EndpointSlice>;
  readonly pods: ResourceClient<Pod>;
  readonly configMaps: ResourceClient<ConfigMap>;
  readonly namespaces: ResourceClient<Namespace>;
  readonly #options: KubernetesClientOptions;
  readonly #connections: Connections;
  readonly #metrics: ClientMetrics;
  readonly #caller: ApiCaller;

  constructor(options: KubernetesClientOptions, shared?: Connections) {
    const { config, userAgent, clock = systemClock, log = silentLogger, timeoutMs = DEFAULTS.timeoutMs } = options;
    this.#options = options;
    this.#connections = shared ?? new Connections(config, clock);
    this.#metrics = new ClientMetrics(this.#connections.host, options.metrics);
    this.#caller = new ApiCaller({
      connections: this.#connections,
      token: config.token,
      userAgent,
      bucket: bucketOf(clock, options),
      timeoutMs,
      metrics: this.#metrics,
      log,
      clock,
    });
    this.nodes = this.resource(NODES);
    this.services = this.resource(SERVICES);
    this.leases = this.resource(LEASES);
    this.events = this.resource(EVENTS);
    this.endpointSlices = this.resource(ENDPOINT_SLICES);
    this.pods = this.resource(PODS);
    this.configMaps = this.resource(CONFIG_MAPS);
    this.namespaces = this.resource(NAMESPACES);
  }

  /** A client for a kind that this package does not know. */
  resource<T extends KubernetesObject>(kind: Kind<T>): ResourceClient<T> {
    return new ResourceClient(this.#caller, kind);
  }

  /** The same user on the same connections, with a rate limit of its own and `/<name>` after the user agent. */
  named(name: string, limits: ClientLimits = {}): KubernetesClient {
    const options = { ...this.#options, ...limits, userAgent: `${this.#options.userAgent}/${name}` };
    return new KubernetesClient(options, this.#connections);
  }

  /** Asks who a bearer token belongs to. Throws as ResourceClient's methods do. */
  async reviewToken(scope: Scope, token: Secret, audiences: readonly string[] = []): Promise<TokenReviewStatus> {
    const spec = { token: token.reveal(), ...(audiences.length > 0 && { audiences }) };
    return decodeTokenReview(await this.#review(scope, 'authentication.k8s.io', 'TokenReview', spec));
  }

  /** Asks whether a user may do something. Throws as ResourceClient's methods do. */
  async reviewAccess(scope: Scope, spec: SubjectAccessReviewSpec): Promise<SubjectAccessReviewStatus> {
    return decodeAccessReview(await this.#review(scope, 'authorization.k8s.io', 'SubjectAccessReview', spec));
  }

  /** @throws when the API server does not answer `/healthz` with ok. */
  async health(scope: Scope): Promise<void> {
    await this.#caller.text(scope, { method: 'GET', path: '/healthz' });
  }

  /** Asks every second. @throws the last error when the API server is not healthy after `timeoutMs`. */
  async waitUntilHealthy(scope: Scope, timeoutMs = 10_000): Promise<void> {
    const endsAt = scope.clock.monotonic() + timeoutMs;
    for (;;) {
      try {
        return await this.health(scope);
      } catch (thrown) {
        if (scope.cancelled || scope.clock.monotonic() + 1000 > endsAt) throw thrown;
      }
      await scope.sleep(1000);
    }
  }

  /** Closes the connections, those of `named` clients included. */
  close(): void {
    this.#connections.close();
  }

  /** A review changes nothing, so unlike other POSTs it may be sent again. */
  #review(scope: Scope, group: string, kind: string, spec: object): Promise<unknown> {
    return this.#caller.json(scope, {
      method: 'POST',
      path: `/apis/${group}/v1/${kind.toLowerCase()}s`,
      body: { apiVersion: `${group}/v1`, kind, spec },
      repeatable: true,
    });
  }
}

function bucketOf(clock: Clock, { qps = DEFAULTS.qps, burst = DEFAULTS.burst }: ClientLimits): TokenBucket {
  return new TokenBucket(clock, qps === 0 ? QPS_WHEN_ZERO : qps, burst);
}
