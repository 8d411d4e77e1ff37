import { checkAccess } from '../access.ts';
import { invalidValue, permissionDenied, serverError, unexpected } from '../api-error.ts';
import { isRoot, type Call } from '../call.ts';
import { asynchronous, create, list } from '../command.ts';
import type { JsonObject } from '../json.ts';
import { like } from '../paging.ts';
import { PAGE, SCOPE } from '../parameter.ts';
import { resolveScope } from '../scope.ts';
import type { AclItem, AclList } from '../state.ts';
import { showRuleState } from '../views/rule-state.ts';
import { showTags } from '../views/tags.ts';
import { isCidr } from './cidr.ts';
import { aclListOwner } from './network-acl-lists.ts';
import { tagFilter } from './scoped-rows.ts';

interface Fields {
  readonly protocol?: string | undefined;
  readonly startport?: number | undefined;
  readonly endport?: number | undefined;
  readonly cidrlist?: readonly string[] | undefined;
  readonly icmptype?: number | undefined;
  readonly icmpcode?: number | undefined;
  readonly traffictype?: string | undefined;
  readonly number?: number | undefined;
  readonly action?: string | undefined;
  readonly reason?: string | undefined;
}

interface NewItem extends Fields {
  readonly aclid?: string | undefined;
  readonly networkid?: string | undefined;
}

function showAclItem(item: AclItem, call: Call): JsonObject {
  return {
    id: item.id,
    protocol: item.protocol,
    startport: item.startPort === undefined ? undefined : String(item.startPort),
    endport: item.endPort === undefined ? undefined : String(item.endPort),
    traffictype: item.trafficType,
    state: showRuleState(item.state),
    cidrlist: item.cidrs.join(','),
    icmptype: item.icmpType,
    icmpcode: item.icmpCode,
    tags: showTags(call, item.id),
    aclid: item.listId,
    aclname: call.state.aclLists.get(item.listId)?.name,
    number: item.number,
    action: item.action,
    reason: item.reason,
    fordisplay: isRoot(call) ? item.display !== false : undefined,
  };
}

/** The list that a new item goes into. A tier without one gets one. */
function listFor(call: Call, { aclid, networkid }: NewItem): AclList {
  const { state, random } = call;
  if (aclid !== undefined) return state.aclLists.get(aclid) ?? missingList();
  if (networkid === undefined) {
    throw invalidValue('Cannot create Network ACL Item. ACL Id or network Id is required');
  }
  const network = state.networks.get(networkid);
  if (!network) throw unexpected('Unable to find network');
  if (network.vpcId === undefined) throw invalidValue(`Network: ${network.id} does not belong to VPC`);
  checkAccess(call, network.accountId);
  if (network.aclListId !== undefined) return state.aclLists.get(network.aclListId) ?? missingList();
  const vpc = state.vpcs.get(network.vpcId);
  const name = `VPC_${vpc?.name}_Tier_${network.name}_ACL_${network.id}`;
  const made = state.aclLists.add({
    id: random.uuid(),
    name,
    description: `ACL for ${name}`,
    vpcId: network.vpcId,
    isDefault: false,
  });
  state.networks.update(network.id, { aclListId: made.id });
  return made;
}

function missingList(): never {
  throw invalidValue('Unable to find specified ACL');
}

function checkList(call: Call, acl: AclList): void {
  if (acl.isDefault) throw invalidValue('Default ACL cannot be modified');
  const owner = aclListOwner(call, acl);
  if (owner !== undefined) checkAccess(call, owner);
  else if (!isRoot(call)) throw permissionDenied('Only Root Admins can create rules for a global ACL.');
}

const PROTOCOLS = new Set(['tcp', 'udp', 'icmp', 'all']);

/** As the caller spelt it; only the number of ICMP becomes its name. */
function readProtocol(protocol: string): string {
  if (/^\d+$/.test(protocol)) {
    if (Number(protocol) > 255) throw invalidValue(`Invalid protocol number: ${protocol}`);
    return protocol === '1' ? 'icmp' : protocol;
  }
  if (PROTOCOLS.has(protocol.toLowerCase())) return protocol;
  throw invalidValue(`Invalid protocol [${protocol}]. Expected one of: [tcp,udp,icmp,all]`);
}

