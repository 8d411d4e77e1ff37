import type { NetworkOffering, Service, VpcOffering } from '../state.ts';

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

const ISOLATED_SERVICES = services('Firewall StaticNat Dns SourceNat Lb PortForwarding Dhcp UserData Vpn', VR);
const SHARED: OfferingSeed = { ...BASE, guestType: 'Shared', specifyIpRanges: true, specifyVlan: true };
const LAYER_2: OfferingSeed = { ...BASE, guestType: 'L2' };
const TIER: OfferingSeed = { ...BASE, conserveMode: false, forVpc: true };
const NSX_SERVICES = services('Firewall StaticNat SourceNat Lb PortForwarding', 'Nsx');
const NSX_TIER_SERVICES = services('StaticNat SourceNat Lb PortForwarding NetworkACL', 'Nsx');

const SECURITY_GROUPS: Service = { name: 'SecurityGroup', providers: ['SecurityGroupProvider'] };

/** In the order of their internal ids. */
export const NETWORK_OFFERINGS: readonly OfferingSeed[] = [
  {
    ...SHARED,
    name: 'DefaultSharedNetworkOfferingWithSGService',
    displaytext: 'Offering for Shared Security group enabled networks',
    services: [...services('Dns Dhcp UserData', VR), SECURITY_GROUPS],
  },
  {
    ...SHARED,
    name: 'DefaultSharedNetworkOffering',
    displaytext: 'Offering for Shared networks',
    services: services('Dns Dhcp UserData', VR),
  },
  {
    ...SHARED,
    name: 'DefaultTungstenSharedNetworkOfferingWithSGService',
    displaytext: 'Offering for Tungsten Shared Security group enabled networks',
    services: services('Dns Dhcp UserData SecurityGroup', 'Tungsten'),
  },
  {
    ...BASE,
    name: 'DefaultIsolatedNetworkOfferingWithSourceNatService',
    displaytext: 'Offering for Isolated networks with Source Nat service enabled',
    availability: 'Required',
    services: ISOLATED_SERVICES,
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
    ...SHARED,
    name: 'DefaultSharedNetscalerEIPandELBNetworkOffering',
    displaytext: 'Offering for Shared networks with Elastic IP and Elastic LB capabilities',
    services: [...services('Dns Dhcp UserData', VR), SECURITY_GROUPS, ...services('StaticNat Lb', 'Netscaler')],
  },
  {
    ...TIER,
    name: 'DefaultIsolatedNetworkOfferingForVpcNetworks',
    displaytext: 'Offering for Isolated Vpc networks with Source Nat service enabled',
    services: services(TIER_SERVICES, VPC_VR),
  },
  {
    ...TIER,
    name: 'DefaultIsolatedNetworkOfferingForVpcNetworksNoLB',
    displaytext: 'Offering for Isolated Vpc networks with Source Nat service enabled and LB service Disabled',
    services: services(TIER_SERVICES.replace('Lb ', ''), VPC_VR),
  },
  {
    ...TIER,
    name: 'DefaultIsolatedNetworkOfferingForVpcNetworksWithInternalLB',
    displaytext: 'Offering for Isolated Vpc networks with Internal LB support',
    services: [...services(TIER_SERVICES.replace('Lb ', ''), VPC_VR), { name: 'Lb', providers: ['InternalLbVm'] }],
  },
  { ...LAYER_2, name: 'DefaultL2NetworkOffering', displaytext: 'Offering for L2 networks' },
  {
    ...LAYER_2,
    name: 'DefaultL2NetworkOfferingVlan',
    displaytext: 'Offering for L2 networks with Vlan',
    specifyVlan: true,
  },
  {
    ...LAYER_2,
    name: 'DefaultL2NetworkOfferingConfigDrive',
    displaytext: 'Offering for L2 networks with config drive user data',
    services: services('UserData', 'ConfigDrive'),
  },
  {
    ...LAYER_2,
    name: 'DefaultL2NetworkOfferingConfigDriveVlan',
    displaytext: 'Offering for L2 networks with config drive user data and Vlan',
    specifyVlan: true,
    services: services('UserData', 'ConfigDrive'),
  },
  {
    ...BASE,
    name: 'DefaultNATNSXNetworkOffering',
    displaytext: 'Offering for NSX enabled networks - NAT mode',
    services: [...NSX_SERVICES, ...services('Dns Dhcp UserData', VR)],
  },
  {
    ...BASE,
    name: 'DefaultRoutedNSXNetworkOffering',
    displaytext: 'Offering for NSX enabled networks - ROUTED mode',
    routed: true,
    services: [...services('Firewall', 'Nsx'), ...services('Dns Dhcp UserData', VR)],
  },
  {
    ...TIER,
    name: 'DefaultNATNSXNetworkOfferingForVpc',
    displaytext: 'Offering for NSX enabled networks on VPCs - NAT mode',
    services: [...NSX_TIER_SERVICES, ...services('Dns Dhcp UserData', VPC_VR)],
  },
  {
    ...TIER,
    name: 'DefaultRoutedNSXNetworkOfferingForVpc',
    displaytext: 'Offering for NSX enabled networks on VPCs - ROUTED mode',
    routed: true,
    services: [...services('NetworkACL', 'Nsx'), ...services('Dns Dhcp UserData', VPC_VR)],
  },
  {
    ...TIER,
    name: 'DefaultNATNSXNetworkOfferingForVpcWithInternalLB',
    displaytext: 'Offering for NSX enabled networks on VPCs with internal LB - NAT mode',
    services: [...NSX_TIER_SERVICES, ...services('Dns Dhcp UserData', VPC_VR)],
  },
  { ...SHARED, name: 'QuickCloudNoServices', displaytext: 'Offering for QuickCloud with no services' },
  {
    ...BASE,
    name: 'DefaultNetworkOfferingforKubernetesService',
    displaytext: 'Network Offering used for CloudStack Kubernetes service',
    availability: 'Required',
    egressDefaultPolicy: true,
    services: ISOLATED_SERVICES,
  },
  {
    ...BASE,
    name: 'DefaultNSXNetworkOfferingforKubernetesService',
    displaytext: 'Network Offering for NSX CloudStack Kubernetes Service',
    egressDefaultPolicy: true,
    services: [...NSX_SERVICES, ...services('Dns Dhcp UserData', VR)],
  },
  {
    ...TIER,
    name: 'DefaultNSXVPCNetworkOfferingforKubernetesService',
    displaytext: 'Network Offering for NSX CloudStack Kubernetes service on VPC',
    services: [...NSX_TIER_SERVICES, ...services('Dns Dhcp UserData', VPC_VR)],
  },
];

