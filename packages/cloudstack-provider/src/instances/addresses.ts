import { cidrContains, parseCidr, parseIp, type Cidr, type IpAddress } from '@cloudstack-ccm/base';
import type { NodeAddress } from '@cloudstack-ccm/cloud-controllers';
import type { Nic, VirtualMachine } from '@cloudstack-ccm/cloudstack-client';
import { indexOfPattern } from '../cloud-config/network-pattern.ts';
import { DEFAULT_NODE_OPTIONS, type NodeOptions } from '../cloud-config/node-options.ts';

export interface MachineAddresses {
  readonly addresses: readonly NodeAddress[];
  /** Why there is no InternalIP; undefined when there is one. */
  readonly lack: string | undefined;
}

/** One address of a machine, and what its place among the others depends on. */
interface Place {
  readonly ip: IpAddress;
  readonly address: string;
  readonly nic: Nic;
  /** The place of the network card in the answer. */
  readonly card: number;
  readonly secondary: boolean;
  /** The place of the configured network that means it; 0 where none is configured, -1 where none of them does. */
  readonly network: number;
}

/**
 * The addresses of a node. Without options: InternalIPs are those of the default network card, ExternalIPs those of a
 * static NAT, and public addresses in shared networks. There is no Hostname among them: CloudStack's field of that name
 * is the hypervisor's, and the kubelet knows its own.
 */
export function addressesOf(machine: VirtualMachine, options: NodeOptions = DEFAULT_NODE_OPTIONS): MachineAddresses {
  const places = placesOf(machine, options);
  const chosen = choose(places, options);
  const external = externalAddresses(machine, places, chosen, options);
  const internal = internalAddresses(chosen, external, options);
  return {
    addresses: [
      ...internal.map((address) => ({ type: 'InternalIP', address }) as const),
      ...external.map((address) => ({ type: 'ExternalIP', address }) as const),
    ],
    lack: internal.length > 0 ? undefined : lackOf(machine),
  };
}

/** All addresses that may be used, in the order in which they count. */
function placesOf({ nics }: VirtualMachine, options: NodeOptions): readonly Place[] {
  const places = nics.flatMap((nic, card) => placesOn(nic, card, options));
  return places.toSorted((left, right) => difference(rank(left, options), rank(right, options)));
}

function placesOn(nic: Nic, card: number, options: NodeOptions): readonly Place[] {
  const own = [nic.ipAddress, nic.ip6Address].filter((address) => address !== undefined);
  const secondary = options.secondaryAddresses ? nic.secondaryIps : [];
  return [...own, ...secondary].flatMap((address, index) => {
    const ip = parseIp(address);
    const placed = { address, networkId: nic.networkId, networkName: nic.networkName };
    if (!ip || !isUsed(ip, options) || indexOfPattern(options.excludedNetworks, placed) >= 0) return [];
    const network = options.networks.length === 0 ? 0 : indexOfPattern(options.networks, placed);
    return [{ ip, address, nic, card, secondary: index >= own.length, network }];
  });
}

/** The default card, then the configured order, then the server's; on a card its own addresses first. */
function rank({ ip, nic, card, secondary, network }: Place, options: NodeOptions): readonly number[] {
  const first = options.networkOrder === 'default-first' && nic.isDefault ? 0 : 1;
  const without = options.networks.length === 0 && !nic.isDefault ? 1 : 0;
  return [first, network, without, card, secondary ? 1 : 0, options.families.indexOf(`ipv${ip.family}`)];
}

function difference(left: readonly number[], right: readonly number[]): number {
  const index = left.findIndex((value, at) => value !== right[at]);
  return index < 0 ? 0 : (left[index] ?? 0) - (right[index] ?? 0);
}

/** Those in the configured networks; without any, those of the first card that has an address. */
function choose(places: readonly Place[], { networks }: NodeOptions): readonly Place[] {
  if (networks.length > 0) return places.filter(({ network }) => network >= 0);
  const first = places.find(({ secondary }) => !secondary);
  return places.filter(({ card }) => card === first?.card);
}

