import type { Node } from '@cloudstack-ccm/kubernetes';

import type { NodeAddress, NodeAddressType, NodeView } from '../cloud.ts';
import { hasTaintKey } from './taints.ts';
import { UNINITIALIZED_TAINT } from './well-known.ts';

const TYPES: ReadonlySet<string> = new Set<NodeAddressType>([
  'InternalIP',
  'ExternalIP',
  'Hostname',
  'InternalDNS',
  'ExternalDNS',
]);

/** A Node as the cloud is told of it. */
export function nodeView({ metadata, spec, status }: Node): NodeView {
  return {
    name: metadata.name,
    uid: metadata.uid,
    providerId: spec.providerID,
    labels: metadata.labels,
    annotations: metadata.annotations,
    ...(spec.providerID === '' && hasTaintKey(spec.taints, UNINITIALIZED_TAINT) && { uninitialized: true }),
    addresses: status.addresses.flatMap(({ type, address }) => (isType(type) ? [{ type, address }] : [])),
  } satisfies NodeView & { readonly addresses: readonly NodeAddress[] };
}

function isType(type: string): type is NodeAddressType {
  return TYPES.has(type);
}

/** True only for a node whose condition Ready is True: unknown, and no condition at all, count as not ready. */
export function isReady({ status }: Node): boolean {
  return status.conditions.some(({ type, status: value }) => type === 'Ready' && value === 'True');
}
