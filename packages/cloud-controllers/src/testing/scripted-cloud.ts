import type { Scope } from '@cloudstack-ccm/base';

import type {
  Cloud,
  InstanceMetadata,
  LoadBalancerStatus,
  NodeView,
  ServiceContext,
  ServiceView,
  Sighting,
  Sightings,
} from '../cloud.ts';

type Call = 'get' | 'ensure' | 'updateMembers' | 'delete';

/** One call that reached the cloud, as a test reads it: `ensure default/web n1 n2`. */
export type CallText = string;

type LoadBalancerScript = (context: ServiceContext, service: ServiceView) => Promise<void> | void;

/** A cloud in memory that does what a test tells it, and remembers what it was asked. */
export class ScriptedCloud implements Cloud {
  readonly name = 'fake';
  readonly calls: CallText[] = [];
  /** What `metadata` gives, by node name; a function may throw. */
  readonly machines = new Map<string, () => InstanceMetadata | undefined>();
  /** What `look` shows; nodes without an entry are running. */
  readonly sightings = new Map<string, Sighting['state']>();
  /** Load balancers that exist, by Service key, with their members. */
  readonly balancers = new Map<string, readonly string[]>();
  /** Runs before the call takes effect; it may wait or throw. */
  readonly scripts: Partial<Record<Call, LoadBalancerScript>> = {};
  /** Names of nodes whose machines are not there yet. */
  readonly late = new Set<string>();
  /** Keys of Services whose members depend on their endpoints. */
  readonly endpointFollowers = new Set<string>();
  /** By key of a Service, which nodes it chooses. */
  readonly nodeFilters = new Map<string, (node: NodeView) => boolean>();
  ingress: LoadBalancerStatus['ingress'] = [{ ip: '203.0.113.20' }];
  lookError: Error | undefined;
  unready: string | undefined;
  started = 0;

  readonly instances = {
    metadata: async (_scope: Scope, { name }: NodeView): Promise<InstanceMetadata | undefined> => {
      this.calls.push(`metadata ${name}`);
      return this.machines.get(name)?.();
    },
    look: async (_scope: Scope, suspects: readonly NodeView[], others: readonly NodeView[]): Promise<Sightings> => {
      this.calls.push(`look ${names(suspects)}`);
      if (this.lookError) throw this.lookError;
      const byNode = new Map(suspects.map(({ name }) => [name, this.#sight(name)]));
      const seen = [...suspects, ...others].find(({ name }) => this.#sight(name).state === 'running');
      return { byNode, witness: seen?.name };
    },
  };

  readonly loadBalancers = {
    conditionDomain: 'example.com',
    name: ({ uid }: ServiceView): string => uid,
    nodeFilter: (service: ServiceView) => this.nodeFilters.get(keyOf(service)),
    followsEndpoints: (service: ServiceView): boolean => this.endpointFollowers.has(keyOf(service)),
    get: async (context: ServiceContext, service: ServiceView): Promise<LoadBalancerStatus | undefined> => {
      await this.#call('get', context, service);
      return this.balancers.has(keyOf(service)) ? { ingress: this.ingress } : undefined;
    },
    ensure: async (
      context: ServiceContext,
      service: ServiceView,
      nodes: readonly NodeView[],
    ): Promise<LoadBalancerStatus> => {
      await this.#call('ensure', context, service, nodes);
      return { ingress: this.ingress, pendingNodes: this.#admit(service, nodes) };
    },
    updateMembers: async (
      context: ServiceContext,
      service: ServiceView,
      nodes: readonly NodeView[],
    ): Promise<readonly string[]> => {
      await this.#call('updateMembers', context, service, nodes);
      return this.#admit(service, nodes);
    },
    delete: async (context: ServiceContext, service: ServiceView): Promise<void> => {
      await this.#call('delete', context, service);
      this.balancers.delete(keyOf(service));
    },
  };

  async start(): Promise<void> {
    this.started++;
  }

  readiness(): string | undefined {
    return this.unready;
  }

  /** The calls since the last time, in order. */
  take(): CallText[] {
    return this.calls.splice(0);
  }

  #admit(service: ServiceView, nodes: readonly NodeView[]): readonly string[] {
    const names = nodes.map(({ name }) => name).sort();
    this.balancers.set(
      keyOf(service),
      names.filter((name) => !this.late.has(name)),
    );
    return names.filter((name) => this.late.has(name));
  }

  async #call(
    call: Call,
    context: ServiceContext,
    service: ServiceView,
    nodes: readonly NodeView[] = [],
  ): Promise<void> {
    this.calls.push([call, keyOf(service), ...nodes.map(({ name }) => name).sort()].join(' '));
    await this.scripts[call]?.(context, service);
  }

  #sight(name: string): Sighting {
    const state = this.sightings.get(name) ?? 'running';
    return state === 'unknown' ? { state, reason: 'HTTP 503' } : { state };
  }
}

function keyOf({ namespace, name }: ServiceView): string {
  return `${namespace}/${name}`;
}

function names(nodes: readonly NodeView[]): string {
  return nodes
    .map(({ name }) => name)
    .sort()
    .join(' ');
}
