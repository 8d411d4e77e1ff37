import { parseBlock } from '../addresses.ts';
import { insufficientCapacity } from '../api-error.ts';
import type { Network, Nic } from '../state.ts';
import type { Backend } from './backend.ts';
import { freeGuestAddress, usedAddresses } from './guest-addresses.ts';
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
  const { network, ip6Address } = request;
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
  if (ipAddress !== undefined && !usedAddresses(state, network).has(ipAddress)) return ipAddress;
  const address = ipAddress === undefined ? freeGuestAddress(state, network) : undefined;
  if (address === undefined) throw insufficientCapacity('Insufficient address capacity');
  return address;
}
