import type { KubernetesObject } from './metadata.ts';

export interface Endpoint {
  readonly addresses: readonly string[];
  /** Empty when the endpoint is on no node. */
  readonly nodeName: string;
  /** Unset in the API means ready. */
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
}

/** Which endpoints a Service has, and on which nodes. Its label `kubernetes.io/service-name` names the Service. */
export interface EndpointSlice extends KubernetesObject {
  readonly addressType: string;
  readonly endpoints: readonly Endpoint[];
}
