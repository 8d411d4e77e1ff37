import { cidrContains, parseCidr, parseIp, type Cidr } from '@cloudstack-ccm/base';
import type { Notice } from '@cloudstack-ccm/cloud-controllers';
import type { NetworkAclItem } from '@cloudstack-ccm/cloudstack-client';
import { notice } from '../load-balancer/report/events.ts';
import type { Step } from '../load-balancer/plan/step.ts';
import { placeOf } from '../load-balancer/plan/protocol.ts';
import { aclReason } from '../ownership/marks.ts';
import { placeOfOpening, type AccessPlan, type Opening } from './opening.ts';
import { ANYWHERE, sameCidrs } from './source-cidrs.ts';

export interface NetworkAclInput {
  readonly loadBalancer: string;
  /** The list new items go into; undefined when nothing is wanted. */
  readonly list: { readonly id: string; readonly name: string } | undefined;
  readonly wanted: readonly Opening[];
  /** Every item that was read: of that list, or of all lists. */
  readonly present: readonly NetworkAclItem[];
  /** True in the first sync of a load balancer that another controller made. */
  readonly adopting: boolean;
}

/**
 * Gives each wanted port one Allow item of its own. Items are known by their reason; whatever else is in the list stays
 * as it is, also a Deny that comes first. On a VPC's router no item filters what is load balanced; other providers, port
 * forwarding and static NAT do obey them.
 */
export function planNetworkAcl(input: NetworkAclInput): AccessPlan {
  const reason = aclReason(input.loadBalancer);
  const marked = input.present.filter((item) => item.reason === reason);
  const adopted = new Set<NetworkAclItem>();
  const kept = new Set<NetworkAclItem>();
  const steps = input.wanted.flatMap((opening) => {
    const own = marked.find((item) => placeOfItem(item) === placeOfOpening(opening) && !kept.has(item));
    const match = own ?? adoptable(opening, input, adopted);
    if (!match) return create(opening, input);
    (own ? kept : adopted).add(match);
    return update(match, opening.inherited ? { ...opening, cidrs: match.sourceCidrs } : opening, reason);
  });
  return {
    opening: steps,
    closing: marked.filter((item) => !kept.has(item)).map(remove),
    notices: input.wanted.flatMap((opening) => shadows(opening, input, reason)),
  };
}

function create(opening: Opening, { list, loadBalancer }: NetworkAclInput): readonly Step[] {
  if (!list) return [];
  const { transport, port, cidrs } = opening;
  const action = {
    kind: 'create-acl-item',
    aclId: list.id,
    aclName: list.name,
    transport,
    port,
    sourceCidrs: cidrs,
    reason: aclReason(loadBalancer),
  } as const;
  const needs = opening.makes === undefined ? [] : [opening.makes];
  return [{ chain: aclChain(placeOfOpening(opening)), needs, action }];
}

function update(item: NetworkAclItem, opening: Opening, reason: string): readonly Step[] {
  const changes = {
    ...(!sameCidrs(item.sourceCidrs, opening.cidrs) && { sourceCidrs: opening.cidrs }),
    ...(item.reason !== reason && { reason }),
  };
  if (Object.keys(changes).length === 0) return [];
  const { id, aclId, aclName, number } = item;
  const action = { kind: 'update-acl-item', id, aclId, aclName, number, changes } as const;
  return [{ chain: aclChain(placeOfOpening(opening)), action }];
}

function remove(item: NetworkAclItem): Step {
  const { id, aclId, aclName, number } = item;
  return { chain: aclChain(placeOfItem(item)), action: { kind: 'delete-acl-item', id, aclId, aclName, number } };
}

export function aclChain(place: string): string {
  return `network ACL ${place}`;
}

/**
 * An item exactly as the Go CCM makes them, for a port that was served before this controller came. What a user made
 * for a Service that was born here is never taken.
 */
function adoptable(
  opening: Opening,
  { adopting, present }: NetworkAclInput,
  taken: ReadonlySet<NetworkAclItem>,
): NetworkAclItem | undefined {
  if (!adopting || opening.makes !== undefined) return undefined;
  return present.find(
    (item) =>
      !taken.has(item) &&
      item.reason === '' &&
      item.trafficType.toLowerCase() === 'ingress' &&
      item.action.toLowerCase() === 'allow' &&
      item.protocol === opening.transport &&
      placeOfItem(item) === placeOfOpening(opening) &&
      item.sourceCidrs.join() === ANYWHERE,
  );
}

/** Items of several ports, or of all, have no place. */
function placeOfItem(item: NetworkAclItem): string {
  const { protocol, startPort, endPort = startPort } = item;
  if (startPort === undefined || startPort !== endPort) return '';
  return placeOf(protocol.toLowerCase() === 'udp' ? 'udp' : 'tcp', startPort);
}

/** Deny items that are evaluated before ours and meet some of its sources. */
function shadows(opening: Opening, { present, list }: NetworkAclInput, reason: string): readonly Notice[] {
  const own = present.find((item) => item.reason === reason && placeOfItem(item) === placeOfOpening(opening));
  const before = own?.number ?? Number.POSITIVE_INFINITY;
  return present
    .filter((item) => item.aclId === list?.id && item.number < before && denies(item, opening))
    .map((item) => {
      const what =
        `item number ${item.number} of network ACL ${item.aclName} denies ${opening.transport} port ${opening.port} and ` +
        'is evaluated before the item of this Service';
      return notice('NetworkAclShadowed', what);
    });
}

function denies(item: NetworkAclItem, { transport, port, cidrs }: Opening): boolean {
  const protocol = item.protocol.toLowerCase();
  const { startPort = 0, endPort = item.startPort ?? 65_535 } = item;
  return (
    item.action.toLowerCase() === 'deny' &&
    item.trafficType.toLowerCase() === 'ingress' &&
    [transport, transport === 'tcp' ? '6' : '17', 'all'].includes(protocol) &&
    startPort <= port &&
    port <= endPort &&
    overlap(item.sourceCidrs, cidrs)
  );
}

function overlap(left: readonly string[], right: readonly string[]): boolean {
  const networks = (texts: readonly string[]): readonly Cidr[] => texts.flatMap((text) => parseCidr(text) ?? []);
  return networks(left).some((one) => networks(right).some((other) => contains(one, other) || contains(other, one)));
}

function contains(outer: Cidr, inner: Cidr): boolean {
  const first = parseIp(inner.text.split('/')[0] ?? '');
  return outer.prefixLength <= inner.prefixLength && first !== undefined && cidrContains(outer, first);
}
