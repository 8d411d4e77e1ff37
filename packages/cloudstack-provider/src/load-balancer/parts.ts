import { KeyedLock, type Clock, type Metrics, type Scope } from '@cloudstack-ccm/base';
import type { NodeView, ServiceContext, ServiceView } from '@cloudstack-ccm/cloud-controllers';
import type { CloudStackClient, Commands, LoadBalancerRule } from '@cloudstack-ccm/cloudstack-client';
import { MemberMemory } from './members/member-memory.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { Resolution, Resolver } from '../instances/resolver.ts';
import { AddressKeeper } from '../public-ip/address-keeper.ts';
import { AddressReader } from '../public-ip/address-reader.ts';
import { AddressReleaser } from '../public-ip/address-releaser.ts';
import { leasewebOrigin } from '../public-ip/adopt.ts';
import { Associator } from '../public-ip/associate.ts';
import { readRecord, type AddressRecord } from '../public-ip/record.ts';
import { RecordBook, RecordMemory } from '../public-ip/record-book.ts';
import { StuckAddresses } from '../public-ip/stuck-addresses.ts';
import { Executor, type ExecutorOptions } from './execute/execute.ts';
import { NetworkQueue } from './execute/network-queue.ts';
import { selects, type LabelSelector } from './annotations/label-selector.ts';
import { loadBalancerName } from './plan/names.ts';
import { LoadBalancerReader } from './observe/read.ts';
import type { Server } from './observe/server.ts';
import { serverFeatures, type ServerFeatures } from './plan/server-features.ts';

/** What an administrator may choose for all load balancers. */
export interface LoadBalancerOptions {
  /** How many Services are worked on in one CloudStack network at a time. More makes each job slower. Default 2. */
  readonly servicesPerNetwork: number;
  /** Whether rules may be put on the source NAT address of an isolated network when a user asks. Default true. */
  readonly allowSourceNat: boolean;
  /** `none`: firewall rules and network ACL items are left to somebody else. Default `all`. */
  readonly accessRules: 'all' | 'none';
}

export type LoadBalancerClient = Commands & Pick<CloudStackClient, 'waitForJob' | 'generation'>;

export interface LoadBalancerDeps {
  readonly client: LoadBalancerClient;
  readonly inventory: Pick<Inventory, 'network'>;
  readonly resolver: Pick<Resolver, 'resolve'>;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** CloudStack's version; undefined when the server keeps it to itself. */
  readonly version: (scope: Scope) => Promise<string | undefined>;
  /** The project that everything is looked for in; undefined for none. */
  readonly projectId: (scope: Scope) => Promise<string | undefined>;
  /** UID of the namespace `kube-system`; undefined when it cannot be read. */
  readonly clusterUid: (scope: Scope) => Promise<string | undefined>;
  /** Numbers in [0, 1). Default Math.random. */
  readonly random?: () => number;
  readonly options?: Partial<LoadBalancerOptions>;
}

const DEFAULTS: LoadBalancerOptions = { servicesPerNetwork: 2, allowSourceNat: true, accessRules: 'all' };

/** What the operations on load balancers share. */
export class Parts {
  readonly options: LoadBalancerOptions;
  readonly reader: LoadBalancerReader;
  readonly addresses: AddressReader;
  readonly executor: Executor;
  readonly keeper: AddressKeeper;
  readonly releaser: AddressReleaser;
  readonly memory: RecordMemory;
  /** The members of rules, as far as they are known. */
  readonly members: MemberMemory;
  /** Jobs of one network hinder each other in CloudStack well beyond queueing. */
  readonly #networkLocks: KeyedLock;
  /** Taking addresses for one network, one at a time. */
  readonly takingLocks = new KeyedLock();
  /** By address: its rules are looked at and changed by one at a time. */
  readonly addressLocks = new KeyedLock();
  readonly #deps: LoadBalancerDeps;

