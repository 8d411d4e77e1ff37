/* What tests look at in Kubernetes objects, as plain values with nothing optional. */

export interface NodeState {
  readonly name: string;
  readonly uid: string;
  readonly providerId: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Keys. */
  readonly taints: readonly string[];
  /** `Type address`, in order. */
  readonly addresses: readonly string[];
  /** `Type Status`, in order. */
  readonly conditions: readonly string[];
  readonly images: number;
  readonly resourceVersion: string;
}

export interface ServiceState {
  readonly name: string;
  readonly uid: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
  readonly deleting: boolean;
  /** Addresses or host names of the status. */
  readonly ingress: readonly string[];
  /** By the port's name. */
  readonly nodePorts: Readonly<Record<string, number>>;
}

export interface EventState {
  readonly namespace: string;
  readonly about: string;
  /** The API version of what it is about. */
  readonly apiVersion: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** How often it happened; like events are stored once. */
  readonly count: number;
}

interface Metadata {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  readonly finalizers?: string[];
  readonly deletionTimestamp?: string;
}

interface NodeObject {
  readonly metadata: Metadata;
  readonly spec: { readonly providerID?: string; readonly taints?: { readonly key: string }[] };
  readonly status: {
    readonly addresses?: { readonly type: string; readonly address: string }[];
    readonly conditions?: { readonly type: string; readonly status: string }[];
    readonly images?: unknown[];
  };
}

interface ServiceObject {
  readonly metadata: Metadata;
  readonly spec: { readonly ports?: { readonly name?: string; readonly nodePort?: number }[] };
  readonly status: {
    readonly loadBalancer?: { readonly ingress?: { readonly ip?: string; readonly hostname?: string }[] };
  };
}

interface EventObject {
  readonly metadata: { readonly namespace: string };
  readonly involvedObject: { readonly apiVersion?: string; readonly kind: string; readonly name: string };
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count?: number;
}

export function nodeState(object: unknown): NodeState {
  const { metadata, spec, status } = object as NodeObject;
  return {
    name: metadata.name,
    uid: metadata.uid,
    providerId: spec.providerID ?? '',
    labels: metadata.labels ?? {},
    taints: (spec.taints ?? []).map(({ key }) => key),
    addresses: (status.addresses ?? []).map(({ type, address }) => `${type} ${address}`),
    conditions: (status.conditions ?? []).map((condition) => `${condition.type} ${condition.status}`),
    images: status.images?.length ?? 0,
    resourceVersion: metadata.resourceVersion,
  };
}

export function serviceState(object: unknown): ServiceState {
  const { metadata, spec, status } = object as ServiceObject;
  return {
    name: metadata.name,
    uid: metadata.uid,
    annotations: metadata.annotations ?? {},
    finalizers: metadata.finalizers ?? [],
    deleting: metadata.deletionTimestamp !== undefined,
    ingress: (status.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip ?? hostname ?? ''),
    nodePorts: Object.fromEntries((spec.ports ?? []).map(({ name = '', nodePort = 0 }) => [name, nodePort])),
  };
}

export function eventState(object: unknown): EventState {
  const { metadata, involvedObject, type, reason, message, count = 1 } = object as EventObject;
  const { namespace } = metadata;
  const { apiVersion = '', kind, name } = involvedObject;
  return { namespace, about: `${kind} ${name}`, apiVersion, type, reason, message, count };
}

/** The items of a list answer. */
export function itemsOf(list: unknown): readonly unknown[] {
  return (list as { readonly items: unknown[] }).items;
}
