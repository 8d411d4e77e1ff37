import { createMetrics, type Clock, Scope, Secret, silentLogger, systemClock } from '@cloudstack-ccm/base';
import type { LoadBalancers, LoadBalancerStatus, NodeView } from '@cloudstack-ccm/cloud-controllers';
import {
  completed,
  createCloudStackClient,
  type CloudStackClient,
  type Decorator,
} from '@cloudstack-ccm/cloudstack-client';
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
  /** Name of the project that everything belongs to. Default none. */
  readonly project?: string;
}

export interface ControllerOptions extends Partial<LoadBalancerOptions> {
  readonly clock?: Clock;
  readonly decorators?: readonly Decorator[];
  /** Numbers in [0, 1). Default always the same, so that a free address it takes is never one that a test asks for. */
  readonly random?: () => number;
  /** Whose keys it has. Default those of the cloud's account. */
  readonly account?: string;
  /** The project that its cloud-config names; undefined for none. Default that of the cloud. */
  readonly project?: string | undefined;
}

export interface HandMade {
  readonly protocol?: string;
  readonly port?: number;
  readonly privatePort?: number;
  /** Names of machines. */
  readonly members?: readonly string[];
  /** Taken if it is free. Default any. */
  readonly address?: string;
  /** Whether the port is opened for everybody. */
  readonly firewall?: boolean;
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

/** The same network and machines, of a project `team` of the account. */
export function projectScene(world: World): void {
  world.zone({ name: 'zone-a', publicRange: ['203.0.113.10', '203.0.113.60'] });
  world.account({ name: 'k8s' });
  world.project({ name: 'team', owner: 'k8s' });
  world.network({ name: 'net-iso', owner: 'team', cidr: '10.1.1.0/24' });
  for (const name of ['node-1', 'node-2', 'node-3']) {
    world.virtualMachine({ name, owner: 'team', networks: ['net-iso'] });
  }
}

const takesTheLastFree = (): number => 0.999;

/** A CloudStack over TCP, and controllers that work on it one after another. */
export class Cloud {
  readonly simulator: Simulator;
  readonly #account: string;
  readonly #projectId: string | undefined;
  readonly #clients: CloudStackClient[] = [];
  #byHand: CloudStackClient | undefined;

  private constructor(simulator: Simulator, account: string, project: string | undefined) {
    this.simulator = simulator;
    this.#account = account;
    this.#projectId = simulator.state.projects.find((one) => one.name === project)?.id;
  }

  static async start({ account = 'k8s', project, ...options }: CloudOptions = {}): Promise<Cloud> {
    return new Cloud(await startSimulator({ scene: isolatedScene, ...options }), account, project);
  }

