import type { JsonObject } from '../json.ts';
import type { Service } from '../state.ts';
import { STICKINESS_METHODS } from '../stickiness-methods.ts';

type Capability = readonly [name: string, value: string, canChoose?: boolean];

const LB_METHODS = JSON.stringify(
  STICKINESS_METHODS.map(({ name, description, parameters }) => ({
    methodname: name,
    paramlist: parameters.map((parameter) => ({
      paramname: parameter.name,
      required: false,
      isflag: parameter.isFlag,
      description: ' ',
    })),
    description,
  })),
);

const AUTOSCALE_COUNTERS = JSON.stringify(
  ['CPU', 'MEMORY', 'VIRTUALROUTER'].map((methodname) => ({ methodname, paramlist: [] })),
);

const CAPABILITIES: Readonly<Record<string, readonly Capability[]>> = {
  Firewall: [
    ['SupportedTrafficDirection', 'ingress, egress'],
    ['TrafficStatistics', 'per public ip'],
    ['SupportedProtocols', 'tcp,udp,icmp'],
    ['MultipleIps', 'true'],
    ['SupportedEgressProtocols', 'tcp,udp,icmp, all'],
  ],
  StaticNat: [
    ['ElasticIp', 'false'],
    ['AssociatePublicIP', 'true'],
  ],
  Dns: [['AllowDnsSuffixModification', 'true']],
  SourceNat: [
    ['SupportedSourceNatTypes', 'peraccount', true],
    ['RedundantRouter', 'false', true],
  ],
  Lb: [
    ['SupportedLbAlgorithms', 'roundrobin,leastconn,source'],
    ['AutoScaleCounters', AUTOSCALE_COUNTERS],
    ['LbSchemes', 'Public'],
    ['SupportedLBIsolation', 'dedicated', true],
    ['SupportedStickinessMethods', LB_METHODS],
    ['SupportedProtocols', 'tcp, udp, tcp-proxy'],
    ['VmAutoScaling', 'true'],
    ['ElasticLb', 'false'],
    ['InlineMode', 'false'],
  ],
  PortForwarding: [['SupportedProtocols', 'tcp,udp']],
  Dhcp: [['DhcpAccrossMultipleSubnets', 'true']],
  Vpn: [
    ['VpnTypes', 'removeaccessvpn'],
    ['SupportedVpnTypes', 'pptp,l2tp,ipsec'],
  ],
  NetworkACL: [['SupportedProtocols', 'tcp,udp,icmp']],
};

const OWN_STATIC_NAT: readonly Capability[] = [
  ['ElasticIp', 'false'],
  ['AssociatePublicIP', 'false'],
];

const VPC_CAPABILITIES: Readonly<Record<string, readonly Capability[]>> = {
  Vpn: [
    ['VpnTypes', 's2svpn'],
    ['SupportedVpnTypes', 'pptp,l2tp,ipsec'],
  ],
};

interface NetworkServiceOptions {
  /** The router ends TLS. */
  readonly sslTermination: boolean;
  /** Made with an offering of the installation; those that administrators make say so in one capability. */
  readonly defaultOffering: boolean;
  /** Old releases leave the providers out. */
  readonly providers: boolean;
}

/** A service of a network, with the provider at work and what that can do. */
export function showNetworkService(service: Service, options: NetworkServiceOptions): JsonObject {
  const shown = options.providers ? showService(service) : { name: service.name };
  return { ...shown, capability: capabilitiesOf(service, options).map(showCapability) };
}

function capabilitiesOf({ name, providers }: Service, options: NetworkServiceOptions): readonly Capability[] {
  const ofProvider = providers[0] === 'VpcVirtualRouter' ? VPC_CAPABILITIES[name] : undefined;
  const capabilities = ofProvider ?? CAPABILITIES[name] ?? [];
  if (name === 'Lb' && options.sslTermination) return [...capabilities, ['SslTermination', 'true']];
  if (name === 'StaticNat' && !options.defaultOffering) return OWN_STATIC_NAT;
  return capabilities;
}

export function showService(service: Service): JsonObject {
  return { name: service.name, provider: service.providers.map((name) => ({ name })) };
}

/** An offering tells less of what its services can do than a network made from it. */
const OFFERED: Readonly<Record<string, readonly Capability[]>> = {
  StaticNat: [
    ['ElasticIp', 'false'],
    ['AssociatePublicIP', 'true'],
  ],
  SourceNat: [
    ['SupportedSourceNatTypes', 'peraccount'],
    ['RedundantRouter', 'false'],
  ],
  Lb: [
    ['SupportedLBIsolation', 'dedicated'],
    ['ElasticLb', 'false'],
    ['InlineMode', 'false'],
    ['VmAutoScaling', 'true'],
  ],
};

export function showOfferedService(service: Service): JsonObject {
  const capabilities = OFFERED[service.name];
  return { ...showService(service), capability: capabilities?.map(showCapability) };
}

function showCapability([name, value, canChoose = false]: Capability): JsonObject {
  return { name, value, canchooseservicecapability: canChoose };
}
