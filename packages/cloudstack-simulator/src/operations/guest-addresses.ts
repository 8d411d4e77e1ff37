import { addressToNumber, numberToAddress, parseBlock } from '../addresses.ts';
import type { Network, State } from '../state.ts';

/** Addresses that machines and internal load balancers of the network hold, the gateway included. */
export function usedAddresses(state: State, network: Network): Set<string> {
  const used = new Set<string>();
  if (network.gateway !== undefined) used.add(network.gateway);
  for (const vm of state.virtualMachines.by('networkId', network.id)) {
    for (const nic of vm.nics) {
      if (nic.networkId !== network.id) continue;
      if (nic.ipAddress !== undefined) used.add(nic.ipAddress);
      for (const secondary of nic.secondaryIps) used.add(secondary.address);
    }
  }
  for (const { source } of state.loadBalancerRules.by('sourceNetworkId', network.id)) {
    if (source) used.add(source.address);
  }
  return used;
}

/** Whether machines may have the address: it is in the range that the network was made with, if it has one. */
export function isGuestAddress({ guestRange }: Network, address: string): boolean {
  if (!guestRange) return true;
  const [first, last] = guestRange;
  const number = addressToNumber(address);
  return addressToNumber(first) <= number && number <= addressToNumber(last);
}

/** The lowest free address at or after `from`; undefined when the network is full or has no addresses. */
export function freeGuestAddress(state: State, network: Network, from?: string): string | undefined {
  const block = network.cidr === undefined ? undefined : parseBlock(network.cidr);
  if (!block) return undefined;
  const used = usedAddresses(state, network);
  const [first, last] = network.guestRange?.map(addressToNumber) ?? [];
  const start = from === undefined ? (first ?? block.first + 2) : addressToNumber(from);
  const end = last ?? block.first + block.size - 2;
  for (let number = start; number <= end; number++) {
    const address = numberToAddress(number);
    if (!used.has(address)) return address;
  }
  return undefined;
}
