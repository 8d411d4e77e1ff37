import { messageOf } from '@cloudstack-ccm/base';
import type { Node, Taint } from '@cloudstack-ccm/kubernetes';

import type { InstanceMetadata } from '../cloud.ts';
import { readAppliedLabels, writeAppliedLabels } from './applied-labels.ts';
import { planLabels, type LabelChanges, type Labels } from './labels.ts';
import { preferProvidedIps, ProvidedNodeIpError } from './provided-node-ip.ts';
import { PROVIDED_NODE_IP, UNINITIALIZED_TAINT } from './well-known.ts';

/** What initialising changes on a Node object, all at once. */
export interface Initialization {
  /** Undefined when the node has one, which is never overwritten. */
  readonly providerId: string | undefined;
  readonly labels: LabelChanges;
  /** The labels that are ours from now on. */
  readonly appliedLabels: Labels;
  /** All taints that stay. */
  readonly taints: readonly Taint[];
  readonly warnings: readonly string[];
}

/**
 * @throws ProvidedNodeIpError when the kubelet was told to use an address that the machine does not have: the node
 * then stays as it is, taint included.
 */
export function planInitialization(node: Node, metadata: InstanceMetadata): Initialization {
  checkProvidedIp(node, metadata);
  const { labels: present, annotations } = node.metadata;
  const applied = readAppliedLabels(annotations);
  const { changes, record, warnings } = planLabels({ metadata, present, applied, overrule: true });
  return {
    providerId: node.spec.providerID === '' && metadata.providerId !== '' ? metadata.providerId : undefined,
    labels: changes,
    appliedLabels: record,
    taints: node.spec.taints.filter(({ key }) => key !== UNINITIALIZED_TAINT),
    warnings,
  };
}

function checkProvidedIp({ metadata: { name, annotations } }: Node, metadata: InstanceMetadata): void {
  const annotation = annotations[PROVIDED_NODE_IP];
  if (annotation === undefined) return;
  try {
    preferProvidedIps(annotation, metadata.addresses);
  } catch (reason) {
    throw new ProvidedNodeIpError(`provided node ip for node "${name}" is not valid: ${messageOf(reason)}`);
  }
}

/**
 * The one patch that initialises a node. It carries the resourceVersion read, so the taints it leaves out are those
 * that were looked at.
 */
export function initializationPatch(
  node: Node,
  { providerId, labels, appliedLabels, taints }: Initialization,
): Readonly<Record<string, unknown>> {
  const annotations = writeAppliedLabels(appliedLabels, node.metadata.annotations);
  return {
    metadata: {
      resourceVersion: node.metadata.resourceVersion,
      labels,
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    spec: { ...(providerId !== undefined && { providerID: providerId }), taints: taints.length > 0 ? taints : null },
  };
}
