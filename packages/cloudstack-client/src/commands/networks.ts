import { network, type Network } from '../entities/network.ts';
import type { Tag } from '../entities/tag.ts';
import { vpc, type Vpc } from '../entities/vpc.ts';
import { byId, listCommand } from './command.ts';

export type NetworkFilter = {
  /** An unknown id gives an empty list, not a NotFoundError, as soon as one project exists anywhere. */
  readonly id?: string | undefined;
  readonly zoneId?: string | undefined;
  readonly vpcId?: string | undefined;
  /** Part of the name. Filter again: wildcards are active, and the order is not defined. */
  readonly keyword?: string | undefined;
  readonly type?: 'isolated' | 'shared' | 'l2' | undefined;
  readonly listAll?: boolean | undefined;
  readonly tags?: readonly Tag[] | undefined;
};

export const listNetworks = listCommand<NetworkFilter, Network>({
  command: 'listNetworks',
  items: 'network',
  decode: network,
  takesProject: true,
  identify: byId,
});

export type VpcFilter = {
  readonly id?: string | undefined;
  /** Part of the name. */
  readonly name?: string | undefined;
  readonly zoneId?: string | undefined;
  readonly listAll?: boolean | undefined;
};

export const listVpcs = listCommand<VpcFilter, Vpc>({
  command: 'listVPCs',
  items: 'vpc',
  decode: vpc,
  takesProject: true,
  identify: byId,
});
