import type { NodeView } from '@cloudstack-ccm/cloud-controllers';
import type { Nic, VirtualMachine } from '@cloudstack-ccm/cloudstack-client';

/** A running machine with one network card. */
export function machine(id: string, changes: Partial<VirtualMachine> = {}): VirtualMachine {
  return {
    id,
    name: id,
    displayName: '',
    state: 'Running',
    zoneId: 'zone-1',
    zoneName: 'zone-a',
    serviceOfferingId: 'offering-1',
    serviceOfferingName: '4C-8G',
    nics: [nic()],
    publicIp: undefined,
    tags: [],
    hypervisorName: undefined,
    affinityGroups: [],
    account: 'k8s',
    domainId: 'domain-1',
    projectId: undefined,
    ...changes,
  };
}

export function nic(changes: Partial<Nic> = {}): Nic {
  return {
    id: 'nic-1',
    networkId: 'net-1',
    networkName: 'net-iso',
    isDefault: true,
    type: 'Isolated',
    ipAddress: '10.1.1.11',
    ip6Address: undefined,
    secondaryIps: [],
    publicIp: undefined,
    vpcId: undefined,
    ...changes,
  };
}

/** @param machineId empty for a node without provider ID */
export function node(name: string, machineId = ''): NodeView {
  const providerId = machineId === '' || machineId.includes('://') ? machineId : `external-cloudstack://${machineId}`;
  return { name, uid: `uid-${name}`, providerId, labels: {}, annotations: {}, addresses: [] };
}
