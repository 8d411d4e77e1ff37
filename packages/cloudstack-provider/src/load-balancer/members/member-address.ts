import { cidrContains, parseCidr, parseIp } from '@cloudstack-ccm/base';
import type { Nic, VirtualMachine } from '@cloudstack-ccm/cloudstack-client';
import { nicIn } from '../../inventory/nics.ts';

/** Which of its addresses in the network of a load balancer a machine gets traffic on. */
export interface MemberAddress {
  readonly address: string;
  /** True for the one that CloudStack takes unless it is told another. */
  readonly usual: boolean;
}

/** @param ranges CIDRs that the address has to be in; undefined: the one of the network card */
export function memberAddress(
  vm: VirtualMachine,
  networkId: string,
  ranges: readonly string[] | undefined,
): MemberAddress | undefined {
  const nic = nicIn(vm, networkId);
  const address = nic && addressIn(nic, ranges);
  return address === undefined ? undefined : { address, usual: address === nic?.ipAddress };
}

/** The address of the card, then its secondary ones: the first that is in one of the ranges. */
export function addressIn({ ipAddress, secondaryIps }: Nic, ranges: readonly string[] | undefined): string | undefined {
  if (ipAddress === undefined || !ranges) return ipAddress;
  return [ipAddress, ...secondaryIps].find((one) => isIn(ranges, one));
}

function isIn(ranges: readonly string[], text: string): boolean {
  const address = parseIp(text);
  return (
    address !== undefined &&
    ranges.some((range) => {
      const cidr = parseCidr(range);
      return cidr !== undefined && cidrContains(cidr, address);
    })
  );
}
