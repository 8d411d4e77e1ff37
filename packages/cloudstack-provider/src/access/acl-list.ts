import type { Scope } from '@cloudstack-ccm/base';
import type { Notice } from '@cloudstack-ccm/cloud-controllers';
import type { Commands } from '@cloudstack-ccm/cloudstack-client';
import { notice } from '../load-balancer/report/events.ts';
import type { NetworkFacts } from '../load-balancer/plan/network-facts.ts';

/** The network ACL list of a tier, if items can be added to it; else a word to the user. */
export type AclList =
  | { readonly list: { readonly id: string; readonly name: string }; readonly notice: undefined }
  | { readonly list: undefined; readonly notice: Notice | undefined };

const BUILT_IN = new Set(['default_allow', 'default_deny']);

export async function editableAclList(
  scope: Scope,
  client: Pick<Commands, 'listNetworkAclLists'>,
  network: NetworkFacts,
): Promise<AclList> {
  if (network.access !== 'network-acl') return { list: undefined, notice: undefined };
  const { aclId: id, aclName: name = '' } = network;
  if (id === undefined) return refusal(`tier ${network.name} has no network ACL list, so nothing was added to one`);
  if (BUILT_IN.has(name) && (await isBuiltIn(scope, client, id))) {
    return refusal(`tier ${network.name} uses the built-in network ACL list ${name}, to which nothing can be added`);
  }
  return { list: { id, name }, notice: undefined };
}

/** Built-in lists belong to no VPC. Their ids differ by installation, and a user may call his own list alike. */
async function isBuiltIn(scope: Scope, client: Pick<Commands, 'listNetworkAclLists'>, id: string): Promise<boolean> {
  const [list] = await client.listNetworkAclLists(scope, { id, listAll: true });
  return list === undefined || list.vpcId === undefined;
}

function refusal(what: string): AclList {
  return { list: undefined, notice: notice('NetworkAclNotEditable', what) };
}
