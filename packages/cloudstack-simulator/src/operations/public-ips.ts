import { addressToNumber } from '../addresses.ts';
import type { PublicIp, State } from '../state.ts';
import type { Backend } from './backend.ts';

export interface Placement {
  readonly accountId: string;
  readonly zoneId: string;
  readonly networkId?: string;
  readonly vpcId?: string;
  readonly isSourceNat?: boolean;
  readonly state?: 'Allocating' | 'Allocated';
}

/** The address asked for, or the lowest that is free. @returns undefined if there is none to give. */
export function freePublicIp(
  state: State,
  zoneId: string,
  address?: string,
  fits: (ip: PublicIp) => boolean = (ip) => !ip.isPortable,
): PublicIp | undefined {
  const usable = (ip: PublicIp): boolean => ip.zoneId === zoneId && isFree(ip) && fits(ip);
  if (address !== undefined) return state.publicIps.by('address', address).find(usable);
  return lowest(state.publicIps.filter(usable));
}

/** True if the address is kept for somebody else, who released it a short while ago. */
export function inQuarantine({ quarantine }: PublicIp, accountId: string, now: number): boolean {
  return quarantine !== undefined && quarantine.until > now && quarantine.formerAccountId !== accountId;
}

function isFree(ip: PublicIp): boolean {
  return ip.state === 'Free' && !ip.isSystem;
}

function lowest(ips: readonly PublicIp[]): PublicIp | undefined {
  let found: PublicIp | undefined;
  for (const ip of ips) if (!found || addressToNumber(ip.address) < addressToNumber(found.address)) found = ip;
  return found;
}

/** Gives an address to an owner. */
export function takePublicIp({ state, clock }: Backend, ip: PublicIp, placement: Placement): PublicIp {
  const { accountId, networkId, vpcId, isSourceNat = false, state: ipState = 'Allocated' } = placement;
  const taken = state.publicIps.update(ip.id, {
    accountId,
    isSourceNat,
    state: ipState,
    allocated: clock.now(),
    ...(networkId !== undefined && { networkId }),
    ...(vpcId !== undefined && { vpcId }),
  });
  return taken ?? ip;
}

/** Takes an address back. It keeps its id, and loses owner, place, tags and static NAT. */
export function freeUp({ state, clock }: Backend, id: string): void {
  const ip = state.publicIps.get(id);
  if (!ip) return;
  for (const tag of state.tags.by('resourceId', id)) state.tags.delete(tag.id);
  const { internalId, address, zoneId, isPortable, isSystem } = ip;
  const bare = { id, internalId, address, zoneId, isPortable, isSystem, isSourceNat: false, state: 'Free' } as const;
  const keepMs = state.settings.quarantineMinutes * 60_000;
  const quarantine = keepMs > 0 &&
    ip.accountId !== undefined && { formerAccountId: ip.accountId, until: clock.now() + keepMs };
  state.publicIps.replace({ ...bare, ...(quarantine && { quarantine }) });
}

/** True if the network or VPC has its source NAT address. */
export function hasSourceNat(
  state: State,
  place: { readonly networkId: string } | { readonly vpcId: string },
): boolean {
  const ips =
    'vpcId' in place ? state.publicIps.by('vpcId', place.vpcId) : state.publicIps.by('networkId', place.networkId);
  return ips.some((ip) => ip.isSourceNat);
}