const VPC_SERVICES: readonly Service[] = [
  ...services('StaticNat Dns SourceNat', VPC_VR),
  { name: 'Lb', providers: [VPC_VR, 'InternalLbVm'] },
  ...services('NetworkACL PortForwarding Dhcp Vpn UserData', VPC_VR),
];

const NSX_VPC_SERVICES: readonly Service[] = [
  ...services('StaticNat SourceNat Lb NetworkACL PortForwarding Vpn', 'Nsx'),
  ...services('Dns Dhcp UserData', VPC_VR),
];

/** Names as CloudStack spells them, blanks included. */
export const VPC_OFFERINGS: readonly Omit<VpcOffering, 'id' | 'internalId' | 'created'>[] = [
  vpcOffering('Default VPC offering', VPC_SERVICES, true),
  vpcOffering('Default VPC  offering with Netscaler', [
    ...VPC_SERVICES.filter(({ name }) => name !== 'Lb'),
    { name: 'Lb', providers: ['InternalLbVm', 'Netscaler'] },
  ]),
  vpcOffering('Redundant VPC offering', VPC_SERVICES, true),
  { ...vpcOffering('VPC offering with NSX - NAT Mode', NSX_VPC_SERVICES), nsxMode: 'NATTED' },
  {
    ...vpcOffering('VPC offering with NSX - Route Mode', [
      ...services('SourceNat NetworkACL', 'Nsx'),
      ...services('Dns Dhcp UserData', VPC_VR),
    ]),
    nsxMode: 'ROUTED',
  },
];

function vpcOffering(
  name: string,
  offered: readonly Service[],
  isDefault = false,
): Omit<VpcOffering, 'id' | 'internalId' | 'created'> {
  return { name, displaytext: name, isDefault, state: 'Enabled', services: offered, conserveMode: false };
}

/** The first is that of virtual routers, which network offerings name. */
export const SERVICE_OFFERINGS = [
  {
    name: 'System Offering For Software Router',
    displaytext: 'System Offering For Software Router',
    cpuNumber: 1,
    cpuSpeed: 500,
    memory: 512,
    isSystem: true,
  },
  { name: 'Small Instance', displaytext: 'Small Instance', cpuNumber: 1, cpuSpeed: 500, memory: 512 },
  { name: 'Medium Instance', displaytext: 'Medium Instance', cpuNumber: 1, cpuSpeed: 1000, memory: 1024 },
] as const;