function checkPorts(protocol: string, start: number | undefined, end: number | undefined): void {
  if (protocol.toLowerCase() === 'all' && (start !== undefined || end !== undefined)) {
    throw invalidValue("start port and end port must be null if protocol = 'all'");
  }
  const bad = (port: number | undefined): boolean => port !== undefined && (port < 0 || port > 65_535);
  if (bad(start)) throw invalidValue(`Start public port is an invalid value: ${start}`);
  if (bad(end)) throw invalidValue(`End public port is an invalid value: ${end}`);
  if (start !== undefined && end !== undefined && start > end) {
    throw invalidValue(`Start port can't be bigger than end port [startport=${start},endport=${end}]`);
  }
}

function checkIcmp(protocol: string, { startport, icmptype, icmpcode }: Fields): void {
  const icmp = protocol.toLowerCase() === 'icmp';
  if (!icmp && (icmptype !== undefined || icmpcode !== undefined)) {
    throw invalidValue('Can specify icmpCode and icmpType for ICMP protocol only');
  }
  if (icmp && startport !== undefined) throw invalidValue("Can't specify start/end port when protocol is ICMP");
}

type Shape = Pick<
  AclItem,
  'protocol' | 'startPort' | 'endPort' | 'icmpType' | 'icmpCode' | 'cidrs' | 'trafficType' | 'action'
>;

function readShape(fields: Fields & { readonly protocol: string }): Shape {
  const { startport, endport = startport, icmptype, icmpcode, cidrlist = ['0.0.0.0/0', '::/0'] } = fields;
  const protocol = readProtocol(fields.protocol);
  checkPorts(protocol, startport, endport);
  checkCidrs(cidrlist);
  checkIcmp(protocol, fields);
  return {
    protocol,
    ...(startport !== undefined && { startPort: startport }),
    ...(endport !== undefined && { endPort: endport }),
    ...(protocol.toLowerCase() === 'icmp' && { icmpType: icmptype ?? -1, icmpCode: icmpcode ?? -1 }),
    cidrs: cidrlist,
    trafficType: readTrafficType(fields.traffictype ?? 'Ingress'),
    action: readAction(fields.action ?? 'Allow'),
  };
}

function checkCidrs(cidrs: readonly string[]): void {
  const bad = cidrs.find((cidr) => !isCidr(cidr));
  if (bad !== undefined) throw serverError(431, `Source cidrs formatting error ${bad}`);
}

function readTrafficType(text: string): 'Ingress' | 'Egress' {
  if (text.toLowerCase() === 'ingress') return 'Ingress';
  if (text.toLowerCase() === 'egress') return 'Egress';
  throw invalidValue(`Invalid traffic type ${text}`);
}

function readAction(text: string): 'Allow' | 'Deny' {
  if (text.toLowerCase() === 'allow') return 'Allow';
  if (text.toLowerCase() === 'deny') return 'Deny';
  throw invalidValue(`Invalid action [${text}]. Permitted actions are Allow and Deny`);
}

function checkNumber(call: Call, acl: AclList, number: number, itemId?: string): void {
  if (number < 1) throw invalidValue(`Invalid number [${number}]. Number cannot be < 1`);
  const taken = call.state.aclItems.by('listId', acl.id).some((item) => item.number === number && item.id !== itemId);
  if (taken) throw invalidValue(`ACL item with number ${number} already exists in ACL: ${acl.id}`);
}

function nextNumber(call: Call, acl: AclList): number {
  return Math.max(0, ...call.state.aclItems.by('listId', acl.id).map((item) => item.number)) + 1;
}

function shown(call: Call, id: string): { readonly networkacl: JsonObject } {
  const item = call.state.aclItems.get(id);
  if (!item) throw unexpected('Failed to find network ACL item');
  return { networkacl: showAclItem(item, call) };
}

const FIELDS = {
  startport: { type: 'integer' },
  endport: { type: 'integer' },
  cidrlist: { type: 'list' },
  icmptype: { type: 'integer' },
  icmpcode: { type: 'integer' },
  traffictype: { type: 'string' },
  number: { type: 'integer' },
  action: { type: 'string' },
  reason: { type: 'string', length: 2500, since: '4.12' },
  fordisplay: { type: 'boolean', rootOnly: true },
} as const;

