import type { Logger, Scope } from '@cloudstack-ccm/base';

/**
 * What the controllers ask of a cloud, in plain values. The controllers know Kubernetes and no cloud; an
 * implementation of `Cloud` knows its cloud and no API server.
 */
export interface Cloud {
  /** The value of `--cloud-provider`, for example `external-cloudstack`. */
  readonly name: string;
  readonly instances: Instances;
  readonly loadBalancers: LoadBalancers;
  /**
   * Called once, after leadership is won and before any controller starts. It must not fail because the cloud is
   * down: it starts what watches the cloud in the background and returns.
   * @param scope ends when leadership ends.
   * @param notify tells an administrator: the notice becomes an Event on the lease of this controller. Never fails.
   */
  start(scope: Scope, notify: (notice: Notice) => void): Promise<void>;
  /** For `/readyz`: undefined when the cloud answers, otherwise one sentence that tells an operator what is wrong. */
  readiness(): string | undefined;
  /** Limits of the deletion guard that the cloud's own configuration sets; they go before the flags. Default: none. */
  deletionLimits?(): Partial<DeletionLimits>;
}

/** When this many nodes lose their machines at once, something else is wrong. Both limits must be passed. */
export interface DeletionLimits {
  readonly count: number;
  /** Of all nodes, 0 to 100. */
  readonly percent: number;
  /** Nodes deleted within this time, in milliseconds, still count as lost at once. */
  readonly windowMs: number;
}

/** A Node as a cloud sees it. */
export interface NodeView {
  readonly name: string;
  readonly uid: string;
  readonly providerId: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly addresses: readonly NodeAddress[];
  /** It waits for `Instances.metadata`: that its machine is not found yet is no news. Default false. */
  readonly uninitialized?: boolean;
}

export type NodeAddressType = 'InternalIP' | 'ExternalIP' | 'Hostname' | 'InternalDNS' | 'ExternalDNS';

export interface NodeAddress {
  readonly type: NodeAddressType;
  readonly address: string;
}

export interface InstanceMetadata {
  /** Written to `spec.providerID` only if that is empty. */
  readonly providerId: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly region: string;
  readonly addresses: readonly NodeAddress[];
  /** Labels of the cloud's own; they never replace one that the node has from somebody else. */
  readonly additionalLabels: Readonly<Record<string, string>>;
  /** What the administrator should know about this node, told as events on it. */
  readonly notices: readonly Notice[];
  /** One sentence about what a node has to wait for before it is initialised. */
  readonly pending?: string;
}

/**
 * What one pass of looking showed of one machine. Nothing here is a decision: `absent` alone never proves that a
 * machine is gone, see the deletion guard.
 *
 * - `running`: seen, and not stopped.
 * - `stopped`: seen, shut down.
 * - `gone`: seen in a state from which it never comes back.
 * - `absent`: a complete, authorised answer that was asked by the machine's id did not contain it.
 * - `foreign`: the node's provider ID belongs to another system. Leave it alone.
 * - `unknown`: could not be told. `reason` says why.
 */
export type Sighting =
  | { readonly state: 'running' | 'stopped' | 'gone' | 'absent' | 'foreign' }
  | { readonly state: 'unknown'; readonly reason: string };

/** One pass of looking at machines, with one set of credentials. */
export interface Sightings {
  /** By node name, one for each suspect. */
  readonly byNode: ReadonlyMap<string, Sighting>;
  /** Name of a node, other than those absent, whose machine this pass saw; undefined if there is none. */
  readonly witness: string | undefined;
}

export interface Instances {
  /**
   * What the cloud knows of a node's machine, found by provider ID, else by name.
   * @param wanted for how many nodes it is asked at about this time: many are served best from one list. Default 1.
   * @returns undefined when the node should be left as it is for now.
   * @throws when the machine cannot be found or is ambiguous: the node is tried again with back-off.
   */
  metadata(scope: Scope, node: NodeView, wanted?: number): Promise<InstanceMetadata | undefined>;
  /**
   * Looks for the machines of nodes that are not ready. Each call is a new, complete look at the cloud: two calls in a
   * row count as two answers, so neither may be served from memory.
   * @param others the cluster's remaining nodes: one of them may have to bear witness that these credentials see
   *   this cluster at all.
   * @throws when nothing could be learnt about any of them.
   */
  look(scope: Scope, suspects: readonly NodeView[], others: readonly NodeView[]): Promise<Sightings>;
}

