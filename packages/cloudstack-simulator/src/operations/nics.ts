import { parseBlock } from '../addresses.ts';
import { insufficientCapacity } from '../api-error.ts';
import type { Network, Nic, State } from '../state.ts';
import type { Backend } from './backend.ts';
import { freeGuestAddress, isGuestAddress, usedAddresses } from './guest-addresses.ts';
import { nextMacAddress } from './networks.ts';

export interface NicRequest {
  readonly network: Network;
  readonly ipAddress?: string | undefined;
  readonly ip6Address?: string | undefined;
  readonly macAddress?: string | undefined;
}

/** The interfaces of a new machine, the first being the default one. @throws ApiError 533 if a network is full. */
export function makeNics(backend: Backend, requests: readonly NicRequest[]): Nic[] {
  return requests.map((request, index) => makeNic(backend, request, index, index === 0));
}

export function makeNic(backend: Backend, request: NicRequest, deviceId: number, isDefault: boolean): Nic {
  const { state, random } = backend;
  const { network } = request;
  const ip6Address = request.ip6Address ?? nextIp6Address(state, network);
  const ipAddress = guestAddress(backend, request);
  return {
    id: random.uuid(),
    networkId: network.id,
    deviceId,
    isDefault,
    macAddress: request.macAddress ?? nextMacAddress(state, network),
    ...(ipAddress !== undefined && { ipAddress }),
    ...(ip6Address !== undefined && { ip6Address }),
    secondaryIps: [],
  };
}

function guestAddress({ state }: Backend, { network, ipAddress }: NicRequest): string | undefined {
  if (network.cidr === undefined || !parseBlock(network.cidr)) return undefined;
  const free = ipAddress !== undefined && !usedAddresses(state, network).has(ipAddress);
  if (free && isGuestAddress(network, ipAddress)) return ipAddress;
  const address = ipAddress === undefined ? freeGuestAddress(state, network) : undefined;
  if (address === undefined) throw insufficientCapacity('Insufficient address capacity');
  return address;
}

/** A network with an IPv6 prefix gives every interface an address of it. */
function nextIp6Address(state: State, { id, ip6Cidr }: Network): string | undefined {
  if (ip6Cidr === undefined) return undefined;
  const given = state.networks.get(id)?.macsGiven ?? 0;
  return `${ip6Cidr.replace(/\/\d+$/, '')}${(given + 16).toString(16)}`;
}
