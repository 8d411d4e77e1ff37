import { createMetrics, Secret, silentLogger, systemClock } from '@cloudstack-ccm/base';
import type { LoadBalancers, LoadBalancerStatus, NodeView } from '@cloudstack-ccm/cloud-controllers';
import { createCloudStackClient, type CloudStackClient, type Decorator } from '@cloudstack-ccm/cloudstack-client';
import {
  startSimulator,
  type CallEntry,
  type FaultAction,
  type Simulator,
  type SimulatorOptions,
  type World,
} from '@cloudstack-ccm/cloudstack-simulator';
import { Inventory } from '../../inventory/inventory.ts';
import { Resolver } from '../../instances/resolver.ts';
import { createLoadBalancers } from '../load-balancers.ts';
import type { LoadBalancerOptions } from '../parts.ts';
import type { TestService } from './service.ts';

export interface CloudOptions extends Pick<SimulatorOptions, 'version' | 'scene'> {
  readonly account?: string;
}

/** An isolated network with three machines, `node-1` to `node-3`, and free addresses from 203.0.113.10 on. */
export function isolatedScene(world: World): void {
  world.zone({ name: 'zone-a', publicRange: ['203.0.113.10', '203.0.113.60'] });
  world.account({ name: 'k8s' });
  world.network({ name: 'net-iso', owner: 'k8s', cidr: '10.1.1.0/24' });
  for (const name of ['node-1', 'node-2', 'node-3']) {
    world.virtualMachine({ name, owner: 'k8s', networks: ['net-iso'] });
  }
}

/** A CloudStack over TCP, and controllers that work on it one after another. */
export class Cloud {
  readonly simulator: Simulator;
  readonly #account: string;
  readonly #clients: CloudStackClient[] = [];

  private constructor(simulator: Simulator, account: string) {
    this.simulator = simulator;
    this.#account = account;
  }

  static async start({ account = 'k8s', ...options }: CloudOptions = {}): Promise<Cloud> {
    return new Cloud(await startSimulator({ scene: isolatedScene, ...options }), account);
  }

  /** A controller that has just started. */
  controller(options: { readonly decorators?: readonly Decorator[] } & Partial<LoadBalancerOptions> = {}): Controller {
    const { decorators = [], ...loadBalancerOptions } = options;
    const credentials = this.simulator.credentials.get(this.#account);
    if (!credentials) throw new Error(`no account ${this.#account}`);
    const metrics = createMetrics();
    const client = createCloudStackClient({
      connection: {
        url: this.simulator.url,
        apiKey: new Secret(credentials.apiKey),
        secretKey: new Secret(credentials.secretKey),
      },
      clock: systemClock,
      log: silentLogger,
      metrics,
      jobPace: { shortestMs: 1, expectedMs: 1 },
      decorators,
    });
    this.#clients.push(client);
    const inventory = new Inventory(client, systemClock);
    const loadBalancers = createLoadBalancers({
      client,
      inventory,
      resolver: new Resolver(inventory),
      metrics,
      version: async () => this.simulator.profile.version,
      clusterUid: async () => 'cluster-1',
      options: loadBalancerOptions,
    });
    return new Controller(loadBalancers);
  }

  /** Nodes of the machines that are there, by name. */
  nodes(...names: readonly string[]): readonly NodeView[] {
    return names.map((name) => node(name, this.machineId(name)));
  }

  machineId(name: string): string {
    const machine = this.simulator.state.virtualMachines.find((one) => one.name === name);
    if (!machine) throw new Error(`no machine ${name}`);
    return machine.id;
  }

  /** Commands that changed something since the write log was at this number. */
  writesSince(seq: number): readonly string[] {
    return this.simulator.writeLog.since(seq).map((entry) => entry.command);
  }

  callsSince(seq: number): readonly CallEntry[] {
    return this.simulator.callLog.since(seq);
  }

  get lastWrite(): number {
    return this.simulator.writeLog.last;
  }

  get lastCall(): number {
    return this.simulator.callLog.last;
  }

  /** The load balancer rules, in words: `<name> <address>:<port> → <private port> <algorithm> [members] (sources)`. */
  rules(): readonly string[] {
    const { state } = this.simulator;
    return [...state.loadBalancerRules.values()]
      .map((rule) => {
        const address = state.publicIps.get(rule.publicIpId)?.address;
        const members = rule.members
          .map((member) => state.virtualMachines.get(member.virtualMachineId)?.name ?? '?')
          .sort();
        const { name, publicPort, privatePort, algorithm, protocol = '', cidrList = '' } = rule;
        const sources = cidrList.split(/[ ,]+/).sort().join(',');
        return `${name} ${address}:${publicPort} → ${privatePort} ${protocol} ${algorithm} [${members.join()}] (${sources})`;
      })
      .sort();
  }

  /** The firewall rules, in words: `<address> <protocol> <first>-<last> <sources>`. */
  firewall(): readonly string[] {
    const { state } = this.simulator;
    return [...state.firewallRules.values()]
      .map(({ publicIpId, protocol, startPort, endPort, cidrs }) => {
        const address = state.publicIps.get(publicIpId)?.address;
        return `${address} ${protocol} ${startPort}-${endPort} ${[...cidrs].sort().join()}`;
      })
      .sort();
  }

  /** Addresses that are not free, without those of source NAT. */
  addresses(): readonly string[] {
    const taken = [...this.simulator.state.publicIps.values()].filter((ip) => ip.state !== 'Free' && !ip.isSourceNat);
    return taken.map((ip) => ip.address).sort();
  }

  /** Lets a command fail, the given number of times. */
  fail(command: string, action: FaultAction, count = Infinity): void {
    this.simulator.faults.add({ command, action, count });
  }

  reset(): void {
    this.simulator.reset();
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.destroy();
    await this.simulator.close();
  }
}

/** One process, as far as load balancers go. */
export class Controller {
  readonly loadBalancers: LoadBalancers;

  constructor(loadBalancers: LoadBalancers) {
    this.loadBalancers = loadBalancers;
  }

  ensure(service: TestService, nodes: readonly NodeView[]): Promise<LoadBalancerStatus> {
    return service.work((context, view) => this.loadBalancers.ensure(context, view, nodes));
  }

  updateMembers(service: TestService, nodes: readonly NodeView[]): Promise<void> {
    return service.work((context, view) => this.loadBalancers.updateMembers(context, view, nodes));
  }

  get(service: TestService): Promise<LoadBalancerStatus | undefined> {
    return service.work((context, view) => this.loadBalancers.get(context, view));
  }

  delete(service: TestService): Promise<void> {
    return service.work((context, view) => this.loadBalancers.delete(context, view));
  }
}

export function node(name: string, machineId: string | undefined, labels: Record<string, string> = {}): NodeView {
  const providerId = machineId === undefined ? '' : `external-cloudstack://${machineId}`;
  return { name, uid: `uid-${name}`, providerId, labels, annotations: {}, addresses: [] };
}
