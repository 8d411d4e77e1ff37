import { freePublicIp, hasSourceNat, takePublicIp } from './public-ips.ts';
import { insufficientCapacity } from '../api-error.ts';
import { routerHome, routerOf } from '../router.ts';
import type { Account, Network, NetworkOffering, Router, State, Vpc } from '../state.ts';
import type { Backend } from './backend.ts';

export function offeringOf(state: State, network: Network): NetworkOffering | undefined {
  return state.networkOfferings.get(network.offeringId);
}

export function providerOf(state: State, network: Network, service: string): string | undefined {
  return offeringOf(state, network)?.services.find((one) => one.name === service)?.providers[0];
}

export function hasService(state: State, network: Network, service: string): boolean {
  return providerOf(state, network, service) !== undefined;
}

/** What the first machine start in a network does: a router, and where there is NAT, an address for it. */
export function implementNetwork(backend: Backend, networkId: string): void {
  const { state } = backend;
  const network = state.networks.get(networkId);
  if (!network || network.state === 'Implemented' || network.state === 'Setup') return;
  if (network.vpcId === undefined) ensureSourceNat(backend, network);
  if ((offeringOf(state, network)?.services.length ?? 0) > 0) ensureRouter(backend, network);
  state.networks.update(networkId, { state: 'Implemented', vlan: network.vlan ?? nextVlan(state) });
}

/** VLANs are given out one after the other. */
function nextVlan(state: State): number {
  let highest = 100;
  for (const network of state.networks.values()) highest = Math.max(highest, network.vlan ?? 0);
  return highest + 1;
}

function ensureSourceNat(backend: Backend, network: Network): void {
  const { state } = backend;
  if (!hasService(state, network, 'SourceNat') || hasSourceNat(state, { networkId: network.id })) return;
  const ip = freePublicIp(state, network.zoneId, network.sourceNatAddress);
  if (!ip) throw insufficientCapacity('Insufficient address capacity');
  const { accountId, zoneId } = network;
  takePublicIp(backend, ip, { accountId, zoneId, networkId: network.id, isSourceNat: true });
}

function ensureRouter(backend: Backend, network: Network): void {
  if (routerOf(backend.state, network)) return;
  const { vpcId } = network;
  nextMacAddress(backend.state, network);
  addRouter(backend, network, vpcId === undefined ? { networkId: network.id } : { vpcId });
}

/** The name servers that somebody asked for. */
export function nameServersOf({
  dns1,
  dns2,
}: {
  readonly dns1?: string | undefined;
  readonly dns2?: string | undefined;
}): Pick<Network, 'dns1' | 'dns2'> {
  return { ...(dns1 !== undefined && { dns1 }), ...(dns2 !== undefined && { dns2 }) };
}

/** The address that somebody asked for as source NAT. @throws ApiError 533 if it can not be had. */
export function sourceNatOf(
  { state }: Pick<Backend, 'state'>,
  { zoneid, sourcenatipaddress }: { readonly zoneid: string; readonly sourcenatipaddress?: string | undefined },
): Pick<Network, 'sourceNatAddress'> {
  if (sourcenatipaddress === undefined) return {};
  if (freePublicIp(state, zoneid, sourcenatipaddress)) return { sourceNatAddress: sourcenatipaddress };
  throw insufficientCapacity('Insufficient address capacity');
}

/** Starts the router of a VPC, with its source NAT address. */
export function startVpcRouter(backend: Backend, vpc: Vpc): void {
  const { state } = backend;
  if (!hasSourceNat(state, { vpcId: vpc.id })) {
    const ip = freePublicIp(state, vpc.zoneId, vpc.sourceNatAddress);
    if (!ip) throw insufficientCapacity('Insufficient address capacity');
    const { accountId, zoneId } = vpc;
    takePublicIp(backend, ip, { accountId, zoneId, vpcId: vpc.id, isSourceNat: true });
  }
  if (state.routers.by('home', vpc.id).length === 0) addRouter(backend, vpc, { vpcId: vpc.id });
}

function addRouter(
  { state, random, clock }: Backend,
  { accountId, zoneId }: Pick<Network, 'accountId' | 'zoneId'>,
  home: Pick<Router, 'networkId' | 'vpcId'>,
): void {
  const name = `r-${state.routers.sequence.next + 100}-VM`;
  state.routers.add({ id: random.uuid(), name, accountId, zoneId, state: 'Running', created: clock.now(), ...home });
}

/** Takes a network down: its router goes, its addresses become free, the row stays. */
export function removeNetwork({ state, clock }: Backend, network: Network, release: (ipId: string) => void): void {
  for (const ip of state.publicIps.by('networkId', network.id)) if (network.vpcId === undefined) release(ip.id);
  if (network.vpcId === undefined) {
    for (const router of state.routers.by('home', routerHome(network))) state.routers.delete(router.id);
  }
  for (const rule of state.egressRules.by('networkId', network.id)) state.egressRules.delete(rule.id);
  state.networks.update(network.id, { state: 'Destroy', removed: clock.now() });
}

/** The domain of a network without one of its own. */
export function networkDomainOf(state: State, owner: Account): string {
  return `cs${owner.internalId.toString(16)}${state.settings.guestDomainSuffix}`;
}

/** The next hardware address of a network, of CloudStack's kind. */
export function nextMacAddress(state: State, network: Network): string {
  const count = (state.networks.get(network.id)?.macsGiven ?? 0) + 1;
  state.networks.update(network.id, { macsGiven: count });
  const bytes = [0x02, 0x01, 0x00, network.internalId % 256, Math.floor(count / 256) % 256, count % 256];
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(':');
}

/** Whether the network's addresses come from ranges that an administrator gives. */
export function specifiesIpRanges(state: State, network: Network): boolean {
  return offeringOf(state, network)?.specifyIpRanges ?? false;
}
