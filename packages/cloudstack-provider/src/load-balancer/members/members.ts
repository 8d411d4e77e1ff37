import type { NodeView } from '@cloudstack-ccm/cloud-controllers';
import { namesOf } from '../../instances/match.ts';
import { readProviderId } from '../../instances/provider-id.ts';
import type { Resolution } from '../../instances/resolver.ts';
import type { VirtualMachine } from '@cloudstack-ccm/cloudstack-client';
import { memberAddress, type MemberAddress } from './member-address.ts';

/** The machines that should be members of every rule of a load balancer. */
export interface WantedMembers {
  /** Node names by machine id. */
  readonly nodes: ReadonlyMap<string, string>;
  /** By machine id, where traffic goes. A machine that is missing here gets it wherever CloudStack sends it. */
  readonly addresses: ReadonlyMap<string, MemberAddress>;
  /** A machine of this id or name may belong to a node that could not be found: as a member it stays. */
  readonly doubtful: { readonly ids: ReadonlySet<string>; readonly names: ReadonlySet<string> };
  /** Nodes that are left out, each with a sentence that says why. One that is not initialised yet is not among them. */
  readonly skipped: readonly { readonly node: string; readonly reason: string }[];
  /** Names of those that may become members though nothing changes in Kubernetes. */
  readonly pending: readonly string[];
}

/** A member of a rule, as it is now, or as it is to be added or removed. */
export interface Member {
  readonly machineId: string;
  /** The machine's name. */
  readonly name: string;
  /**
   * Of a present member, all that it has, empty or undefined when that is not known; of one to be added or removed,
   * those that matter, undefined for the usual one to add, and for all of them to remove.
   */
  readonly addresses?: readonly string[];
}

/** What has to be done to the members of one rule. */
export interface MemberChange {
  readonly add: readonly Member[];
  readonly remove: readonly Member[];
}

/**
 * The members for a network: a machine without a card in it cannot be one.
 * @param ranges CIDRs that the members' addresses have to be in; undefined: any, and that is the usual one
 */
export function wantedMembers(
  { resolved, unresolved }: Resolution,
  networkId: string,
  ranges?: readonly string[],
): WantedMembers {
  const chosen = resolved.map((one) => ({ ...one, address: memberAddress(one.vm, networkId, ranges) }));
  const reachable = chosen.filter(({ address }) => address !== undefined);
  const unreachable = chosen.filter(({ address }) => address === undefined);
  const doubtful = unresolved.map(({ node }) => node);
  return {
    nodes: new Map(reachable.map(({ node, vm }) => [vm.id, node.name])),
    addresses: new Map(reachable.flatMap(({ vm, address }) => (address ? [[vm.id, address] as const] : []))),
    doubtful: { ids: new Set(doubtful.flatMap(machineIdOf)), names: new Set(doubtful.flatMap(lowerNamesOf)) },
    skipped: [
      ...unresolved.flatMap(({ node, reason }) => (node.uninitialized ? [] : [{ node: node.name, reason }])),
      ...unreachable.map(({ node, vm }) => ({
        node: node.name,
        reason: `virtual machine ${vm.name} (${vm.id}) has ${whatIsMissing(vm, ranges)}`,
      })),
    ],
    pending: [...unresolved.filter(mayResolve), ...unreachable].map(({ node }) => node.name).sort(),
  };
}

function whatIsMissing({ nics }: VirtualMachine, ranges?: readonly string[]): string {
  if (nics.length === 0) return 'no network card';
  const where = 'in the network of the load balancer';
  return ranges ? `no address of ${ranges.join(', ')} ${where}` : `no network card with an address ${where}`;
}

/** A new machine may show up any time. A node that is yet to be initialised changes then, and one of another system never has one. */
function mayResolve({ node }: Resolution['unresolved'][number]): boolean {
  return !node.uninitialized && readProviderId(node.providerId).kind !== 'foreign';
}

/**
 * The difference between wanted and present members. Nothing is removed because a node could not be found: where the
 * member may be that node's machine, it stays.
 */
export function memberChange(wanted: WantedMembers, present: readonly Member[]): MemberChange {
  const byId = new Map(present.map((member) => [member.machineId, member]));
  return {
    add: membersToAdd(wanted).filter(({ machineId }) => isMissing(wanted, machineId, byId.get(machineId))),
    remove: present.flatMap((member) =>
      wanted.nodes.has(member.machineId) ? surplus(wanted, member) : gone(wanted, member),
    ),
  };
}

/** All that are wanted, each with its address where that is not the usual one. */
export function membersToAdd({ nodes, addresses }: WantedMembers): readonly Member[] {
  return [...nodes].map(([machineId, name]) => {
    const wanted = addresses.get(machineId);
    return { machineId, name, ...(wanted && !wanted.usual && { addresses: [wanted.address] }) };
  });
}

function isMissing({ addresses }: WantedMembers, machineId: string, present: Member | undefined): boolean {
  if (!present) return true;
  const wanted = addresses.get(machineId);
  return wanted !== undefined && isKnown(present) && !present.addresses.includes(wanted.address);
}

/** Addresses of a wanted member that get traffic beside the wanted one. */
function surplus({ addresses }: WantedMembers, member: Member): readonly Member[] {
  const wanted = addresses.get(member.machineId);
  if (!wanted || !isKnown(member)) return [];
  const others = member.addresses.filter((address) => address !== wanted.address);
  return others.length > 0 ? [{ ...member, addresses: others }] : [];
}

function gone(wanted: WantedMembers, { machineId, name }: Member): readonly Member[] {
  return isDoubtful(wanted, { machineId, name }) ? [] : [{ machineId, name }];
}

function isKnown(member: Member): member is Member & { readonly addresses: readonly string[] } {
  return (member.addresses?.length ?? 0) > 0;
}

function isDoubtful({ doubtful }: WantedMembers, member: Member): boolean {
  return doubtful.ids.has(member.machineId.toLowerCase()) || doubtful.names.has(member.name.toLowerCase());
}

function machineIdOf(node: NodeView): readonly string[] {
  const providerId = readProviderId(node.providerId);
  return providerId.kind === 'machine' ? [providerId.id] : [];
}

function lowerNamesOf(node: NodeView): readonly string[] {
  return namesOf(node).map((name) => name.toLowerCase());
}
