import { publicIp, type PublicIp } from '../entities/public-ip.ts';
import type { Tag } from '../entities/tag.ts';
import { byId, jobCommand, listCommand } from './command.ts';
import { success, under } from './results.ts';

export type PublicIpFilter = {
  readonly id?: string | undefined;
  /** Exact. */
  readonly ipAddress?: string | undefined;
  /** False also lists free addresses that the account may take. The server's default is true. */
  readonly allocatedOnly?: boolean | undefined;
  readonly state?: string | undefined;
  /** The guest network. An unknown one is an error 530 or 431. */
  readonly associatedNetworkId?: string | undefined;
  readonly vpcId?: string | undefined;
  readonly zoneId?: string | undefined;
  readonly isSourceNat?: boolean | undefined;
  readonly forVirtualNetwork?: boolean | undefined;
  /** True lists only addresses that carry load balancer rules now. */
  readonly forLoadBalancing?: boolean | undefined;
  readonly listAll?: boolean | undefined;
  /** Several tags are alternatives. */
  readonly tags?: readonly Tag[] | undefined;
};

export const listPublicIpAddresses = listCommand<PublicIpFilter, PublicIp>({
  command: 'listPublicIpAddresses',
  items: 'publicipaddress',
  decode: publicIp,
  takesProject: true,
  identify: byId,
});

/** One of network and VPC; a tier's address is associated with its VPC. */
export type AssociateIpAddress = {
  readonly networkId?: string | undefined;
  readonly vpcId?: string | undefined;
  /** A particular address. */
  readonly ipAddress?: string | undefined;
};

/**
 * Takes a public IP address. In an isolated network that has no source NAT address yet, the address becomes that one.
 * @throws CapacityError if none is free or the one asked for is taken, LimitExceededError
 */
export const associateIpAddress = jobCommand<AssociateIpAddress, PublicIp>({
  command: 'associateIpAddress',
  takesProject: true,
  decode: under('ipaddress', publicIp),
});

/**
 * Releases a public IP address and destroys every rule on it. Not idempotent: releasing a free address is an error
 * 530, and the id may meanwhile be another's address. List it first.
 */
export const disassociateIpAddress = jobCommand<{ readonly id: string }, void>({
  command: 'disassociateIpAddress',
  decode: success,
});
