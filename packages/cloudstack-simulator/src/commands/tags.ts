import { checkAccess } from '../access.ts';
import { invalidValue, unexpected } from '../api-error.ts';
import type { Call } from '../call.ts';
import { asynchronous, list } from '../command.ts';
import { PAGE, SCOPE, type MapEntry } from '../parameter.ts';
import { resolveScope } from '../scope.ts';
import type { State, Tag } from '../state.ts';
import { showTag } from '../views/tags.ts';

/** How to find a thing of each type that takes tags, and its owner. */
const FINDERS: Readonly<Record<string, (state: State, id: string) => { readonly accountId?: string } | undefined>> = {
  UserVm: (state, id) => state.virtualMachines.get(id),
  Network: (state, id) => state.networks.get(id),
  LoadBalancer: (state, id) => state.loadBalancerRules.get(id),
  PortForwardingRule: (state, id) => state.portForwardingRules.get(id),
  FirewallRule: (state, id) => state.firewallRules.get(id) ?? state.egressRules.get(id),
  PublicIpAddress: (state, id) => state.publicIps.get(id),
  Project: (state, id) => state.projects.get(id),
  Account: (state, id) => state.accounts.get(id) && { accountId: id },
  Vpc: (state, id) => state.vpcs.get(id),
  NetworkACL: (state, id) => aclItem(state, id),
  User: (state, id) => state.users.get(id),
  Template: (state, id) => state.templates.get(id) && {},
  VpcOffering: (state, id) => state.vpcOfferings.get(id) && {},
};

/** Types that take tags, of which this server has no things. */
const EMPTY_TYPES = [
  'ISO',
  'Volume',
  'Snapshot',
  'Backup',
  'SecurityGroup',
  'SecurityGroupRule',
  'StaticRoute',
  'VMSnapshot',
  'RemoteAccessVpn',
  'SnapshotPolicy',
];

const UNTAGGABLE = [
  'Zone',
  'NetworkACLList',
  'LBStickinessPolicy',
  'NetworkOffering',
  'ServiceOffering',
  'DiskOffering',
  'Nic',
  'Host',
];

function aclItem(state: State, id: string): { readonly accountId?: string } | undefined {
  const item = state.aclItems.get(id);
  const vpcId = item && state.aclLists.get(item.listId)?.vpcId;
  return item && { accountId: vpcId === undefined ? '' : (state.vpcs.get(vpcId)?.accountId ?? '') };
}

function byTypeDownwards(a: Tag, b: Tag): number {
  if (a.resourceType === b.resourceType) return 0;
  return a.resourceType < b.resourceType ? 1 : -1;
}

/** The type as CloudStack writes it. @throws ApiError 431 for one that takes no tags. */
function canonicalType(type: string): string {
  const same = (name: string): boolean => name.toLowerCase() === type.toLowerCase();
  const known = [...Object.keys(FINDERS), ...EMPTY_TYPES].find(same);
  if (known !== undefined) return known;
  const untaggable = UNTAGGABLE.find(same);
  if (untaggable !== undefined) throw invalidValue(`The resource type ${untaggable} doesn't support resource tags`);
  throw invalidValue(`Invalid resource type ${type}`);
}

/** The UUID and owner of a thing to be tagged, named by UUID or internal id. */
function taggable(call: Call, type: string, id: string): { readonly id: string; readonly ownerId: string } {
  const found = FINDERS[type]?.(call.state, id);
  if (!found) throw invalidValue(`Unable to find resource by uuid ${id} and type ${type}`);
  const ownerId = found.accountId;
  if (ownerId === undefined) {
    throw unexpected(
      'Cannot invoke "org.apache.cloudstack.acl.ControlledEntity.getDomainId()" because "entity" is null',
    );
  }
  checkAccess(call, ownerId);
  return { id, ownerId };
}

function checkTag({ key = '', value }: MapEntry): void {
  if (value === undefined) throw unexpected('Command failed due to Internal Server Error');
  if (value === '') throw invalidValue(`Value for the key ${key} is either null or empty`);
}

