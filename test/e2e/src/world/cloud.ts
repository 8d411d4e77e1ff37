import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  type CallEntry,
  sign,
  type Simulator,
  startSimulator,
  type World as Scene,
} from '@cloudstack-ccm/cloudstack-simulator';
import { Gate } from './gate.ts';
import { waitFor } from './wait-for.ts';

type VirtualMachine = NonNullable<ReturnType<Simulator['state']['virtualMachines']['get']>>;

export interface CloudOptions {
  /** Names of the machines that are there from the start. Default `node-1`, `node-2` and `node-3`. */
  readonly machines?: readonly string[];
  /** The release to behave like. Default 4.20, the one whose answers were recorded. */
  readonly version?: string;
  /** Machines and network belong to a project of the account. Default false. */
  readonly inProject?: boolean;
  /** The keys of the account. Default: some that are easy to write into a URL. */
  readonly keys?: { readonly apiKey: string; readonly secretKey: string };
}

export interface Machine {
  readonly id: string;
  readonly address: string;
}

export interface RuleState {
  readonly name: string;
  readonly address: string;
  readonly protocol: string;
  readonly publicPort: number;
  readonly privatePort: number;
  readonly sources: string;
  /** Names of the machines, sorted. */
  readonly members: readonly string[];
  /** Where traffic goes, sorted. */
  readonly memberAddresses: readonly string[];
}

export interface ConfigOptions {
  readonly apiKey?: string;
  readonly secretKey?: string;
  /** False leaves out the project that the machines are in. Default true. */
  readonly project?: boolean;
}

export interface StrangerOptions {
  /** Name of a new domain to be in. Default: the domain of the cluster's account. */
  readonly domain?: string;
  /** Names of its own machines. Default none. */
  readonly machines?: readonly string[];
  /** False for a role that may not list machines. Default true. */
  readonly mayList?: boolean;
}

const STRANGER = 'stranger';
const ACCOUNT = 'tenant';
const NETWORK = 'cluster-network';
const PROJECT = 'cluster-project';

/** A CloudStack with one isolated network in it, reached over TCP by an ordinary user's keys. */
export class Cloud implements AsyncDisposable {
  readonly simulator: Simulator;
  readonly #scene: Scene;
  readonly #gate: Gate;
  #stopped: Promise<void> | undefined;

  private constructor(simulator: Simulator, scene: Scene, gate: Gate) {
    this.simulator = simulator;
    this.#scene = scene;
    this.#gate = gate;
  }

  static async start(options: CloudOptions = {}): Promise<Cloud> {
    const { machines = ['node-1', 'node-2', 'node-3'], version = '4.20', inProject = false, keys } = options;
    let built: Scene | undefined;
    const simulator = await startSimulator({
      version,
      scene: (scene) => build((built = scene), { machines, inProject, keys }),
    });
    assert.ok(built);
    return new Cloud(simulator, built, await Gate.before(simulator.port));
  }

