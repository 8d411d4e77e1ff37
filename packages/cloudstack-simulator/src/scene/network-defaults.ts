import { InvalidInputError } from '@cloudstack-ccm/base';
import { netmaskOf, numberToAddress, parseBlock } from '../addresses.ts';
import type { Network } from '../state.ts';
import type { NetworkSpec } from './specs.ts';

/** The offering of a network that names none. */
export function defaultOffering({ vpc }: NetworkSpec): string {
  return vpc === undefined
    ? 'DefaultIsolatedNetworkOfferingWithSourceNatService'
    : 'DefaultIsolatedNetworkOfferingForVpcNetworks';
}

/** CIDR, gateway and netmask of a network. @throws InvalidInputError for what is no CIDR. */
export function addressing(cidr: string): Pick<Network, 'cidr' | 'gateway' | 'netmask'> {
  const block = parseBlock(cidr);
  if (!block) throw new InvalidInputError(`${cidr} is no IPv4 CIDR`);
  return { cidr, gateway: numberToAddress(block.first + 1), netmask: netmaskOf(block) };
}
