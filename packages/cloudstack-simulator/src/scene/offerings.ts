import type { NetworkOffering, Service, State, VpcOffering } from '../state.ts';

/** What an installation offers out of the box, as far as it matters here. */

function services(names: string, provider: string): Service[] {
  return names.split(' ').map((name) => ({ name, providers: [provider] }));
}

const VR = 'VirtualRouter';
const VPC_VR = 'VpcVirtualRouter';

type OfferingSeed = Omit<NetworkOffering, 'id' | 'internalId' | 'created'>;

const BASE: OfferingSeed = {
  name: '',
  displaytext: '',
  guestType: 'Isolated',
  state: 'Enabled',
  availability: 'Optional',
  isDefault: true,
  conserveMode: true,
  forVpc: false,
  specifyIpRanges: false,
  specifyVlan: false,
  egressDefaultPolicy: false,
  services: [],
  routed: false,
};

const TIER_SERVICES = 'StaticNat Dns SourceNat Lb NetworkACL PortForwarding Dhcp UserData Vpn';

export const NETWORK_OFFERINGS: readonly OfferingSeed[] = [
  {
    ...BASE,
    name: 'DefaultSharedNetworkOfferingWithSGService',
    displaytext: 'Offering for Shared Security group enabled networks',
    guestType: 'Shared',
    specifyIpRanges: true,
    specifyVlan: true,
    services: [...services('Dns Dhcp UserData', VR), { name: 'SecurityGroup', providers: ['SecurityGroupProvider'] }],
  },
  {
    ...BASE,
    name: 'DefaultSharedNetworkOffering',
    displaytext: 'Offering for Shared networks',
    guestType: 'Shared',
    specifyIpRanges: true,
    specifyVlan: true,
    services: services('Dns Dhcp UserData', VR),
  },
  {
    ...BASE,
    name: 'DefaultIsolatedNetworkOfferingWithSourceNatService',
    displaytext: 'Offering for Isolated networks with Source Nat service enabled',
    availability: 'Required',
    services: services('Firewall StaticNat Dns SourceNat Lb PortForwarding Dhcp UserData Vpn', VR),
  },
  {
    ...BASE,
    name: 'DefaultIsolatedNetworkOffering',
    displaytext: 'Offering for Isolated networks with no Source Nat service',
    specifyIpRanges: true,
    specifyVlan: true,
    services: services('Dns Dhcp UserData', VR),
  },
  {
    ...BASE,
    name: 'DefaultIsolatedNetworkOfferingForVpcNetworks',
    displaytext: 'Offering for Isolated Vpc networks with Source Nat service enabled',
    conserveMode: false,
    forVpc: true,
    services: services(TIER_SERVICES, VPC_VR),
  },
  {
    ...BASE,
    name: 'DefaultIsolatedNetworkOfferingForVpcNetworksNoLB',
    displaytext: 'Offering for Isolated Vpc networks with Source Nat service enabled and LB service disabled',
    conserveMode: false,
    forVpc: true,
    services: services(TIER_SERVICES.replace('Lb ', ''), VPC_VR),
  },
  {
    ...BASE,
    name: 'DefaultIsolatedNetworkOfferingForVpcNetworksWithInternalLB',
    displaytext: 'Offering for Isolated Vpc networks with Internal Lb support',
    conserveMode: false,
    forVpc: true,
    services: [...services(TIER_SERVICES.replace('Lb ', ''), VPC_VR), { name: 'Lb', providers: ['InternalLbVm'] }],
  },
  { ...BASE, name: 'DefaultL2NetworkOffering', displaytext: 'Offering for L2 networks', guestType: 'L2' },
  {
    ...BASE,
    name: 'RoutedIsolatedNetwork',
    displaytext: 'Isolated network with dynamic routing, without NAT and load balancing',
    isDefault: false,
    routed: true,
    services: services('Firewall Dns Dhcp UserData', VR),
  },
];

const VPC_SERVICES: readonly Service[] = [
  ...services('StaticNat Dns SourceNat', VPC_VR),
  { name: 'Lb', providers: [VPC_VR, 'InternalLbVm'] },
  ...services('NetworkACL PortForwarding Dhcp Vpn UserData', VPC_VR),
];

export const VPC_OFFERINGS: readonly Omit<VpcOffering, 'id' | 'internalId' | 'created'>[] = [
  {
    name: 'Default VPC offering',
    displaytext: 'Default VPC offering',
    isDefault: true,
    state: 'Enabled',
    services: VPC_SERVICES,
    conserveMode: false,
  },
  {
    name: 'Redundant VPC offering',
    displaytext: 'Redundant VPC offering',
    isDefault: true,
    state: 'Enabled',
    services: VPC_SERVICES,
    conserveMode: false,
  },
];

export const SERVICE_OFFERINGS = [
  { name: 'Small Instance', displaytext: 'Small Instance', cpuNumber: 1, cpuSpeed: 500, memory: 512 },
  { name: 'Medium Instance', displaytext: 'Medium Instance', cpuNumber: 1, cpuSpeed: 1000, memory: 1024 },
] as const;

export function offeringByName(state: State, name: string): NetworkOffering | undefined {
  return state.networkOfferings.find((offering) => offering.name === name);
}