function updateItem(call: Call, before: AclItem, acl: AclList, fields: Fields, partial: boolean): void {
  if (!partial && !fields.cidrlist) throw unexpected('Cannot invoke "java.util.List.size()" because "cidrs" is null');
  const old: Fields = partial
    ? {
        protocol: before.protocol,
        startport: before.startPort,
        endport: before.endPort,
        icmptype: before.icmpType,
        icmpcode: before.icmpCode,
        cidrlist: before.cidrs,
        traffictype: before.trafficType,
        action: before.action,
      }
    : {};
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const merged: Fields = { ...old, ...given };
  const { number = before.number, reason = partial ? before.reason : undefined } = fields;
  const shape = readShape({ ...merged, protocol: merged.protocol ?? before.protocol });
  checkNumber(call, acl, number, before.id);
  const { id, internalId, listId } = before;
  call.state.aclItems.replace({
    id,
    internalId,
    listId,
    ...shape,
    number,
    ...(reason !== undefined && { reason }),
    state: 'Add',
  });
}

function itemAndList(call: Call, id: string): { readonly item: AclItem; readonly acl: AclList } {
  const item = call.state.aclItems.get(id);
  const acl = item && call.state.aclLists.get(item.listId);
  if (!item || !acl) throw invalidValue('Unable to find ACL Item');
  return { item, acl };
}

/** Puts an item between two others, moving those behind it up if there is no number left. */
function move(call: Call, item: AclItem, previousId: string | undefined, nextId: string | undefined): void {
  const { aclItems } = call.state;
  const [previous, next] = [previousId, nextId].map((id) => (id === undefined ? undefined : aclItems.get(id)?.number));
  const number = previous === undefined ? Math.max(1, (next ?? 2) - 1) : previous + 1;
  const behind = aclItems
    .by('listId', item.listId)
    .filter((one) => one.id !== item.id && one.number >= number)
    .sort((a, b) => a.number - b.number);
  let free = number;
  for (const one of behind) {
    if (one.number > free) break;
    free = one.number + 1;
    aclItems.update(one.id, { number: free });
  }
  aclItems.update(item.id, { number });
}

