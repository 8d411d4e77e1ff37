import type { NodeView } from '@cloudstack-ccm/cloud-controllers';
import { namesOf } from '../instances/match.ts';
import { readProviderId } from '../instances/provider-id.ts';
import type { Resolution } from '../instances/resolver.ts';
import { nicIn } from '../inventory/nics.ts';

/** The machines that should be members of every rule of a load balancer. */
export interface WantedMembers {
  /** Node names by machine id. */
  readonly nodes: ReadonlyMap<string, string>;
  /** A machine of this id or name may belong to a node that could not be found: as a member it stays. */
  readonly doubtful: { readonly ids: ReadonlySet<string>; readonly names: ReadonlySet<string> };
  /** Nodes that are left out, each with a sentence that says why. One that is not initialised yet is not among them. */
  readonly skipped: readonly { readonly node: string; readonly reason: string }[];
  /** Names of those that may become members though nothing changes in Kubernetes. */
  readonly pending: readonly string[];
}

/** A member of a rule, as it is now. */
export interface Member {
  readonly machineId: string;
  /** The machine's name. */
  readonly name: string;
}

/** What has to be done to the members of one rule. */
export interface MemberChange {
  readonly add: readonly Member[];
  readonly remove: readonly Member[];
}

/** The members for a network: a machine without a card in it cannot be one. */
export function wantedMembers({ resolved, unresolved }: Resolution, networkId: string): WantedMembers {
  const reachable = resolved.filter(({ vm }) => nicIn(vm, networkId)?.ipAddress !== undefined);
  const unreachable = resolved.filter(({ vm }) => nicIn(vm, networkId)?.ipAddress === undefined);
  const doubtful = unresolved.map(({ node }) => node);
  return {
    nodes: new Map(reachable.map(({ node, vm }) => [vm.id, node.name])),
    doubtful: { ids: new Set(doubtful.flatMap(machineIdOf)), names: new Set(doubtful.flatMap(lowerNamesOf)) },
    skipped: [
      ...unresolved.flatMap(({ node, reason }) => (node.uninitialized ? [] : [{ node: node.name, reason }])),
      ...unreachable.map(({ node, vm }) => ({
        node: node.name,
        reason: `virtual machine ${vm.name} (${vm.id}) has ${vm.nics.length === 0 ? 'no network card' : 'no network card with an address in the network of the load balancer'}`,
      })),
    ],
    pending: [...unresolved.filter(mayResolve), ...unreachable].map(({ node }) => node.name).sort(),
  };
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
  const presentIds = new Set(present.map((member) => member.machineId));
  return {
    add: [...wanted.nodes].filter(([id]) => !presentIds.has(id)).map(([machineId, name]) => ({ machineId, name })),
    remove: present.filter((member) => !wanted.nodes.has(member.machineId) && !isDoubtful(wanted, member)),
  };
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
