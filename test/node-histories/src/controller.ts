import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, createMetrics, klogSink, Scope } from '@cloudstack-ccm/base';
import { Manager, readCommandLine } from '@cloudstack-ccm/cloud-controllers';
import {
  createCloudStackCloud,
  loadCloudConfig,
  type CloudStackCloud,
  type LoadedCloudConfig,
} from '@cloudstack-ccm/cloudstack-provider';
import { KubernetesClient } from '@cloudstack-ccm/kubernetes';
import type { Chance } from './chance.ts';
import { STRANGER, TENANT, type Machines } from './machines.ts';
import type { Nodes } from './nodes.ts';
import type { StoryTime } from './story-time.ts';

/** Whom the controller asks as: itself, another account, or without the project that its machines are in. */
export type Eyes = 'right' | 'another-account' | 'no-project';

export const USER_AGENT = 'history';

const FLAGS = [
  '--cloud-provider=external-cloudstack',
  '--secure-port=0',
  '--controllers=cloud-node-controller,cloud-node-lifecycle-controller',
  '--node-status-update-frequency=60s',
  '--leader-elect-lease-duration=60s',
  '--leader-elect-renew-deadline=40s',
  '--leader-elect-retry-period=20s',
];

/** Lines of the log that a failure shows. */
const KEPT_LINES = 4000;

interface Parts {
  readonly machines: Machines;
  readonly nodes: Nodes;
  readonly time: StoryTime;
  readonly chance: Chance;
}

interface Running {
  readonly cloud: CloudStackCloud;
  readonly stop: Scope;
  readonly ended: Promise<void>;
  over: boolean;
}

/** The controller of one history: the real manager and the real provider, restarted as often as the history wants. */
export class Controller implements AsyncDisposable {
  readonly lines: string[] = [];
  readonly #parts: Parts;
  readonly #folder = mkdtempSync(join(tmpdir(), 'node-history-'));
  #running: Running | undefined;
  #eyes: Eyes = 'right';

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get eyes(): Eyes {
    return this.#eyes;
  }

  /** False after it lost the lease, or could not start: whoever runs it starts it again. */
  get runs(): boolean {
    return this.#running !== undefined && !this.#running.over;
  }

  async start(): Promise<void> {
    const { machines, nodes, time, chance } = this.#parts;
    const log = this.#log();
    const { options } = readCommandLine(FLAGS);
    const metrics = createMetrics();
    const client = new KubernetesClient({
      config: clusterAt(nodes.simulator.url),
      userAgent: USER_AGENT,
      clock: time,
      qps: -1,
      log,
      metrics,
    });
    const mayWrite = (): boolean => manager.mayWrite();
    const config = await this.#config(this.#eyes);
    const clusterUid = async (): Promise<string> => 'cluster';
    const cloud = createCloudStackCloud({ config, clock: time, log, metrics, mayWrite, clusterUid });
    const manager: Manager = new Manager({
      options,
      build: { version: 'v0.0.0', commit: '', buildDate: '' },
      cloud,
      client,
      reviewers: { authentication: undefined, authorization: undefined },
      log,
      verbosity: { level: 2 },
      metrics,
      clock: time,
      random: chance.next,
    });
    const stop = Scope.root(time);
    const running: Running = { cloud, stop, over: false, ended: manager.run(stop) };
    running.ended
      .catch((thrown: unknown) => log.error('The controller ended', thrown))
      .finally(() => (running.over = true));
    this.#running = running;
    machines.simulator.callLog.clear();
  }

  /** Ends it in order, as at an update. */
  async stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#running = undefined;
    running.stop.cancel();
    await this.#parts.time.until(running.ended.catch(() => undefined));
    await this.#parts.time.until(running.cloud.close());
  }

  /** Another replica has the lease: it ends at once, in whatever it was doing. */
  loseLease(): void {
    const lease = { resource: 'leases', namespace: 'kube-system', name: 'cloud-controller-manager' };
    const { objects } = this.#parts.nodes.simulator;
    if (!objects.get(lease)) return;
    objects.patch(lease, { spec: { holderIdentity: 'another-replica', leaseDurationSeconds: 1 } });
  }

  /** Puts other credentials, or another project, into the cloud-config while the controller runs. */
  async see(eyes: Eyes): Promise<void> {
    this.#eyes = eyes;
    const running = this.#running;
    if (!running) return;
    const config = await this.#config(eyes);
    const log = this.#log();
    const work = running.cloud.reconfigure(running.stop, config);
    await this.#parts.time.until(work.catch((thrown: unknown) => log.error('Kept the old cloud-config', thrown)));
  }

  async restartWith(eyes: Eyes): Promise<void> {
    this.#eyes = eyes;
    await this.stop();
    await this.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #config(eyes: Eyes): Promise<LoadedCloudConfig> {
    const { simulator, projectId } = this.#parts.machines;
    const keys = simulator.credentials.get(eyes === 'another-account' ? STRANGER : TENANT);
    if (!keys) throw new Error('the cloud has no such account');
    const project = projectId !== undefined && eyes === 'right' ? `project-id = ${projectId}\n` : '';
    const text = `[Global]\napi-url = ${simulator.url}\napi-key = ${keys.apiKey}\nsecret-key = ${keys.secretKey}\n${project}`;
    const path = join(this.#folder, 'cloud-config');
    writeFileSync(path, text, { mode: 0o600 });
    return (await loadCloudConfig(path)).config;
  }

  #log() {
    const { time } = this.#parts;
    const write = (line: string): void => {
      if (this.lines.length < KEPT_LINES) this.lines.push(line.trimEnd());
    };
    return createLogger({ sink: klogSink(write), verbosity: { level: 2 }, now: () => time.now() });
  }
}

function clusterAt(server: string) {
  const tls = { ca: undefined, insecureSkipVerify: false, serverName: undefined, clientCertificate: undefined };
  return { server, tls, token: undefined, namespace: 'default', origin: 'history' };
}
