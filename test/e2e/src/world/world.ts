import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asError } from '@cloudstack-ccm/base';
import { type ApiClient, freePort, Leash } from '@cloudstack-ccm/control-plane';
import type { Cloud } from './cloud.ts';
import type { Cluster } from './cluster.ts';
import { ControllerProcess } from './controller-process.ts';
import { nodeObject, nodeStatus, type NodeOptions, type Readiness } from './node-object.ts';
import {
  eventState,
  type EventState,
  itemsOf,
  nodeState,
  type NodeState,
  serviceState,
  type ServiceState,
} from './objects.ts';
import { serviceObject, sliceObject, type ServiceOptions } from './service-object.ts';

const bundle = process.env['CLOUDSTACK_CCM_BUNDLE'] ?? join(import.meta.dirname, '../../../../dist/cloudstack-ccm.js');
const NODES = '/api/v1/nodes';
const SERVICES = '/api/v1/namespaces/default/services';
const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';

export interface StartOptions {
  /** Flags besides the usual ones; the last one of a name counts. */
  readonly flags?: readonly string[];
  /** Path of the cloud-config file. Default: one with the right credentials. */
  readonly cloudConfig?: string;
  /** Environment of the process. Default: none, nothing of the test's own surroundings. */
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments of Node itself, before the program. */
  readonly nodeArgs?: readonly string[];
  /** Path of the kubeconfig file. Default: the one of the controller's service account. */
  readonly kubeconfig?: string;
}

/** A cluster, a cloud and the controllers between them. */
export class World implements AsyncDisposable {
  readonly cluster: Cluster;
  readonly cloud: Cloud;
  readonly controllers: ControllerProcess[] = [];
  /** Rejects when a controller ends that nobody told to end. */
  readonly crashed: Promise<never>;
  readonly #folder: string;
  readonly #leash: Leash;
  readonly #reportCrash: (error: Error) => void;

  constructor(cluster: Cluster, cloud: Cloud) {
    this.cluster = cluster;
    this.cloud = cloud;
    this.#folder = mkdtempSync(join(tmpdir(), 'world-'));
    this.#leash = new Leash(this.#folder);
    const { promise, reject } = Promise.withResolvers<never>();
    this.crashed = promise;
    this.#reportCrash = reject;
  }

  /** A bundle of the controller, for what `startController` does not do. */
  get program(): string {
    return bundle;
  }

  get client(): ApiClient {
    return this.cluster.client;
  }

