import type { PublicIp } from '@cloudstack-ccm/cloudstack-client';

/** What may be done with an address. Reasons are sentences for a person. */
export type Usability =
  | { readonly kind: 'free' }
  | { readonly kind: 'usable' }
  /** It is on its way somewhere: look again later. */
  | { readonly kind: 'changing'; readonly reason: string }
  | { readonly kind: 'unusable'; readonly reason: string };

/** Where the address is wanted. */
export interface Destination {
  readonly id: string;
  readonly name: string;
  readonly vpcId: string | undefined;
}

export interface AddressOptions {
  /** Whether rules may be put on the address that an isolated network uses for source NAT. */
  readonly allowSourceNat: boolean;
}

/** Whether a load balancer of a network can use an address that these credentials see. */
export function usability(address: PublicIp, network: Destination, { allowSourceNat }: AddressOptions): Usability {
  const { ipAddress, state, allocated } = address;
  if ((state === 'Free') !== (allocated === undefined)) {
    const date = allocated === undefined ? 'no allocation date' : `the allocation date ${allocated}`;
    return unusable(`CloudStack's record of ${ipAddress} contradicts itself: state ${state}, but ${date}`);
  }
  if (state === 'Free') return { kind: 'free' };
  if (state !== 'Allocated') return { kind: 'changing', reason: `public IP ${ipAddress} is in state ${state}` };
  if (address.isSystem) return unusable(`public IP ${ipAddress} belongs to CloudStack itself`);
  if (address.isStaticNat) {
    const target = address.virtualMachineId === undefined ? '' : ` to virtual machine ${address.virtualMachineId}`;
    return unusable(`public IP ${ipAddress} is a static NAT${target}`);
  }
  return network.vpcId === undefined
    ? usabilityInNetwork(address, network, allowSourceNat)
    : usabilityInVpc(address, network, network.vpcId);
}

function usabilityInNetwork(address: PublicIp, network: Destination, allowSourceNat: boolean): Usability {
  if (address.associatedNetworkId !== network.id) {
    return unusable(`public IP ${address.ipAddress} is associated with ${placeOf(address)}, not with ${network.name}`);
  }
  if (address.isSourceNat && !allowSourceNat) {
    return unusable(`public IP ${address.ipAddress} is the source NAT address of network ${network.name}`);
  }
  return { kind: 'usable' };
}

function usabilityInVpc(address: PublicIp, network: Destination, vpcId: string): Usability {
  const { ipAddress, associatedNetworkId } = address;
  if (address.vpcId !== vpcId) {
    return unusable(
      `public IP ${ipAddress} is associated with ${placeOf(address)}, not with the VPC of ${network.name}`,
    );
  }
  // Rules would make the address lose its source NAT for good.
  if (address.isSourceNat) return unusable(`public IP ${ipAddress} is the source NAT address of the VPC`);
  if (associatedNetworkId !== undefined && associatedNetworkId !== network.id) {
    return unusable(
      `public IP ${ipAddress} is bound to ${placeOf(address)} by a rule, so ${network.name} cannot use it`,
    );
  }
  return { kind: 'usable' };
}

function placeOf({ associatedNetworkId, associatedNetworkName, vpcId }: PublicIp): string {
  if (associatedNetworkId !== undefined) return `network ${associatedNetworkName ?? associatedNetworkId}`;
  return vpcId === undefined ? 'no network' : `VPC ${vpcId}`;
}

function unusable(reason: string): Usability {
  return { kind: 'unusable', reason };
}