export type ServiceProtocol = 'TCP' | 'UDP' | 'SCTP';

export interface ServicePort {
  readonly name: string;
  readonly protocol: ServiceProtocol;
  readonly port: number;
  readonly nodePort: number;
  readonly appProtocol: string;
}

/** On which nodes a Service has endpoints that are ready. */
export type ReadyNodes =
  | { readonly kind: 'known'; readonly names: ReadonlySet<string> }
  /** `reason` is for users. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** A Service as a cloud sees it. Read-only. */
export interface ServiceView {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly ports: readonly ServicePort[];
  readonly sessionAffinity: string;
  readonly loadBalancerIp: string;
  readonly loadBalancerSourceRanges: readonly string[];
  readonly externalTrafficPolicy: string;
  readonly ipFamilies: readonly string[];
  /** Undefined unless `LoadBalancers.followsEndpoints` asks for it. */
  readonly readyNodes?: ReadyNodes;
  /** What the status says now. */
  readonly ingress: readonly LoadBalancerIngress[];
}

export interface LoadBalancerIngress {
  readonly ip?: string;
  readonly hostname?: string;
  readonly ipMode?: 'VIP' | 'Proxy';
}

export interface LoadBalancerStatus {
  readonly ingress: readonly LoadBalancerIngress[];
  /** As `updateMembers` returns them. Default none. */
  readonly pendingNodes?: readonly string[];
}

/** Something a user should know: it becomes an Event on the object that was worked on. */
export interface Notice {
  readonly type: 'Normal' | 'Warning';
  /** Stable CamelCase word. */
  readonly reason: string;
  /** What happened, to what, and what to do. */
  readonly message: string;
}

/** What a cloud may do to the Service it works on while it works. */
export interface ServiceContext {
  readonly scope: Scope;
  readonly log: Logger;
  readonly clusterName: string;
  /**
   * True while no other replica can have become the leader, by monotonic time. Ask right before each call that
   * changes something, and stop when it says false: a process that was suspended may wake up as one of two leaders.
   */
  mayWrite(): boolean;
  /**
   * Lets another Service be worked on while this one only waits its turn, for something that other Services hold.
   * @returns what resolves when this Service may go on; call it when the turn has come. It rejects when the scope ends.
   */
  stepAside(): () => Promise<void>;
  /** Emits an Event on the Service. Never fails. */
  notify(notice: Notice): void;
  /**
   * Sets (string) or removes (null) annotations of the Service, and resolves when the API server has stored them.
   * @throws when it has not: the cloud must then not go on with what the annotation records.
   */
  annotate(changes: Readonly<Record<string, string | null>>): Promise<void>;
}

export interface LoadBalancers {
  /** Prefix of the conditions that Services get, for example `cloudstack.apache.org`; absent for no conditions. */
  readonly conditionDomain?: string;
  /** The stable name of a Service's load balancer. */
  name(service: ServiceView): string;
  /** Which nodes a Service chooses, by their labels; undefined for all. A change of labels is then a change of members. */
  nodeFilter(service: ServiceView): ((node: NodeView) => boolean) | undefined;
  /** True if the members depend on which nodes have ready endpoints: only then is that looked at, and followed. */
  followsEndpoints(service: ServiceView): boolean;
  /**
   * The status of what is there now; undefined only when nothing is left in the cloud: no rule, no opening, no
   * address.
   */
  get(context: ServiceContext, service: ServiceView): Promise<LoadBalancerStatus | undefined>;
  /** Creates or updates; converges from any state. Nothing is written when nothing changed. */
  ensure(context: ServiceContext, service: ServiceView, nodes: readonly NodeView[]): Promise<LoadBalancerStatus>;
  /**
   * Changes members only.
   * @returns names of nodes that are no members for now, though nothing has to change in Kubernetes for them to become
   *   so: they are tried again, with back-off.
   */
  updateMembers(context: ServiceContext, service: ServiceView, nodes: readonly NodeView[]): Promise<readonly string[]>;
  /** Removes everything of the Service's load balancer. Succeeds when nothing is there. */
  delete(context: ServiceContext, service: ServiceView): Promise<void>;
}

/** Thrown by `ensure`: try again after a fixed delay instead of with back-off. */
export interface RetryAfter {
  readonly retryAfterMs: number;
}
