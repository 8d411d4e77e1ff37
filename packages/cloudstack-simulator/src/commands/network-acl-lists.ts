import { checkAccess, denied, mayOperate } from '../access.ts';
import { invalidValue, permissionDenied, unexpected } from '../api-error.ts';
import { isRoot, type Call } from '../call.ts';
import { sameText } from '../collation.ts';
import { asynchronous, create, list } from '../command.ts';
import type { JsonObject } from '../json.ts';
import { like } from '../paging.ts';
import { PAGE, SCOPE } from '../parameter.ts';
import { resolveScope } from '../scope.ts';
import type { AclList } from '../state.ts';

function showAclList(acl: AclList, call: Call): JsonObject {
  const vpc = acl.vpcId === undefined ? undefined : call.state.vpcs.get(acl.vpcId);
  return {
    id: acl.id,
    name: acl.name,
    description: acl.description,
    vpcid: vpc?.id,
    vpcname: vpc?.name,
    fordisplay: isRoot(call) ? acl.display !== false : undefined,
  };
}

/** The owner of a list: that of its VPC. The default lists have none. */
export function aclListOwner(call: Call, acl: AclList): string | undefined {
  return acl.vpcId === undefined ? undefined : call.state.vpcs.get(acl.vpcId)?.accountId;
}

function shown(call: Call, id: string): { readonly networkacllist: JsonObject } {
  const acl = call.state.aclLists.get(id);
  if (!acl) throw unexpected('Failed to create network ACL list');
  return { networkacllist: showAclList(acl, call) };
}

export const networkAclListCommands = [
  list({
    name: 'listNetworkACLLists',
    description: 'Lists all network ACLs',
    item: 'networkacllist',
    parameters: {
      ...PAGE,
      ...SCOPE,
      id: { type: 'uuid', of: 'acl-list' },
      networkid: { type: 'uuid', of: 'network' },
      vpcid: { type: 'uuid', of: 'vpc' },
      name: { type: 'string' },
      fordisplay: { type: 'boolean', rootOnly: true },
    },
    select: (call, values) => {
      const { id, networkid, vpcid, name, keyword } = values;
      const { state } = call;
      const scope = resolveScope(call, { ...values, id: undefined, listall: values.listall ?? isRoot(call) });
      const ofNetwork = networkid === undefined ? undefined : state.networks.get(networkid)?.aclListId;
      return state.aclLists
        .filter((acl) => {
          const owner = aclListOwner(call, acl);
          return (
            (owner === undefined || scope.includes(owner)) &&
            (id === undefined || acl.id === id) &&
            (networkid === undefined || acl.id === ofNetwork) &&
            (vpcid === undefined || acl.vpcId === undefined || acl.vpcId === vpcid) &&
            (name === undefined || sameText(acl.name, name)) &&
            (keyword === undefined || like(acl.name, keyword) || like(acl.description, keyword))
          );
        })
        .toReversed();
    },
    show: showAclList,
  }),
  create({
    name: 'createNetworkACLList',
    description: 'Creates a network ACL for the given VPC',
    commandClass: 'user.network.CreateNetworkACLListCmd',
    instanceType: 'NetworkAcl',
    namesInstance: false,
    event: 'NETWORK.ACL.CREATE',
    parameters: {
      name: { type: 'string', required: true },
      description: { type: 'string' },
      vpcid: { type: 'uuid', of: 'vpc' },
      fordisplay: { type: 'boolean', rootOnly: true },
    },
    create: (call, { name, description, vpcid }) => {
      const { state, random } = call;
      if (vpcid === undefined && !isRoot(call)) throw permissionDenied('Only Root Admin can create global ACLs.');
      const vpc = vpcid === undefined ? undefined : state.vpcs.get(vpcid);
      if (vpc) checkAccess(call, vpc.accountId);
      return state.aclLists.add({
        id: random.uuid(),
        name,
        ...(description !== undefined && { description }),
        ...(vpc && { vpcId: vpc.id }),
        isDefault: false,
      }).id;
    },
    run: async (call, _, id, job) => {
      await job.work();
      return shown(call, id);
    },
  }),
  asynchronous({
    name: 'updateNetworkACLList',
    description: 'Updates network ACL list',
    commandClass: 'user.network.UpdateNetworkACLListCmd',
    event: 'NETWORK.ACL.UPDATE',
    parameters: {
      id: { type: 'uuid', of: 'acl-list', required: true },
      name: { type: 'string', since: '4.13' },
      description: { type: 'string', since: '4.13' },
    },
    run: async (call, { id, name, description }, job) => {
      const acl = call.state.aclLists.get(id);
      const owner = acl && aclListOwner(call, acl);
      if (acl?.isDefault) throw invalidValue('Default ACL cannot be modified');
      if (owner !== undefined && !mayOperate(call, owner)) throw denied(call);
      await job.work();
      call.state.aclLists.update(id, {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
      });
      return { success: true };
    },
  }),
  asynchronous({
    name: 'replaceNetworkACLList',
    description: 'Replaces ACL associated with a network or private gateway',
    commandClass: 'user.network.ReplaceNetworkACLListCmd',
    event: 'NETWORK.ACL.REPLACE',
    parameters: {
      aclid: { type: 'uuid', of: 'acl-list', required: true },
      networkid: { type: 'uuid', of: 'network' },
      gatewayid: { type: 'string' },
    },
    // Nobody checks whose the tier is: the real server lets anybody replace its list.
    run: async (call, { aclid, networkid, gatewayid }, job) => {
      const { state } = call;
      if (networkid === undefined && gatewayid === undefined) {
        throw unexpected("Network ID and private gateway can't be null at the same time");
      }
      if (networkid !== undefined && gatewayid !== undefined) {
        throw unexpected("Network ID and private gateway can't be passed at the same time");
      }
      const network = state.networks.get(networkid ?? '');
      const acl = state.aclLists.get(aclid);
      if (!network) throw invalidValue('Unable to find specified Network');
      if (network.vpcId === undefined) throw invalidValue(`Network is not part of a VPC: ${network.id}`);
      if (acl?.vpcId !== undefined && acl.vpcId !== network.vpcId) {
        throw invalidValue(`Network: ${network.id} and ACL: ${aclid} do not belong to the same VPC`);
      }
      await job.work();
      state.networks.update(network.id, { aclListId: aclid });
      return { success: true };
    },
  }),
  asynchronous({
    name: 'deleteNetworkACLList',
    description: 'Deletes a network ACL',
    commandClass: 'user.network.DeleteNetworkACLListCmd',
    instanceType: 'NetworkAcl',
    event: 'NETWORK.ACL.DELETE',
    parameters: { id: { type: 'uuid', of: 'acl-list', required: true } },
    run: async (call, { id }, job) => {
      const { state } = call;
      const acl = state.aclLists.get(id);
      if (!acl) throw invalidValue('Unable to find specified ACL');
      if (acl.isDefault) throw invalidValue('Default ACL cannot be removed');
      const owner = aclListOwner(call, acl);
      if (owner !== undefined && !mayOperate(call, owner)) throw denied(call);
      await job.work();
      const tiers = state.networks.by('aclListId', id).filter((tier) => tier.removed === undefined).length;
      if (tiers > 0) {
        throw unexpected(`ACL is still associated with ${tiers} tier(s). Cannot delete network ACL: ${id}`);
      }
      for (const item of state.aclItems.by('listId', id)) state.aclItems.delete(item.id);
      state.aclLists.delete(id);
      return { success: true };
    },
  }),
];
