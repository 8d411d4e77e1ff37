import type { Network, NetworkService } from '@cloudstack-ccm/cloudstack-client';
import type { StickinessMethod } from '../annotations/stickiness.ts';

/** What decides whether traffic may enter: openings on the public address, items of an ACL list, or nothing of ours. */
export type AccessKind = 'firewall' | 'network-acl' | 'none';

/** What load balancing in a network depends on. */
export interface NetworkFacts {
  readonly id: string;
  readonly name: string;
  readonly zoneId: string;
  readonly offering: string;
  /** Undefined outside a VPC. */
  readonly vpcId: string | undefined;
  readonly hasLoadBalancing: boolean;
  /** Who does the load balancing, for example `VirtualRouter`; empty on releases that do not tell. */
  readonly providers: readonly string[];
  /** True if it is HAProxy on a virtual router, which balances TCP only although its capabilities name udp. */
  readonly virtualRouter: boolean;
  readonly access: AccessKind;
  /** The ACL list of a VPC tier; undefined when it has none. */
  readonly aclId: string | undefined;
  readonly aclName: string | undefined;
  /** Empty when the network does not tell. */
  readonly stickinessMethods: readonly StickinessMethod[];
}

export function networkFacts(network: Network): NetworkFacts {
  const balancing = network.services.get('Lb');
  return {
    id: network.id,
    name: network.name,
    zoneId: network.zoneId,
    offering: network.networkOfferingName,
    vpcId: network.vpcId,
    hasLoadBalancing: balancing !== undefined,
    providers: balancing?.providers ?? [],
    virtualRouter: balancing !== undefined && isVirtualRouter(balancing),
    access: accessKind(network),
    aclId: network.aclId,
    aclName: network.aclName,
    stickinessMethods: stickinessMethods(balancing?.capabilities.get('supportedstickinessmethods')),
  };
}

/** By the services the network offers, first of all: a VPC can have the Firewall service (4.23). */
function accessKind(network: Network): AccessKind {
  if (network.services.has('Firewall')) return 'firewall';
  return network.services.has('NetworkACL') ? 'network-acl' : 'none';
}

/** CloudStack up to 4.16 does not name providers. Only virtual routers know the protocol `tcp-proxy`. */
function isVirtualRouter({ providers, capabilities }: NetworkService): boolean {
  if (providers.length === 0) return capabilities.get('supportedprotocols')?.includes('tcp-proxy') ?? false;
  return providers.some((provider) => provider === 'VirtualRouter' || provider === 'VpcVirtualRouter');
}

/** CloudStack gives the methods as JSON inside a text. What cannot be read is not checked against. */
function stickinessMethods(text: string | undefined): readonly StickinessMethod[] {
  if (text === undefined) return [];
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed.flatMap(stickinessMethod) : [];
  } catch {
    return [];
  }
}

function stickinessMethod(entry: unknown): readonly StickinessMethod[] {
  const { methodname, paramlist } = record(entry);
  if (typeof methodname !== 'string') return [];
  const parameters = Array.isArray(paramlist) ? paramlist.map(record) : [];
  return [
    {
      name: methodname,
      parameters: parameters.map((one) => ({
        name: String(one['paramname']),
        required: one['required'] === true,
        flag: one['isflag'] === true,
      })),
    },
  ];
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