function internalAddresses(
  chosen: readonly Place[],
  external: readonly string[],
  { externalSources }: NodeOptions,
): readonly string[] {
  const first = chosen[0]?.card;
  // The first card's own addresses are what the kubelet uses, also where they are public.
  const isInternal = ({ address, card, secondary, nic, ip }: Place): boolean => {
    if (card === first && !secondary) return true;
    const sharedAndPublic = nic.type === 'Shared' && externalSources.includes('shared') && isPublic(ip);
    return !external.includes(address) || (!secondary && !sharedAndPublic);
  };
  return unique(chosen.filter(isInternal).map(({ address }) => address));
}

function externalAddresses(
  machine: VirtualMachine,
  places: readonly Place[],
  chosen: readonly Place[],
  options: NodeOptions,
): readonly string[] {
  const { externalSources: sources, families, networks } = options;
  const inShared = places.filter((place) => place.nic.type === 'Shared' && !place.secondary);
  const found = [
    ...(sources.includes('static-nat') ? natAddresses(machine, options) : []),
    ...(sources.includes('shared') ? (networks.length > 0 ? inShared.filter(isIn(chosen)) : inShared) : []),
    ...(sources.includes('ipv6') ? chosen.filter(({ ip, secondary }) => ip.family === 6 && !secondary) : []),
    ...chosen.filter(({ secondary }) => secondary),
  ];
  const usable = found.filter((one) => 'nat' in one || isPublic(one.ip));
  const inOrder = families.flatMap((family) => usable.filter(({ ip }) => `ipv${ip.family}` === family));
  return unique(inOrder.map(({ address }) => address));
}

function isIn(chosen: readonly Place[]): (place: Place) => boolean {
  return (place) => chosen.includes(place);
}

/** An address of a static NAT belongs to the machine, whatever networks are chosen; but it can be excluded. */
function natAddresses(
  { publicIp, nics }: VirtualMachine,
  options: NodeOptions,
): readonly { readonly ip: IpAddress; readonly address: string; readonly nat: true }[] {
  const addresses = [publicIp, ...nics.map((nic) => nic.publicIp)].filter((address) => address !== undefined);
  return addresses.flatMap((address) => {
    const ip = parseIp(address);
    const excluded = indexOfPattern(options.excludedNetworks, { address, networkId: '', networkName: '' }) >= 0;
    return !ip || excluded || !isUsed(ip, options) ? [] : [{ ip, address, nat: true } as const];
  });
}

function isUsed({ family }: IpAddress, { families }: NodeOptions): boolean {
  return families.includes(`ipv${family}`);
}

/** Networks whose addresses mean nothing outside: RFC 1918, 6598, 3927, 1122, 4193, 4291. */
const NOT_PUBLIC: readonly Cidr[] = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '127.0.0.0/8',
  'fc00::/7',
  'fe80::/10',
  '::1/128',
]
  .map(parseCidr)
  .filter((cidr) => cidr !== undefined);

function isPublic(ip: IpAddress): boolean {
  return !NOT_PUBLIC.some((cidr) => cidrContains(cidr, ip));
}

function unique(addresses: readonly string[]): readonly string[] {
  return [...new Set(addresses)];
}

function lackOf({ name, state, nics }: VirtualMachine): string {
  if (nics.length === 0) return `virtual machine ${name} has no network card`;
  const known = nics.flatMap((nic) => [nic.ipAddress, nic.ip6Address].filter((address) => address !== undefined));
  const networks = [...new Set(nics.map(({ networkName }) => networkName))].join(', ');
  if (known.length === 0) return `virtual machine ${name} (${state}) has no address in network ${networks} yet`;
  return (
    `virtual machine ${name} has no address that cloud-config lets through: it has ${known.join(', ')} in ` +
    `network ${networks}; check node-networks, node-networks-exclude and node-address-families`
  );
}
