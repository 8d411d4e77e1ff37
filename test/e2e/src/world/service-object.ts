interface PortOptions {
  readonly name: string;
  readonly port: number;
  readonly protocol?: 'TCP' | 'UDP';
  readonly nodePort?: number;
}

export interface ServiceOptions {
  readonly name: string;
  readonly ports: readonly PortOptions[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly sourceRanges?: readonly string[];
  readonly loadBalancerIp?: string;
  readonly externalTrafficPolicy?: 'Local';
  readonly loadBalancerClass?: string;
}

/** A Service of type LoadBalancer as a user writes it. */
export function serviceObject(options: ServiceOptions): object {
  const {
    name,
    ports,
    annotations = {},
    sourceRanges,
    loadBalancerIp,
    externalTrafficPolicy,
    loadBalancerClass,
  } = options;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'default', annotations },
    spec: {
      type: 'LoadBalancer',
      selector: { app: name },
      ports: ports.map((port) => ({ protocol: 'TCP', targetPort: 8080, ...port })),
      ...(sourceRanges === undefined ? {} : { loadBalancerSourceRanges: sourceRanges }),
      ...(externalTrafficPolicy && { externalTrafficPolicy }),
      ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }),
      ...(loadBalancerIp === undefined ? {} : { loadBalancerIP: loadBalancerIp }),
    },
  };
}

/** The endpoint slice of a Service as its controller writes it. */
export function sliceObject(service: string, endpoints: readonly object[]): object {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: service, namespace: 'default', labels: { 'kubernetes.io/service-name': service } },
    addressType: 'IPv4',
    endpoints,
  };
}