export const networkAclCommands = [
  list({
    name: 'listNetworkACLs',
    description: 'Lists all network ACL items',
    item: 'networkacl',
    parameters: {
      ...PAGE,
      ...SCOPE,
      id: { type: 'uuid', of: 'acl-item' },
      networkid: { type: 'uuid', of: 'network' },
      traffictype: { type: 'string' },
      aclid: { type: 'uuid', of: 'acl-list' },
      protocol: { type: 'string' },
      action: { type: 'string' },
      fordisplay: { type: 'boolean', rootOnly: true },
    },
    select: (call, values) => {
      const { state } = call;
      const network = values.networkid === undefined ? undefined : state.networks.get(values.networkid);
      if (values.networkid !== undefined && !network) throw unexpected('Unable to find network');
      if (network && network.aclListId === undefined) return [];
      const listId = network?.aclListId ?? values.aclid;
      const scope = resolveScope(call, { ...values, id: undefined, listall: values.listall ?? isRoot(call) });
      const tagged = tagFilter(call, values.tags);
      const { id, traffictype, protocol, action, keyword } = values;
      const mine = (item: AclItem): boolean => {
        const acl = state.aclLists.get(item.listId);
        const owner = acl && aclListOwner(call, acl);
        return owner === undefined || scope.includes(owner);
      };
      return state.aclItems
        .filter(
          (item) =>
            mine(item) &&
            (listId === undefined || item.listId === listId) &&
            (id === undefined || item.id === id) &&
            (traffictype === undefined || item.trafficType.toLowerCase() === traffictype.toLowerCase()) &&
            (protocol === undefined || item.protocol.toLowerCase() === protocol.toLowerCase()) &&
            (action === undefined || item.action.toLowerCase() === action.toLowerCase()) &&
            (keyword === undefined || like(item.protocol, keyword) || like(String(item.number), keyword)) &&
            (tagged === undefined || tagged.has(item.id)),
        )
        .toReversed();
    },
    show: showAclItem,
  }),
  create({
    name: 'createNetworkACL',
    description: 'Creates a ACL rule in the given network (the network has to belong to VPC)',
    commandClass: 'user.network.CreateNetworkACLCmd',
    instanceType: 'NetworkAclItem',
    namesInstance: false,
    event: 'NETWORK.ACL.ITEM.CREATE',
    parameters: {
      protocol: { type: 'string', required: true },
      ...FIELDS,
      networkid: { type: 'uuid', of: 'network' },
      aclid: { type: 'uuid', of: 'acl-list' },
    },
    create: (call, values) => {
      const acl = listFor(call, values);
      checkList(call, acl);
      const shape = readShape(values);
      if (values.number !== undefined) checkNumber(call, acl, values.number);
      return call.state.aclItems.add({
        id: call.random.uuid(),
        listId: acl.id,
        ...shape,
        number: values.number ?? nextNumber(call, acl),
        ...(values.reason !== undefined && { reason: values.reason }),
        state: 'Add',
      }).id;
    },
    run: async (call, _, id, job) => {
      await job.work();
      call.state.aclItems.update(id, { state: 'Active' });
      return shown(call, id);
    },
  }),
  asynchronous({
    name: 'updateNetworkACLItem',
    description: 'Updates ACL item with specified ID',
    commandClass: 'user.network.UpdateNetworkACLItemCmd',
    envelope: 'createnetworkaclresponse',
    instanceType: 'NetworkAclItem',
    event: 'NETWORK.ACL.ITEM.UPDATE',
    parameters: {
      id: { type: 'uuid', of: 'acl-item', required: true },
      protocol: { type: 'string' },
      ...FIELDS,
      partialupgrade: { type: 'boolean', since: '4.12' },
    },
    run: async (call, { id, partialupgrade = true, ...fields }, job) => {
      const { item, acl } = itemAndList(call, id);
      checkList(call, acl);
      updateItem(call, item, acl, fields, partialupgrade);
      const result = shown(call, id);
      await job.work();
      call.state.aclItems.update(id, { state: 'Active' });
      return result;
    },
  }),
  asynchronous({
    name: 'deleteNetworkACL',
    description: 'Deletes a network ACL',
    commandClass: 'user.network.DeleteNetworkACLCmd',
    instanceType: 'NetworkAclItem',
    event: 'NETWORK.ACL.ITEM.DELETE',
    parameters: { id: { type: 'uuid', of: 'acl-item', required: true } },
    run: async (call, { id }, job) => {
      const { acl } = itemAndList(call, id);
      if (acl.isDefault) throw invalidValue('ACL Items in default ACL cannot be deleted');
      checkList(call, acl);
      call.state.aclItems.update(id, { state: 'Revoke' });
      await job.work();
      for (const tag of call.state.tags.by('resourceId', id)) call.state.tags.delete(tag.id);
      call.state.aclItems.delete(id);
      return { success: true };
    },
  }),
  asynchronous({
    name: 'moveNetworkAclItem',
    description: 'Move an ACL rule to a position bettwen two other ACL rules of the same ACL network list',
    since: '4.12',
    commandClass: 'user.network.MoveNetworkAclItemCmd',
    envelope: 'moveNetworkAclItemResponse',
    instanceType: 'NetworkAclItem',
    event: 'NETWORK.ACL.ITEM.UPDATE',
    parameters: {
      id: { type: 'uuid', of: 'acl-item', required: true },
      previousaclruleid: { type: 'uuid', of: 'acl-item' },
      nextaclruleid: { type: 'uuid', of: 'acl-item' },
      aclconsistencyhash: { type: 'string' },
    },
    run: async (call, { id, previousaclruleid, nextaclruleid }, job) => {
      const { item, acl } = itemAndList(call, id);
      checkList(call, acl);
      if (previousaclruleid === undefined && nextaclruleid === undefined) {
        throw invalidValue('Both previous and next ACL rule IDs cannot be invalid.');
      }
      await job.work();
      move(call, item, previousaclruleid, nextaclruleid);
      return shown(call, id);
    },
  }),
];