  /** Starts a controller process; it works soon, not at once. */
  async startController(options: StartOptions = {}): Promise<ControllerProcess> {
    const { flags = [], cloudConfig, kubeconfig: given, env = {}, nodeArgs = [] } = options;
    const kubeconfig = given ?? this.cluster.controllerKubeconfig;
    const port = await freePort();
    const usual = [
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      `--cloud-config=${cloudConfig ?? this.writeCloudConfig(this.cloud.config())}`,
      '--cloud-provider=external-cloudstack',
      '--leader-elect=false',
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      '--node-monitor-period=500ms',
      '-v=4',
    ];
    const args = [...usual, ...flags];
    const controller = new ControllerProcess({ program: bundle, args, nodeArgs, env, port, leash: this.#leash });
    this.controllers.push(controller);
    void controller.ended.then(() => {
      if (!controller.told) this.#reportCrash(new Error(`controller ${controller.pid} ended by itself`));
    });
    return controller;
  }

  /** Written at once, as Kubernetes replaces mounted files. @returns the path of a cloud-config file with that text. */
  writeCloudConfig(text: string, name = 'cloud-config'): string {
    const path = join(this.#folder, name);
    writeFileSync(`${path}.next`, text, { mode: 0o600 });
    renameSync(`${path}.next`, path);
    return path;
  }

  /** Registers a node, as its kubelet does. */
  async join(name: string, options: Omit<NodeOptions, 'name'> = {}): Promise<void> {
    await this.client.create(NODES, { ...nodeObject({ name, ...options }), status: nodeStatus({ name, ...options }) });
  }

  /** Reports whether a node is ready, as its kubelet does. */
  async setReady(name: string, ready: Readiness): Promise<void> {
    await this.client.patch(`${NODES}/${name}/status`, { status: nodeStatus({ name, ready }) });
  }

  /** Deletes a node, as an administrator does. */
  async removeNode(name: string): Promise<void> {
    await this.client.delete(`${NODES}/${name}`);
  }

  async nodes(): Promise<readonly NodeState[]> {
    return itemsOf(await this.client.get(NODES)).map(nodeState);
  }

  /** @throws when there is none of that name. */
  async node(name: string): Promise<NodeState> {
    const found = await this.client.get(`${NODES}/${name}`);
    assert.ok(found, `there is no node ${name}`);
    return nodeState(found);
  }

  async createService(options: ServiceOptions): Promise<void> {
    await this.client.create(SERVICES, serviceObject(options));
  }

  /** Changes a Service by a merge patch. */
  async patchService(name: string, patch: unknown): Promise<void> {
    await this.client.patch(`${SERVICES}/${name}`, patch);
  }

  /** Writes on which nodes a Service has endpoints, and whether they are ready, as the endpoint slice controller does. */
  async setEndpoints(service: string, nodes: Readonly<Record<string, boolean>>): Promise<void> {
    const endpoints = Object.entries(nodes).map(([nodeName, ready], index) => ({
      nodeName,
      addresses: [`10.244.0.${index + 1}`],
      conditions: { ready },
    }));
    const path = `${SLICES}/${service}`;
    if (await this.client.get(path)) await this.client.patch(path, { endpoints });
    else await this.client.create(SLICES, sliceObject(service, endpoints));
  }

  async deleteService(name: string): Promise<void> {
    await this.client.delete(`${SERVICES}/${name}`);
  }

  /** @returns undefined when there is none of that name. */
  async findService(name: string): Promise<ServiceState | undefined> {
    const found = await this.client.get(`${SERVICES}/${name}`);
    return found === undefined ? undefined : serviceState(found);
  }

  /** @throws when there is none of that name. */
  async service(name: string): Promise<ServiceState> {
    const found = await this.findService(name);
    assert.ok(found, `there is no Service ${name}`);
    return found;
  }

  /** Events about an object, such as `Service web`; of all objects if none is named. */
  async events(about?: string): Promise<readonly EventState[]> {
    const events = itemsOf(await this.client.get('/api/v1/events')).map(eventState);
    return about === undefined ? events : events.filter((event) => event.about === about);
  }

  /** Reasons of the events about an object, each once. */
  async reasons(about: string): Promise<readonly string[]> {
    return [...new Set((await this.events(about)).map(({ reason }) => reason))].sort();
  }

  /** How often something happened to an object, by the events about it. */
  async count(about: string, reason: string): Promise<number> {
    const events = (await this.events(about)).filter((event) => event.reason === reason);
    return events.reduce((sum, { count }) => sum + count, 0);
  }

  /** All that helps to understand a failure. */
  async story(): Promise<string> {
    const events = await this.events().catch((thrown: unknown) => [asError(thrown).message]);
    return [
      ...this.controllers.map(
        (controller) => `--- controller ${controller.pid}, ${controller.state}, its last lines:\n${controller.tail()}`,
      ),
      `--- events:\n${events.map((event) => JSON.stringify(event)).join('\n')}`,
      `--- calls that changed the cloud:\n${this.cloud.writes().join('\n')}`,
      `--- rules:\n${JSON.stringify(this.cloud.rules(), undefined, 1)}`,
    ].join('\n');
  }

  /**
   * Ends everything, and makes sure of what holds in every scenario: controllers run until they are told to end, then
   * end well, and nobody has seen a secret.
   */
  async close(): Promise<void> {
    const running = this.controllers.filter((controller) => !controller.told);
    const exits = await Promise.all(running.map((controller) => controller.stop()));
    const events = JSON.stringify(await this.events().catch(() => []));
    await this.#end();
    assert.deepEqual(
      exits,
      exits.map(() => ({ code: 0, signal: null })),
      'a controller did not end well',
    );
    this.#assertNoSecrets(events);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.controllers.map((controller) => controller.stop('SIGKILL')));
    await this.#end();
  }

  async #end(): Promise<void> {
    await Promise.all([this.cloud[Symbol.asyncDispose](), this.cluster[Symbol.asyncDispose]()]);
    await this.#leash.close();
  }

  #assertNoSecrets(events: string): void {
    const secrets = [...this.cluster.secrets, ...this.cloud.secrets];
    for (const text of [events, ...this.controllers.map(({ output }) => output)]) {
      const lines = text.split('\n').filter((line) => secrets.some((secret) => line.includes(secret)));
      assert.equal(lines.length, 0, `a secret was printed on ${lines.length} lines`);
      assert.doesNotMatch(text, /signature=(?!<redacted>)/i, 'a signed URL was printed');
    }
  }
}
