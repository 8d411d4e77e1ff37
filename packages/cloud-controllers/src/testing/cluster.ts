import { createMetrics, Scope, silentLogger, systemClock, type Metrics } from '@cloudstack-ccm/base';
import { ControlPlane } from '@cloudstack-ccm/control-plane';
import {
  Informer,
  KubernetesClient,
  loadKubeconfig,
  type Node,
  type ObjectReference,
  type Service,
} from '@cloudstack-ccm/kubernetes';
import { setTimeout } from 'node:timers/promises';

import { ScriptedCloud } from './scripted-cloud.ts';

/** A real API server for the tests of one file. */
export class TestCluster implements AsyncDisposable {
  readonly plane: ControlPlane;

  private constructor(plane: ControlPlane) {
    this.plane = plane;
  }

  static async start(): Promise<TestCluster> {
    return new TestCluster(await ControlPlane.start());
  }

  /** An empty cluster, a cloud and what a controller needs, for one test. */
  async world(): Promise<World> {
    await this.empty();
    const config = await loadKubeconfig({ kubeconfig: this.plane.kubeconfigFile() });
    return new World(this.plane, config);
  }

  /** Removes all nodes and Services, whatever holds them. */
  async empty(): Promise<void> {
    await this.#clear('/api/v1/nodes', 'nodes');
    await this.#clear('/api/v1/namespaces/default/services', 'services');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.plane.stop();
  }

  async #clear(path: string, what: string): Promise<void> {
    const { client } = this.plane;
    for (const name of namesIn(await client.get(path))) {
      if (name === 'kubernetes') continue;
      await client.patch(`${path}/${name}`, { metadata: { finalizers: null } }).catch(() => undefined);
      await client.delete(`${path}/${name}`);
    }
    await until(
      async () => namesIn(await client.get(path)).every((name) => name === 'kubernetes'),
      `no ${what} are left`,
    );
  }
}

export class World implements AsyncDisposable {
  readonly plane: ControlPlane;
  readonly cloud = new ScriptedCloud();
  readonly scope = Scope.root();
  readonly metrics: Metrics = createMetrics();
  readonly client: KubernetesClient;
  readonly nodes: Informer<Node>;
  readonly services: Informer<Service>;
  /** What was told, as `Warning Reason object: message`. */
  readonly events: string[] = [];
  readonly recorder = {
    event: (about: ObjectReference, type: string, reason: string, message: string): void => {
      this.events.push(`${type} ${reason} ${about.name}: ${message}`);
    },
  };
  /** False: another replica may lead. */
  leading = true;

  constructor(plane: ControlPlane, config: ConstructorParameters<typeof KubernetesClient>[0]['config']) {
    this.plane = plane;
    this.client = new KubernetesClient({ config, userAgent: 'test', qps: -1, metrics: this.metrics });
    this.nodes = new Informer(this.client.nodes, { log: silentLogger });
    this.services = new Informer(this.client.services, { log: silentLogger });
  }

  /** What every controller takes. */
  get common() {
    return {
      recorder: this.recorder,
      mayWrite: () => this.leading,
      clock: systemClock,
      log: silentLogger,
      metrics: this.metrics,
    };
  }

  /** Starts to follow nodes and Services; call it when the controller under test has registered its handlers. */
  async follow(): Promise<void> {
    this.nodes.start(this.scope);
    this.services.start(this.scope);
    await Promise.all([this.nodes.waitForSync(this.scope), this.services.waitForSync(this.scope)]);
  }

  async createNode(name: string, parts: NodeParts = {}): Promise<void> {
    const { labels, annotations, providerID, taints, addresses, ready } = parts;
    await this.plane.client.create('/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels, annotations },
      spec: { providerID, taints },
    });
    await this.setStatus(name, { addresses: addresses ?? [], ...(ready && { conditions: [readyCondition(ready)] }) });
  }

  async setReady(name: string, ready: Ready): Promise<void> {
    await this.setStatus(name, { conditions: [readyCondition(ready)] });
    await until(
      () => this.nodes.lister.get(name)?.status.conditions.some(({ status }) => status === ready) ?? false,
      `the informer sees ${name} as ${ready}`,
    );
  }

  async setStatus(name: string, status: object): Promise<void> {
    await this.plane.client.patch(`/api/v1/nodes/${name}/status`, { status });
  }

  patchNode(name: string, body: object): Promise<unknown> {
    return this.plane.client.patch(`/api/v1/nodes/${name}`, body);
  }

  /** The node in the API server, without the taint that admission puts on every new node. */
  async node(name: string): Promise<Node | undefined> {
    const nodes = await this.client.nodes.list(this.scope);
    const node = nodes.items.find(({ metadata }) => metadata.name === name);
    const taints = node?.spec.taints.filter(({ key }) => key !== 'node.kubernetes.io/not-ready') ?? [];
    return node && { ...node, spec: { ...node.spec, taints } };
  }

  async createService(name: string, parts: { metadata?: object; spec?: object } = {}): Promise<void> {
    await this.plane.client.create('/api/v1/namespaces/default/services', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, ...parts.metadata },
      spec: { type: 'LoadBalancer', ports: [{ name: 'http', port: 80 }], ...parts.spec },
    });
  }

  patchService(name: string, body: object): Promise<unknown> {
    return this.plane.client.patch(`/api/v1/namespaces/default/services/${name}`, body);
  }

  async deleteService(name: string): Promise<void> {
    await this.plane.client.delete(`/api/v1/namespaces/default/services/${name}`);
  }

  async service(name: string): Promise<Service | undefined> {
    const services = await this.client.services.list(this.scope, { namespace: 'default' });
    return services.items.find(({ metadata }) => metadata.name === name);
  }

  /** Waits until the informer knows the Service as the API server has it. */
  async seen(name: string): Promise<void> {
    const version = (await this.service(name))?.metadata.resourceVersion;
    await until(
      () => this.services.lister.get(`default/${name}`)?.metadata.resourceVersion === version,
      `the informer sees ${name}`,
    );
  }

  /** The events since the last time. */
  told(): string[] {
    return this.events.splice(0);
  }

  /** The value of one series of a metric, written as on `/metrics`; undefined if there is none. */
  async metric(series: string): Promise<number | undefined> {
    const { text } = await this.metrics.expose();
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length + 1));
  }

  /** Requests of our own client with this method so far. */
  async requests(method: string): Promise<number> {
    const { text } = await this.metrics.expose();
    const lines = text.split('\n').filter((line) => line.startsWith('rest_client_requests_total{'));
    return lines
      .filter((line) => line.includes(`method="${method}"`))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.scope.cancel();
    await Promise.all([this.nodes.stopped(), this.services.stopped()]);
    this.client.close();
  }
}

type Ready = 'True' | 'False' | 'Unknown';

interface NodeParts {
  readonly labels?: object;
  readonly annotations?: object;
  readonly providerID?: string;
  readonly taints?: readonly object[];
  readonly addresses?: readonly object[];
  readonly ready?: Ready;
}

function readyCondition(status: Ready): object {
  return { type: 'Ready', status, reason: 'Test', message: 'set by a test' };
}

/** Waits for something that happens in real time. @throws when it does not within 10 s. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + 10_000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`It did not come true within 10 s that ${what}`);
    await setTimeout(10);
  }
}

function namesIn(list: unknown): string[] {
  return [...JSON.stringify(list).matchAll(/"metadata":\{"name":"([^"]+)"/g)].map(([, name]) => name ?? '');
}
