import type { Node, Service, Taint } from '@cloudstack-ccm/kubernetes';

import type { InstanceMetadata, NodeAddress } from '../cloud.ts';
import { UNINITIALIZED_TAINT } from '../nodes/well-known.ts';

/** Objects for tests: everything has a plain default, so a test states only what it is about. */

export const UNINITIALIZED: Taint = { key: UNINITIALIZED_TAINT, value: 'true', effect: 'NoSchedule' };

export const CLOUD_ADDRESSES: readonly NodeAddress[] = [
  { type: 'Hostname', address: 'node0.cloud.internal' },
  { type: 'InternalIP', address: '10.0.0.1' },
  { type: 'ExternalIP', address: '132.143.154.163' },
];

interface NodeParts {
  readonly labels?: Node['metadata']['labels'];
  readonly annotations?: Node['metadata']['annotations'];
  readonly uid?: string;
  readonly deletionTimestamp?: string;
  readonly providerID?: string;
  readonly taints?: readonly Taint[];
  readonly addresses?: Node['status']['addresses'];
  /** The condition Ready; undefined for no condition. */
  readonly ready?: 'True' | 'False' | 'Unknown';
}

export function aNode(name: string, parts: NodeParts = {}): Node {
  return {
    metadata: {
      name,
      namespace: '',
      uid: parts.uid ?? `uid-${name}`,
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(parts.deletionTimestamp !== undefined && { deletionTimestamp: parts.deletionTimestamp }),
      labels: parts.labels ?? {},
      annotations: parts.annotations ?? {},
      finalizers: [],
    },
    spec: { providerID: parts.providerID ?? '', unschedulable: false, taints: parts.taints ?? [] },
    status: {
      addresses: parts.addresses ?? [],
      conditions: parts.ready === undefined ? [] : [{ type: 'Ready', status: parts.ready }],
    },
  };
}

export function someMetadata(parts: Partial<InstanceMetadata> = {}): InstanceMetadata {
  return {
    providerId: 'fake://12345',
    instanceType: '',
    zone: '',
    region: '',
    addresses: CLOUD_ADDRESSES,
    additionalLabels: {},
    notices: [],
    ...parts,
  };
}

interface ServiceParts {
  readonly metadata?: Partial<Service['metadata']>;
  readonly spec?: Partial<Service['spec']>;
  readonly ingress?: Service['status']['loadBalancer']['ingress'];
}

/** A Service of type LoadBalancer with one TCP port. */
export function aService(name: string, { metadata, spec, ingress = [] }: ServiceParts = {}): Service {
  return {
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: {},
      annotations: {},
      finalizers: [],
      ...metadata,
    },
    spec: {
      type: 'LoadBalancer',
      ports: [{ name: 'http', protocol: 'TCP', port: 80, nodePort: 31_080, targetPort: 8080, appProtocol: '' }],
      loadBalancerIP: '',
      allocateLoadBalancerNodePorts: true,
      externalIPs: [],
      clusterIPs: [],
      sessionAffinity: 'None',
      externalTrafficPolicy: 'Cluster',
      healthCheckNodePort: 0,
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ...spec,
    },
    status: { loadBalancer: { ingress }, conditions: [] },
  };
}
