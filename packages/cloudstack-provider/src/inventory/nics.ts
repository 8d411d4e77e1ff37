import type { Nic, VirtualMachine } from '@cloudstack-ccm/cloudstack-client';

/** The default network card; where none is marked, the first with an address. CloudStack's order means nothing. */
export function defaultNic(machine: VirtualMachine): Nic | undefined {
  const { nics } = machine;
  return nics.find((nic) => nic.isDefault) ?? nics.find((nic) => nic.ipAddress ?? nic.ip6Address) ?? nics[0];
}

/** The machine's network card in a network. */
export function nicIn(machine: VirtualMachine, networkId: string): Nic | undefined {
  return machine.nics.find((nic) => nic.networkId === networkId);
}
