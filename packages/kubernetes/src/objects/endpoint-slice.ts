import type { Reader } from '../decode.ts';
import { kind } from './kind.ts';
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

export const ENDPOINT_SLICES = kind<EndpointSlice>(
  { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', plural: 'endpointslices', namespaced: true },
  (slice, metadata) => ({
    metadata,
    addressType: slice.string('addressType'),
    endpoints: slice.list('endpoints', readEndpoint),
  }),
);

function readEndpoint(endpoint: Reader): Endpoint {
  const conditions = endpoint.object('conditions');
  const ready = conditions.boolean('ready', true);
  return {
    addresses: endpoint.strings('addresses'),
    nodeName: endpoint.string('nodeName'),
    ready,
    serving: conditions.boolean('serving', ready),
    terminating: conditions.boolean('terminating'),
  };
}
