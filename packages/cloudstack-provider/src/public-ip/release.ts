import type { PublicIp } from '@cloudstack-ccm/cloudstack-client';
import { isOfCluster, type OwnerIdentity } from '../ownership/marks.ts';
import { parseTime, type Holding } from './record.ts';

/** What becomes of an address that a load balancer does not use any more. */
export type Release =
  /** It is not ours any more, if it ever was. `tell`: the user may want to know why it stays. */
  | { readonly kind: 'leave'; readonly tell: string | undefined }
  | { readonly kind: 'release' }
  /** Something works on it: look again later. */
  | { readonly kind: 'wait'; readonly reason: string };

/**
 * Decides whether an address is released: only if we took it, or took it for another Service of this cluster that
 * has gone since; and only if it is still the same allocation and nobody uses it for anything.
 * @param occupants what is on the address, in words, our own rules being gone
 */
export function decideRelease(
  holding: Holding,
  address: PublicIp | undefined,
  occupants: readonly string[],
  { owner, keepIp }: { readonly owner: OwnerIdentity; readonly keepIp: boolean },
): Release {
  if (!address || address.state === 'Free') return { kind: 'leave', tell: undefined };
  const ours = holding.origin === 'controller' || isOfCluster(address.tags, owner);
  if (!ours || !isSameAllocation(holding, address)) return { kind: 'leave', tell: undefined };
  if (address.state !== 'Allocated' || address.pendingJobId !== undefined) {
    return { kind: 'wait', reason: `public IP ${address.ipAddress} is being changed (state ${address.state})` };
  }
  const obstacle = keepIp ? 'the Service says so' : obstacleTo(address, occupants);
  if (obstacle === undefined) return { kind: 'release' };
  return { kind: 'leave', tell: `public IP ${address.ipAddress} stays allocated: ${obstacle}` };
}

/** An address keeps its id when it is released and taken again, by whomever: the time tells one taking from another. */
export function isSameAllocation(holding: Holding, address: PublicIp): boolean {
  const allocated = parseTime(address.allocated);
  return holding.allocated === undefined || allocated === undefined || holding.allocated === allocated;
}

function obstacleTo(address: PublicIp, occupants: readonly string[]): string | undefined {
  if (address.isSourceNat) return 'it serves source NAT';
  if (address.isStaticNat) return 'it is a static NAT';
  return occupants.length > 0 ? `it carries ${occupants.join(', ')}` : undefined;
}