  constructor(deps: LoadBalancerDeps, glanceOf?: Parts) {
    const { client, clock, random = Math.random } = deps;
    this.#deps = deps;
    this.memory = glanceOf?.memory ?? new RecordMemory();
    this.members = glanceOf?.members ?? new MemberMemory(clock);
    this.options = { ...DEFAULTS, ...deps.options };
    this.#networkLocks = new KeyedLock(this.options.servicesPerNetwork);
    this.reader = new LoadBalancerReader(client, this.members, glanceOf ? 'recall' : 'read');
    this.addresses = new AddressReader(client);
    this.executor = new Executor({
      client,
      aclLocks: new KeyedLock(),
      networkQueue: new NetworkQueue(clock, this.options.servicesPerNetwork),
      ...(!glanceOf && { observe: observer(deps.metrics, this.members) }),
    });
    const stuck = new StuckAddresses(clock, this.executor);
    this.keeper = new AddressKeeper(this.addresses, new Associator(this.addresses, this.executor, random), stuck);
    this.releaser = new AddressReleaser(this.addresses, this.executor, this.addressLocks, stuck);
  }

  /** The same, seen through a client that only looks: with its own locks, as it keeps nobody from anything. */
  through(client: LoadBalancerClient): Parts {
    return new Parts({ ...this.#deps, client }, this);
  }

  /** True if this project has dealt with the Service before. */
  knows(service: ServiceView): boolean {
    return this.#recordOf(service) !== undefined;
  }

  #recordOf({ uid, annotations }: ServiceView): AddressRecord | undefined {
    return this.memory.newest(uid, readRecord(annotations));
  }

  /** True if nobody has to wait for a turn in this network now. */
  isFree(networkId: string): boolean {
    return this.#networkLocks.isFree(networkId);
  }

  /** Waits for a turn in the network, and lets the Services of other networks go ahead meanwhile. */
  inNetwork<T>(context: ServiceContext, networkId: string, work: () => Promise<T>): Promise<T> {
    const { scope } = context;
    if (this.isFree(networkId)) return this.#networkLocks.run(scope, networkId, work);
    const comeBack = context.stepAside();
    return this.#networkLocks.run(scope, networkId, async () => {
      await comeBack();
      return await work();
    });
  }

  get client(): LoadBalancerClient {
    return this.#deps.client;
  }

  get inventory(): LoadBalancerDeps['inventory'] {
    return this.#deps.inventory;
  }

  async features(scope: Scope): Promise<ServerFeatures> {
    return serverFeatures(await this.#deps.version(scope));
  }

  /** Where machines and networks are looked for, in words for users. */
  async whereToLook(scope: Scope): Promise<string> {
    const id = await this.#deps.projectId(scope);
    return id === undefined ? 'no project-id is set' : `project-id is ${id}`;
  }

  async server(scope: Scope, { uid, namespace, name }: ServiceView): Promise<Server> {
    const clusterUid = await this.#deps.clusterUid(scope);
    const owner = { clusterUid, serviceUid: uid, serviceName: `${namespace}/${name}` };
    return { owner, features: await this.features(scope) };
  }

  book(context: Pick<ServiceContext, 'annotate'>, service: ServiceView): RecordBook {
    return new RecordBook(this.memory, service, (changes) => context.annotate(changes));
  }

  /** The rules of a Service's load balancer, on whatever address. */
  rules(scope: Scope, service: ServiceView, reader = this.reader): Promise<readonly LoadBalancerRule[]> {
    // Until a first pass has gone through, rules may bear the name that another controller gave them.
    const takenOver = this.#recordOf(service)?.adopting === false;
    return reader.rules(scope, loadBalancerName(service.uid), leasewebOrigin(service, takenOver));
  }

  /** The machines of the nodes that may be members. */
  resolve(scope: Scope, nodes: readonly NodeView[], selector: LabelSelector | undefined): Promise<Resolution> {
    const candidates = selector ? nodes.filter((node) => selects(selector, node.labels)) : nodes;
    return this.#deps.resolver.resolve(scope, candidates);
  }
}

function observer(metrics: Metrics, members: MemberMemory): NonNullable<ExecutorOptions['observe']> {
  const actions = metrics.counter({
    name: 'cloudstack_ccm_plan_actions_total',
    help: '[ALPHA] Changes made to CloudStack for load balancers, by kind and result',
    labels: ['action', 'result'],
  });
  return (action, result, ruleId) => {
    actions.inc({ action: action.kind, result });
    if (ruleId !== undefined) members.learn(action, result, ruleId);
  };
}
