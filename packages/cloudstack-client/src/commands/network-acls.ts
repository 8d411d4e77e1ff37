import { networkAclItem, networkAclList, type NetworkAclItem, type NetworkAclList } from '../entities/network-acl.ts';
import type { Tag } from '../entities/tag.ts';
import { byId, jobCommand, listCommand } from './command.ts';
import { success, under } from './results.ts';

export type NetworkAclListFilter = {
  readonly id?: string | undefined;
  /** Exact. */
  readonly name?: string | undefined;
  readonly networkId?: string | undefined;
  /** The built-in lists are listed too. */
  readonly vpcId?: string | undefined;
  readonly listAll?: boolean | undefined;
};

export const listNetworkAclLists = listCommand<NetworkAclListFilter, NetworkAclList>({
  command: 'listNetworkACLLists',
  items: 'networkacllist',
  decode: networkAclList,
  takesProject: true,
  identify: byId,
});

export type NetworkAclItemFilter = {
  readonly id?: string | undefined;
  readonly aclId?: string | undefined;
  /** Wins over `aclId`. */
  readonly networkId?: string | undefined;
  readonly trafficType?: 'Ingress' | 'Egress' | undefined;
  readonly listAll?: boolean | undefined;
  /** Several tags are alternatives. */
  readonly tags?: readonly Tag[] | undefined;
};

export const listNetworkAclItems = listCommand<NetworkAclItemFilter, NetworkAclItem>({
  command: 'listNetworkACLs',
  items: 'networkacl',
  decode: networkAclItem,
  takesProject: true,
  exactCount: true,
  identify: byId,
});

export type CreateNetworkAclItem = {
  readonly aclId: string;
  /** Never `tcp-proxy`: the API refuses it. */
  readonly protocol: string;
  readonly startPort?: number | undefined;
  readonly endPort?: number | undefined;
  readonly cidrList: readonly string[];
  readonly trafficType: 'Ingress' | 'Egress';
  readonly action: 'Allow' | 'Deny';
  /** Default: one more than the highest, so after every other item. */
  readonly number?: number | undefined;
  readonly reason?: string | undefined;
};

/** There is no detection of duplicates: the same item may exist twice. */
export const createNetworkAclItem = jobCommand<CreateNetworkAclItem, NetworkAclItem>({
  command: 'createNetworkACL',
  decode: under('networkacl', networkAclItem),
});

/** What is left out stays as it is. */
export type UpdateNetworkAclItem = {
  readonly id: string;
  readonly protocol?: string | undefined;
  readonly startPort?: number | undefined;
  readonly endPort?: number | undefined;
  readonly cidrList?: readonly string[] | undefined;
  readonly trafficType?: 'Ingress' | 'Egress' | undefined;
  readonly action?: 'Allow' | 'Deny' | undefined;
  readonly number?: number | undefined;
  readonly reason?: string | undefined;
};

export const updateNetworkAclItem = jobCommand<UpdateNetworkAclItem, NetworkAclItem>({
  command: 'updateNetworkACLItem',
  decode: under('networkacl', networkAclItem),
});

export const deleteNetworkAclItem = jobCommand<{ readonly id: string }, void>({
  command: 'deleteNetworkACL',
  decode: success,
});
