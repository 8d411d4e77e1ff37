import type { ServiceContext, ServiceView } from '@cloudstack-ccm/cloud-controllers';
import { ANNOTATIONS, nameOf, type Settings } from '../annotations/annotations.ts';
import { notice } from '../report/events.ts';
import type { WantedMembers } from './members.ts';

/**
 * The members that the endpoints of the Service leave, where it asks for that. While the endpoints cannot be read, all
 * nodes are members as without the annotation: the balancer's own check then finds those that pass traffic on.
 * @returns undefined when no endpoint is ready: the members then stay as they are
 */
export function readyMembers(
  context: ServiceContext,
  { readyNodes }: ServiceView,
  settings: Settings,
  members: WantedMembers,
): WantedMembers | undefined {
  if (!settings.readyEndpointsOnly) return members;
  if (readyNodes?.kind !== 'known') {
    const reason = readyNodes?.reason ?? 'nobody has looked at them';
    const what = `all nodes are members, as if ${nameOf(ANNOTATIONS.readyEndpointsOnly)} were not set: endpoint slices cannot be read (${reason})`;
    context.notify(notice('EndpointsNotKnown', what));
    return members;
  }
  const nodes = new Map([...members.nodes].filter(([, node]) => readyNodes.names.has(node)));
  if (nodes.size > 0) return { ...members, nodes };
  const what = 'no node that could be a member has a ready endpoint of the Service: the members stay as they are';
  context.notify(notice('NoReadyEndpoints', what));
  return undefined;
}
