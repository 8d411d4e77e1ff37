import { KeyedLock, type CounterMetric, type Metrics, type Scope } from '@cloudstack-ccm/base';
import type { NodeView, ServiceContext, ServiceView } from '@cloudstack-ccm/cloud-controllers';
import type { CloudStackClient, Commands, LoadBalancerRule } from '@cloudstack-ccm/cloudstack-client';
import type { Inventory } from '../inventory/inventory.ts';
import type { Resolution, Resolver } from '../instances/resolver.ts';
import { AddressKeeper } from '../public-ip/address-keeper.ts';
import { AddressReader } from '../public-ip/address-reader.ts';
import { AddressReleaser } from '../public-ip/address-releaser.ts';
import { leasewebOrigin } from '../public-ip/adopt.ts';
import { Associator } from '../public-ip/associate.ts';
import { readRecord } from '../public-ip/record.ts';
import { RecordBook, RecordMemory } from '../public-ip/record-book.ts';
import { Executor } from './execute.ts';
import { selects, type LabelSelector } from './label-selector.ts';
import { loadBalancerName } from './names.ts';
import { LoadBalancerReader } from './read.ts';
import type { Server } from './server.ts';
import { serverFeatures, type ServerFeatures } from './server-features.ts';

/** What an administrator may choose for all load balancers. */
export interface LoadBalancerOptions {
  /** How many Services are worked on in one CloudStack network at a time. More makes each job slower. Default 2. */
  readonly servicesPerNetwork: number;
  /** Whether rules may be put on the source NAT address of an isolated network when a user asks. Default true. */
  readonly allowSourceNat: boolean;
  /** `none`: firewall rules and network ACL items are left to somebody else. Default `all`. */
  readonly accessRules: 'all' | 'none';
}

export interface LoadBalancerDeps {
  readonly client: Commands & Pick<CloudStackClient, 'waitForJob'>;
  readonly inventory: Pick<Inventory, 'network'>;
  readonly resolver: Pick<Resolver, 'resolve'>;
  readonly metrics: Metrics;
  /** CloudStack's version; undefined when the server keeps it to itself. */
  readonly version: (scope: Scope) => Promise<string | undefined>;
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
  readonly memory = new RecordMemory();
  /** Jobs of one network hinder each other in CloudStack well beyond queueing. */
  readonly #networkLocks: KeyedLock;
  /** Taking addresses for one network, one at a time. */
  readonly takingLocks = new KeyedLock();
  /** By address: its rules are looked at and changed by one at a time. */
  readonly addressLocks = new KeyedLock();
  readonly #deps: LoadBalancerDeps;

  constructor(deps: LoadBalancerDeps) {
    const { client, metrics, random = Math.random } = deps;
    this.#deps = deps;
    this.options = { ...DEFAULTS, ...deps.options };
    this.#networkLocks = new KeyedLock(this.options.servicesPerNetwork);
    this.reader = new LoadBalancerReader(client);
    this.addresses = new AddressReader(client);
    const actions = actionCounter(metrics);
    const observe = ({ kind }: { readonly kind: string }, result: string): void =>
      actions.inc({ action: kind, result });
    this.executor = new Executor({ client, aclLocks: new KeyedLock(), observe });
    this.keeper = new AddressKeeper(this.addresses, new Associator(this.addresses, this.executor, random));
    this.releaser = new AddressReleaser(this.addresses, this.executor, this.addressLocks);
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

  get client(): Commands {
    return this.#deps.client;
  }

  get inventory(): LoadBalancerDeps['inventory'] {
    return this.#deps.inventory;
  }

  async features(scope: Scope): Promise<ServerFeatures> {
    return serverFeatures(await this.#deps.version(scope));
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
  rules(scope: Scope, service: ServiceView): Promise<readonly LoadBalancerRule[]> {
    const recorded = this.memory.newest(service.uid, readRecord(service.annotations)) !== undefined;
    return this.reader.rules(scope, loadBalancerName(service.uid), leasewebOrigin(service, recorded));
  }

  /** The machines of the nodes that may be members. */
  resolve(scope: Scope, nodes: readonly NodeView[], selector: LabelSelector | undefined): Promise<Resolution> {
    const candidates = selector ? nodes.filter((node) => selects(selector, node.labels)) : nodes;
    return this.#deps.resolver.resolve(scope, candidates);
  }
}

function actionCounter(metrics: Metrics): CounterMetric {
  return metrics.counter({
    name: 'cloudstack_ccm_plan_actions_total',
    help: '[ALPHA] Changes made to CloudStack for load balancers, by kind and result',
    labels: ['action', 'result'],
  });
}
