import {
  createLogger,
  createMetrics,
  type LogRecord,
  type Metrics,
  Scope,
  Secret,
  systemClock,
} from '@cloudstack-ccm/base';
import type { NodeView } from '@cloudstack-ccm/cloud-controllers';
import {
  startSimulator,
  type Simulator,
  type SimulatorOptions,
  type World,
} from '@cloudstack-ccm/cloudstack-simulator';
import { readCloudConfig } from '../cloud-config/cloud-config.ts';
import type { LoadedCloudConfig } from '../cloud-config/load.ts';
import { createCloudStackCloud, type CloudStackCloud, type CloudStackCloudOptions } from '../cloudstack-cloud.ts';

/** An isolated network with three machines, `node-1` to `node-3`. */
function threeMachines(world: World): void {
  world.zone({ name: 'zone-a' });
  world.account({ name: 'k8s' });
  world.account({ name: 'other' });
  world.network({ name: 'net-iso', owner: 'k8s', cidr: '10.1.1.0/24' });
  for (const name of ['node-1', 'node-2', 'node-3'])
    world.virtualMachine({ name, owner: 'k8s', networks: ['net-iso'] });
}

interface TestCloudOptions extends Pick<SimulatorOptions, 'scene' | 'version' | 'versionText'> {
  readonly account?: string;
  /** Further lines of the cloud-config. */
  readonly config?: string;
  readonly more?: Partial<CloudStackCloudOptions>;
}

/** A CloudStack over TCP, and a cloud in front of it. */
export class TestCloud implements AsyncDisposable {
  readonly simulator: Simulator;
  readonly cloud: CloudStackCloud;
  readonly lines: LogRecord[] = [];
  readonly metrics: Metrics = createMetrics();
  readonly scope: Scope = Scope.root();

  private constructor(simulator: Simulator, { account = 'k8s', config = '', more = {} }: TestCloudOptions) {
    this.simulator = simulator;
    this.cloud = createCloudStackCloud({
      config: this.config(account, config),
      clock: systemClock,
      log: createLogger({ sink: (line) => this.lines.push(line), verbosity: { level: 10 }, now: () => Date.now() }),
      metrics: this.metrics,
      mayWrite: () => true,
      clusterUid: async () => 'cluster-1',
      ...more,
    });
  }

  static async start(options: TestCloudOptions = {}): Promise<TestCloud> {
    const { scene = threeMachines, version, versionText } = options;
    const simulator = await startSimulator({
      scene,
      ...(version !== undefined && { version }),
      ...(versionText !== undefined && { versionText }),
    });
    return new TestCloud(simulator, options);
  }

  /** The text of a cloud-config with an account's keys. */
  configText(account: string, more = ''): string {
    const credentials = this.simulator.credentials.get(account);
    if (!credentials) throw new Error(`no account ${account}`);
    const { apiKey, secretKey } = credentials;
    return `[Global]\napi-url = ${this.simulator.url}\napi-key = ${apiKey}\nsecret-key = ${secretKey}\n${more}`;
  }

  config(account: string, more = ''): LoadedCloudConfig {
    const text = this.configText(account, more);
    const { config } = readCloudConfig(text, { file: 'cloud-config' });
    return { ...config, source: new Secret(JSON.stringify([text])) };
  }

  /** A node whose provider ID names the machine of that name. */
  node(name: string): NodeView {
    return node(name, `external-cloudstack://${this.machineId(name)}`);
  }

  nodes(...names: readonly string[]): readonly NodeView[] {
    return names.map((name) => this.node(name));
  }

  machineId(name: string): string {
    const machine = this.simulator.state.virtualMachines.find((one) => one.name === name);
    if (!machine) throw new Error(`no machine ${name}`);
    return machine.id;
  }

  /** Changes a machine's row behind the API's back. */
  change(name: string, changes: Readonly<Record<string, unknown>>): void {
    this.simulator.state.virtualMachines.update(this.machineId(name), changes);
  }

  /** Commands since the call log was at this number. */
  commandsSince(seq: number): readonly string[] {
    return this.simulator.callLog.since(seq).map(({ command }) => command);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.scope.cancel();
    await this.cloud.close();
    await this.simulator.close();
  }
}

export function node(name: string, providerId = ''): NodeView {
  return { name, uid: `uid-${name}`, providerId, labels: {}, annotations: {}, addresses: [] };
}
