import type { Reader } from '../decode.ts';
import { kind } from './kind.ts';
import type { KubernetesObject } from './metadata.ts';

/**
 * On which nodes a Service has endpoints, in part: a Service has as many slices as its endpoints need. Labels and
 * annotations are not kept, nor addresses: clusters have more endpoints than anything else.
 */
export interface EndpointSlice extends KubernetesObject {
  /** Of the same namespace; empty for a slice that belongs to no Service. */
  readonly serviceName: string;
  /** Names of the nodes with an endpoint that is ready, each once, sorted. */
  readonly readyNodes: readonly string[];
}

const SERVICE_NAME = 'kubernetes.io/service-name';

export const ENDPOINT_SLICES = kind<EndpointSlice>(
  { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', plural: 'endpointslices', namespaced: true },
  (slice, metadata) => ({
    metadata: { ...metadata, labels: NOTHING, annotations: NOTHING },
    serviceName: metadata.labels[SERVICE_NAME] ?? '',
    readyNodes: [...new Set(slice.list('endpoints', readyNode).filter((node) => node !== ''))].sort(),
  }),
);

const NOTHING = {};

/** An endpoint that does not say whether it is ready counts as ready. */
function readyNode(endpoint: Reader): string {
  return endpoint.object('conditions').boolean('ready', true) ? endpoint.string('nodeName') : '';
}
