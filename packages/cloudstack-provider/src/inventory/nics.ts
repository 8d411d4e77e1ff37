import type { Nic, VirtualMachine } from '@cloudstack-ccm/cloudstack-client';

/**
 * The default network card; where that has no address, as in an L2 network, the first that has one. CloudStack's order
 * means nothing.
 */
export function defaultNic(machine: VirtualMachine): Nic | undefined {
  const { nics } = machine;
  const marked = nics.find((nic) => nic.isDefault);
  if (marked && hasAddress(marked)) return marked;
  return nics.find(hasAddress) ?? marked ?? nics[0];
}

/** The machine's network card in a network. */
export function nicIn(machine: VirtualMachine, networkId: string): Nic | undefined {
  return machine.nics.find((nic) => nic.networkId === networkId);
}

function hasAddress(nic: Nic): boolean {
  return (nic.ipAddress ?? nic.ip6Address) !== undefined;
}
