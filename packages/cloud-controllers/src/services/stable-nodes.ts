import { isDeepStrictEqual } from 'node:util';

import { parseGoBool } from '@cloudstack-ccm/base';
import type { Node } from '@cloudstack-ccm/kubernetes';

import type { NodeView } from '../cloud.ts';
import { nodeView } from '../nodes/node-view.ts';
import { hasTaintKey } from '../nodes/taints.ts';
import { AUTOSCALER_TAINT, EXCLUDE_LABEL } from '../nodes/well-known.ts';

/** The label that keeps a node out of load balancers is absent, or says false. */
export function isIncluded({ metadata: { labels } }: Node): boolean {
  const label = labels[EXCLUDE_LABEL];
  return label === undefined || parseGoBool(label) === false;
}

/**
 * True if the node belongs to every load balancer. Whether it is ready does not count: its health is the balancer's
 * business, and a node that flaps must not change rules.
 */
export function isStable(node: Node): boolean {
  return (
    node.metadata.deletionTimestamp === undefined &&
    isIncluded(node) &&
    !hasTaintKey(node.spec.taints, AUTOSCALER_TAINT)
  );
}

/** True if the change of a node is reason enough to look at all load balancers. */
export function membershipChanged(before: Node, after: Node): boolean {
  return isIncluded(before) !== isIncluded(after) || before.spec.providerID !== after.spec.providerID;
}

/** True if Services that choose their nodes by labels may choose otherwise now. The framework knows of no such choice. */
export function labelsChanged(before: Node, after: Node): boolean {
  return !isDeepStrictEqual(before.metadata.labels, after.metadata.labels);
}

export function stableNodes(nodes: readonly Node[]): readonly NodeView[] {
  return nodes.filter(isStable).map(nodeView);
}

const SHOWN = 20;

/** For an event: the first names, sorted, and how many more there are. */
export function describeNodes(nodes: readonly NodeView[]): string {
  const names = nodes
    .slice(0, SHOWN)
    .map(({ name }) => name)
    .sort();
  return nodes.length > SHOWN ? `${names.join(' ')} <${nodes.length - SHOWN} more>` : names.join(' ');
}