  /** A controller that has just started. */
  controller(options: ControllerOptions = {}): Controller {
    const {
      decorators,
      random = takesTheLastFree,
      account,
      project,
      clock = systemClock,
      ...loadBalancerOptions
    } = options;
    const projectId = 'project' in options ? this.#idOfProject(project) : this.#projectId;
    const client = this.#connect(projectId, {
      clock,
      ...(decorators && { decorators }),
      ...(account !== undefined && { account }),
    });
    const inventory = new Inventory(client, systemClock);
    const loadBalancers = createLoadBalancers({
      client,
      inventory,
      resolver: new Resolver(inventory),
      clock,
      metrics: createMetrics(),
      version: async () => this.simulator.profile.version,
      projectId: async () => projectId,
      clusterUid: async () => 'cluster-1',
      options: loadBalancerOptions,
      random,
    });
    return new Controller(loadBalancers);
  }

  #idOfProject(project: string | undefined): string | undefined {
    return this.simulator.state.projects.find((one) => one.name === project)?.id;
  }

  #connect(
    projectId: string | undefined,
    {
      clock = systemClock,
      decorators = [],
      account = this.#account,
    }: Pick<ControllerOptions, 'clock' | 'decorators' | 'account'> = {},
  ): CloudStackClient {
    const credentials = this.simulator.credentials.get(account);
    if (!credentials) throw new Error(`no account ${account}`);
    const client = createCloudStackClient({
      connection: {
        url: this.simulator.url,
        apiKey: new Secret(credentials.apiKey),
        secretKey: new Secret(credentials.secretKey),
      },
      clock,
      log: silentLogger,
      metrics: createMetrics(),
      project: async () => projectId,
      rateLimit: { perSecond: 0 },
      jobPace: { shortestMs: 1, expectedMs: 1 },
      decorators,
    });
    this.#clients.push(client);
    return client;
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

  /** The rule of a public port, as it is stored. */
  ruleOf(publicPort: number) {
    return this.simulator.state.loadBalancerRules.find((rule) => rule.publicPort === publicPort);
  }

  ruleIds(): readonly string[] {
    return [...this.simulator.state.loadBalancerRules.values()].map((rule) => rule.id);
  }

  /** Names of the members of the only rule. */
  members(): readonly string[] {
    const [only = '', ...others] = this.rules();
    if (others.length > 0) throw new Error('there are several rules');
    return /\[(.*)\]/.exec(only)?.[1]?.split(',') ?? [];
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

  /** Commands as the account's own user gives them, by hand. */
  get client(): CloudStackClient {
    return (this.#byHand ??= this.#connect(this.#projectId));
  }

  /** A rule with its address and opening, as an earlier controller or a person leaves them. */
  async handMade(
    name: string,
    { protocol = 'tcp', port = 80, privatePort = 31_080, members = [], address, firewall = true }: HandMade = {},
  ): Promise<{ readonly address: string; readonly addressId: string; readonly ruleId: string }> {
    using scope = Scope.root();
    const { client } = this;
    const networkId = this.networkId('net-iso');
    const known = this.simulator.state.publicIps.find((one) => one.address === address && one.state === 'Allocated');
    const { id: publicIpId, ipAddress } = known
      ? { id: known.id, ipAddress: known.address }
      : await completed(scope, client.associateIpAddress(scope, { networkId, ipAddress: address }));
    const rule = { name, protocol, algorithm: 'roundrobin', publicIpId, publicPort: port, privatePort };
    const { id } = await completed(scope, client.createLoadBalancerRule(scope, { ...rule, openFirewall: false }));
    const virtualMachineIds = members.map((member) => this.machineId(member));
    if (members.length > 0) await completed(scope, client.assignToLoadBalancerRule(scope, { id, virtualMachineIds }));
    if (firewall) await this.openByHand(ipAddress, port, ['0.0.0.0/0']);
    return { address: ipAddress, addressId: publicIpId, ruleId: id };
  }

  /** Takes an address as a person does. @returns its id */
  async associateByHand(ipAddress: string, network = 'net-iso'): Promise<string> {
    using scope = Scope.root();
    const networkId = this.networkId(network);
    return (await completed(scope, this.client.associateIpAddress(scope, { networkId, ipAddress }))).id;
  }

  /** @returns the id of the firewall rule */
  async openByHand(
    address: string,
    ports: number | readonly [number, number],
    cidrList: readonly string[],
  ): Promise<string> {
    using scope = Scope.root();
    const [startPort, endPort] = typeof ports === 'number' ? [ports, ports] : ports;
    const opening = { ipAddressId: this.addressId(address), protocol: 'tcp', startPort, endPort } as const;
    return (await completed(scope, this.client.createFirewallRule(scope, { ...opening, cidrList }))).id;
  }

  addressId(address: string): string {
    const found = this.simulator.state.publicIps.find((one) => one.address === address);
    if (!found) throw new Error(`no address ${address}`);
    return found.id;
  }

  networkId(name: string): string {
    const found = this.simulator.state.networks.find((one) => one.name === name);
    if (!found) throw new Error(`no network ${name}`);
    return found.id;
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

  updateMembers(service: TestService, nodes: readonly NodeView[]): Promise<readonly string[]> {
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