  /** The text of a cloud-config file, with the right keys unless others are given. */
  config({ apiKey = this.#keys.apiKey, secretKey = this.#keys.secretKey, project = true }: ConfigOptions = {}): string {
    const id = this.simulator.state.projects.find(({ name }) => name === PROJECT)?.id;
    const projectLine = project && id !== undefined ? `project-id = ${id}\n` : '';
    const url = `http://127.0.0.1:${this.#gate.port}/client/api`;
    return `[Global]\napi-url = ${url}\napi-key = ${apiKey}\nsecret-key = ${secretKey}\n${projectLine}`;
  }

  /** Keys of another account, which sees nothing of this cluster. */
  strangerConfig({ domain, machines = [], mayList = true }: StrangerOptions = {}): string {
    const rules = [{ command: 'listVirtualMachines', allow: false }];
    const path = domain === undefined ? 'ROOT' : this.#scene.domain({ name: domain }).path;
    const role = mayList ? {} : { rules };
    const { apiKey, secretKey } = this.#scene.account({ name: STRANGER, domain: path, ...role });
    const owner = `${path}/${STRANGER}`;
    if (machines.length > 0) this.#scene.network({ name: 'network of a stranger', owner, cidr: '10.9.0.0/24' });
    for (const name of machines) {
      this.#scene.virtualMachine({ name, owner, networks: ['network of a stranger'] });
    }
    return this.config({ apiKey, secretKey, project: false });
  }

  /** Keys of the root administrator, who sees all machines, on which host they run, and those that are destroyed. */
  rootConfig(): string {
    const keys = this.#scene.credentials.get('admin');
    assert.ok(keys);
    return this.config(keys);
  }

  /** The right keys, with a project of the account in which there is nothing. */
  emptyProjectConfig(): string {
    const { id } = this.#scene.project({ name: 'empty', owner: ACCOUNT });
    return `${this.config()}project-id = ${id}\n`;
  }

  /** Other keys of the same account: those of a second user in it. */
  secondConfig(): string {
    const { users, accounts } = this.simulator.state;
    const accountId = accounts.find(({ name }) => name === ACCOUNT)?.id;
    const first = users.find((user) => user.accountId === accountId);
    assert.ok(first);
    const keys = { apiKey: 'second-api-key-0123456789', secretKey: 'second-secret-key-0123456789' };
    users.add({ ...first, ...keys, id: randomUUID(), username: 'second' });
    return this.config(keys);
  }

  /** What must never be seen in any output. */
  get secrets(): readonly string[] {
    return [...this.#scene.credentials.values()].flatMap(({ apiKey, secretKey }) => [apiKey, secretKey]);
  }

  /** Signatures of the requests so far. */
  get signatures(): readonly string[] {
    return [...this.#gate.signatures];
  }

  machine(name: string): Machine {
    const found = this.simulator.state.virtualMachines.find((machine) => machine.name === name);
    assert.ok(found, `there is no machine ${name}`);
    return { id: found.id, address: found.nics[0]?.ipAddress ?? '' };
  }

  addMachine(name: string): void {
    const { projects } = this.simulator.state;
    addMachine(this.#scene, name, projects.find((project) => project.name === PROJECT) ? PROJECT : ACCOUNT);
  }

  /** Changes a machine behind the API's back. @returns what it was before. */
  change(name: string, changes: Partial<VirtualMachine>): VirtualMachine {
    const { virtualMachines } = this.simulator.state;
    const before = virtualMachines.get(this.machine(name).id);
    assert.ok(before);
    virtualMachines.update(before.id, changes);
    return before;
  }

  /** @param offering is made if there is none of that name. */
  resize(name: string, offering: string): void {
    const found = this.simulator.state.serviceOfferings.find((one) => one.name === offering);
    const { id } = found ?? this.#scene.serviceOffering({ name: offering, cpuNumber: 2, memory: 4096 });
    this.change(name, { serviceOfferingId: id });
  }

  /** Puts a machine into another zone, which is made if there is none of that name. */
  place(name: string, zone: string): void {
    const found = this.simulator.state.zones.find((one) => one.name === zone);
    const range = ['198.51.100.10', '198.51.100.11'] as const;
    this.change(name, { zoneId: (found ?? this.#scene.zone({ name: zone, publicRange: range })).id });
  }

  /** Gives a machine a first network card, in a layer 2 network: without an address. */
  addCardWithoutAddress(name: string): void {
    const { id: networkId } = this.#scene.network({
      name: 'layer-2',
      owner: ACCOUNT,
      offering: 'DefaultL2NetworkOffering',
    });
    const { nics } = this.change(name, {});
    const [first] = nics;
    assert.ok(first);
    const { ipAddress: _none, ...card } = first;
    this.change(name, { nics: [{ ...card, id: randomUUID(), networkId, deviceId: 9, isDefault: false }, ...nics] });
  }

  /** @returns what removes the tag again. */
  tag(name: string, key: string, value: string): () => void {
    const { tags } = this.simulator.state;
    const { id: resourceId, accountId } = this.change(name, {});
    const id = `tag-${resourceId}-${key}`;
    tags.add({ id, key, value, resourceType: 'UserVm', resourceId, accountId });
    return () => tags.delete(id);
  }

  /** Gives the first network card of a machine a second address. @returns that address. */
  addSecondaryAddress(name: string, address: string): string {
    const { nics } = this.change(name, {});
    const secondaryIps = [{ id: `secondary-${name}`, address }];
    this.change(name, { nics: nics.map((nic, index) => (index === 0 ? { ...nic, secondaryIps } : nic)) });
    return address;
  }

  /** Gives a machine an address of its own. @returns the address. */
  staticNat(name: string): string {
    const { id, address } = this.#scene.publicIp({ network: NETWORK });
    this.simulator.state.publicIps.update(id, {
      staticNat: { virtualMachineId: this.machine(name).id, guestAddress: this.machine(name).address },
    });
    return address;
  }

  /** Puts a machine into a state behind the API's back. */
  setState(name: string, state: 'Running' | 'Stopped'): void {
    this.simulator.state.virtualMachines.update(this.machine(name).id, { state });
  }

  /** Lets machines belong to somebody else. @returns what brings them back */
  hide(names: readonly string[]): () => void {
    const { accounts, virtualMachines } = this.simulator.state;
    const owner = accounts.find(({ name }) => name === ACCOUNT)?.id;
    const other = accounts.find(({ name }) => name === 'admin')?.id;
    assert.ok(owner !== undefined && other !== undefined);
    const ids = names.map((name) => this.machine(name).id);
    for (const id of ids) virtualMachines.update(id, { accountId: other });
    return () => {
      for (const id of ids) virtualMachines.update(id, { accountId: owner });
    };
  }

  /** Destroys a machine as its owner does; ordinary users no longer see it then. */
  async destroyMachine(name: string): Promise<void> {
    const { id } = this.machine(name);
    await this.#call('destroyVirtualMachine', { id });
    await waitFor(`${name} is destroyed`, () => {
      assert.equal(this.simulator.state.virtualMachines.get(id)?.state, 'Destroyed');
    });
  }

  /** Takes an address for the cluster's network, as a user does who wants to keep it. */
  takeAddress(): string {
    return this.#scene.publicIp({ network: NETWORK }).address;
  }

  /** Addresses in use, without the network's own for outgoing traffic. */
  addresses(): readonly string[] {
    return this.simulator.state.publicIps
      .filter((ip) => ip.state === 'Allocated' && !ip.isSourceNat)
      .map(({ address }) => address);
  }

  /** Load balancer rules by public port, with the members that CloudStack shows: not those that are destroyed. */
  rules(): readonly RuleState[] {
    const { loadBalancerRules, virtualMachines } = this.simulator.state;
    const shown = (id: string): boolean => virtualMachines.get(id)?.state !== 'Destroyed';
    const rules = loadBalancerRules
      .filter(() => true)
      .map((rule) => ({
        name: rule.name,
        address: this.#address(rule.publicIpId),
        protocol: rule.protocol ?? '',
        publicPort: rule.publicPort,
        privatePort: rule.privatePort,
        sources: rule.cidrList ?? '',
        members: rule.members
          .filter(({ revoked, virtualMachineId }) => !revoked && shown(virtualMachineId))
          .map(({ virtualMachineId }) => virtualMachines.get(virtualMachineId)?.name ?? virtualMachineId)
          .sort(),
        memberAddresses: rule.members
          .filter(({ revoked }) => !revoked)
          .map(({ address }) => address)
          .sort(),
      }));
    return rules.sort((one, other) => one.publicPort - other.publicPort);
  }

  /** Firewall rules as `address protocol from-to sources`, sorted. */
  firewall(): readonly string[] {
    const { firewallRules } = this.simulator.state;
    return firewallRules
      .filter(() => true)
      .map((rule) => {
        const ports = `${rule.startPort ?? ''}-${rule.endPort ?? ''}`;
        return `${this.#address(rule.publicIpId)} ${rule.protocol} ${ports} ${[...rule.cidrs].sort().join(',')}`;
      })
      .sort();
  }

  /** What a command was called with, each time. */
  calls(command: string): readonly CallEntry[] {
    return this.simulator.callLog.entries.filter((entry) => entry.command === command);
  }

  /** Calls of the controller that changed something, in order. */
  writes(): readonly string[] {
    return this.simulator.writeLog.entries.filter(({ command }) => command !== 'destroyVirtualMachine').map(describe);
  }

  /** Ends all connections and refuses new ones. */
  async goDown(): Promise<void> {
    await this.#gate.close();
  }

  async comeBack(): Promise<void> {
    await this.#gate.open();
  }

  /** May be called twice. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#gate.close();
    await (this.#stopped ??= this.simulator.close());
  }

  get #keys(): { readonly apiKey: string; readonly secretKey: string } {
    const keys = this.#scene.credentials.get(ACCOUNT);
    assert.ok(keys);
    return keys;
  }

  async #call(command: string, values: Readonly<Record<string, string>>): Promise<void> {
    const { apiKey, secretKey } = this.#keys;
    const parameters = new Map(Object.entries({ command, response: 'json', apikey: apiKey, ...values }));
    const query = new URLSearchParams([...parameters, ['signature', sign(parameters, secretKey)]]);
    const answer = await fetch(`${this.simulator.url}?${query.toString()}`);
    assert.equal(answer.status, 200, `${command}: ${await answer.text()}`);
  }

  #address(id: string): string {
    return this.simulator.state.publicIps.get(id)?.address ?? id;
  }
}

type Content = Required<Pick<CloudOptions, 'machines' | 'inProject'>> & { readonly keys: CloudOptions['keys'] };

function build(scene: Scene, { machines, inProject, keys }: Content): void {
  scene.account({ name: ACCOUNT, ...keys });
  scene.zone({ name: 'zone-1', publicRange: ['203.0.113.10', '203.0.114.250'] });
  if (inProject) scene.project({ name: PROJECT, owner: ACCOUNT });
  const owner = inProject ? PROJECT : ACCOUNT;
  scene.network({ name: NETWORK, owner, cidr: '10.1.1.0/24' });
  for (const name of machines) addMachine(scene, name, owner);
}

function addMachine(scene: Scene, name: string, owner: string): void {
  scene.virtualMachine({ name, owner, networks: [NETWORK], offering: 'Medium Instance' });
}

function describe({ command, parameters, outcome }: CallEntry): string {
  const values = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  const result = outcome.errorText === undefined ? '' : ` -> ${outcome.status} ${outcome.errorText}`;
  return `${command} ${values.join(' ')}${result}`;
}
