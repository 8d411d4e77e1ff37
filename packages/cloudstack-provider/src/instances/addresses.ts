import type { NodeAddress, NodeView } from '@cloudstack-ccm/cloud-controllers';
import type { VirtualMachine } from '@cloudstack-ccm/cloudstack-client';
import { defaultNic } from '../inventory/nics.ts';
import { NodeUnresolvedError } from './errors.ts';

/**
 * The addresses of a node: those of its default network card, and the public one of a static NAT. There is no Hostname
 * among them: CloudStack's field of that name is the hypervisor's, and the kubelet knows its own.
 * @throws NodeUnresolvedError while the machine has no network card or no address
 */
export function addressesOf(node: NodeView, machine: VirtualMachine): readonly NodeAddress[] {
  const nic = defaultNic(machine);
  if (!nic) throw new NodeUnresolvedError(node.name, `virtual machine ${machine.name} has no network card`);
  const internal = [nic.ipAddress, nic.ip6Address].filter((address) => address !== undefined);
  if (internal.length === 0) {
    const reason = `virtual machine ${machine.name} (${machine.state}) has no address in network ${nic.networkName} yet`;
    throw new NodeUnresolvedError(node.name, reason);
  }
  const external = machine.publicIp ?? nic.publicIp;
  return [
    ...internal.map((address) => ({ type: 'InternalIP', address }) as const),
    ...(external === undefined ? [] : [{ type: 'ExternalIP', address: external } as const]),
  ];
}