function addTags(call: Call, type: string, ids: readonly string[], tags: readonly MapEntry[], customer?: string): void {
  for (const tag of tags) checkTag(tag);
  const resources = ids.map((id) => taggable(call, type, id));
  for (const { id } of resources) {
    const present = new Set(call.state.tags.by('resourceId', id).map((tag) => tag.key.toLowerCase()));
    const double = tags.find(({ key = '' }) => present.has(key.toLowerCase()));
    if (double) throw unexpected(`tag ${double['key']} already on ${type} with id ${id}`);
  }
  for (const { id, ownerId } of resources) {
    for (const { key = '', value = '' } of tags) {
      call.state.tags.add({
        id: call.random.uuid(),
        resourceType: type,
        resourceId: id,
        accountId: ownerId,
        key,
        value,
        ...(customer !== undefined && { customer }),
      });
    }
  }
}

function removeTags(call: Call, type: string, ids: readonly string[], tags: readonly MapEntry[] | undefined): void {
  const wanted = (key: string, value: string): boolean =>
    tags === undefined ||
    tags.some(
      (tag) =>
        tag['key']?.toLowerCase() === key.toLowerCase() &&
        (tag['value'] === undefined || tag['value'].toLowerCase() === value.toLowerCase()),
    );
  const found = ids
    .flatMap((id) => call.state.tags.by('resourceId', id))
    .filter((tag) => tag.resourceType === type && wanted(tag.key, tag.value));
  for (const tag of found) checkAccess(call, tag.accountId);
  if (found.length === 0) throw unexpected('Failed to delete tags');
  for (const tag of found) call.state.tags.delete(tag.id);
}

export const tagCommands = [
  asynchronous({
    name: 'createTags',
    description: 'Creates resource tag(s)',
    commandClass: 'user.tag.CreateTagsCmd',
    event: 'CREATE_TAGS',
    parameters: {
      tags: { type: 'map', required: true },
      resourcetype: { type: 'string', required: true },
      resourceids: { type: 'list', required: true },
      customer: { type: 'string' },
    },
    run: async (call, { tags, resourcetype, resourceids, customer }, job) => {
      await job.work();
      addTags(call, canonicalType(resourcetype), resourceids, tags, customer);
      return { success: true };
    },
  }),
  asynchronous({
    name: 'deleteTags',
    description: 'Deleting resource tag(s)',
    commandClass: 'user.tag.DeleteTagsCmd',
    event: 'DELETE_TAGS',
    parameters: {
      tags: { type: 'map' },
      resourcetype: { type: 'string', required: true },
      resourceids: { type: 'list', required: true },
    },
    run: async (call, { tags, resourcetype, resourceids }, job) => {
      await job.work();
      removeTags(call, canonicalType(resourcetype), resourceids, tags);
      return { success: true };
    },
  }),
  list({
    name: 'listTags',
    description: 'List resource tag(s)',
    item: 'tag',
    parameters: {
      ...PAGE,
      ...SCOPE,
      resourcetype: { type: 'string' },
      resourceid: { type: 'string' },
      key: { type: 'string' },
      value: { type: 'string' },
      customer: { type: 'string' },
    },
    select: (call, values) => {
      const scope = resolveScope(call, values);
      const { resourcetype, resourceid, key, value, customer } = values;
      const found = call.state.tags.filter(
        (tag) =>
          scope.includes(tag.accountId) &&
          (resourcetype === undefined || tag.resourceType.toLowerCase() === resourcetype.toLowerCase()) &&
          (resourceid === undefined || tag.resourceId === resourceid) &&
          (key === undefined || tag.key.toLowerCase() === key.toLowerCase()) &&
          (value === undefined || tag.value.toLowerCase() === value.toLowerCase()) &&
          (customer === undefined || tag.customer === customer),
      );
      return found.sort((a, b) => byTypeDownwards(a, b) || a.internalId - b.internalId);
    },
    show: (tag, call) => showTag(call, tag),
  }),
];
