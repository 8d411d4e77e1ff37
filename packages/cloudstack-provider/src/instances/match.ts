import { parseIp } from '@cloudstack-ccm/base';
import type { NodeView } from '@cloudstack-ccm/cloud-controllers';
import type { VirtualMachine } from '@cloudstack-ccm/cloudstack-client';
import { readProviderId } from './provider-id.ts';

/** Set by the kubelet: the addresses that it was told to use, separated by a comma. */
const PROVIDED_NODE_IP = 'alpha.kubernetes.io/provided-node-ip';

/** What was found for a node. Reasons are sentences for a person. */
export type Match =
  | { readonly kind: 'found'; readonly vm: VirtualMachine }
  | { readonly kind: 'missing' | 'ambiguous' | 'malformed'; readonly reason: string };

/** Where machines can be looked up without asking the cloud. */
interface Machines {
  byId(id: string): VirtualMachine | undefined;
  byName(name: string): readonly VirtualMachine[];
  /** Machines whose display name this is, and whose host name is another. */
  byDisplayName(name: string): readonly VirtualMachine[];
}

const NEVER_BACK = new Set(['Destroyed', 'Expunging']);

/** True for a machine in a state from which it does not come back by itself. */
export function isGone(machine: VirtualMachine): boolean {
  return NEVER_BACK.has(machine.state);
}

/**
 * Finds a node's machine: by provider ID if it names one, and then by nothing else, since a machine of the same name
 * may be a new one; else by host name, else by display name, with the address of the kubelet as the tie-breaker.
 */
export function match(node: NodeView, machines: Machines): Match {
  const providerId = readProviderId(node.providerId);
  switch (providerId.kind) {
    case 'machine':
      return matchById(node, providerId.id, machines);
    case 'malformed':
      return { kind: 'malformed', reason: `provider ID ${node.providerId} of node ${node.name} holds no machine id` };
    case 'none':
    case 'foreign':
      return matchByName(node, machines);
  }
}

/** The names under which a node's machine may be known: its own, then its first label. */
export function namesOf(node: NodeView): readonly string[] {
  const [label = ''] = node.name.split('.');
  return label === node.name ? [node.name] : [node.name, label];
}

function matchById(node: NodeView, id: string, machines: Machines): Match {
  const vm = machines.byId(id);
  if (!vm) {
    const reason = `no virtual machine ${id} of node ${node.name} is visible to these credentials in this project`;
    return { kind: 'missing', reason };
  }
  return isGone(vm) ? { kind: 'missing', reason: describeGone(node, vm) } : { kind: 'found', vm };
}

/** Host names go before display names, which are free text. */
function matchByName(node: NodeView, machines: Machines): Match {
  const names = namesOf(node);
  const lookUps = [...names.map((name) => machines.byName(name)), ...names.map((name) => machines.byDisplayName(name))];
  const found = lookUps.map((vms) => vms.filter((vm) => !isGone(vm))).find((vms) => vms.length > 0);
  if (found) return chooseOne(node, found);
  const reason = `no virtual machine is named ${names.join(' or ')} (node ${node.name})`;
  return { kind: 'missing', reason };
}

/** Among several of one name, the one that has the address which the kubelet was told to use. */
function chooseOne(node: NodeView, candidates: readonly VirtualMachine[]): Match {
  const provided = node.annotations[PROVIDED_NODE_IP];
  const fitting =
    candidates.length === 1 || provided === undefined
      ? candidates
      : candidates.filter((vm) => hasAddress(vm, provided));
  const [vm, ...others] = fitting;
  return vm && others.length === 0 ? { kind: 'found', vm } : ambiguous(node, candidates);
}

function hasAddress({ nics }: VirtualMachine, provided: string): boolean {
  const wanted = new Set(provided.split(',').map((part) => parseIp(part.trim())?.text));
  const known = nics.flatMap((nic) => [nic.ipAddress, nic.ip6Address, ...nic.secondaryIps]);
  return known.some((address) => address !== undefined && wanted.has(parseIp(address)?.text));
}

function ambiguous(node: NodeView, candidates: readonly VirtualMachine[]): Match {
  const list = candidates.map((vm) => `${vm.name} (${vm.id}, zone ${vm.zoneName})`).join(', ');
  const reason = `several virtual machines match node ${node.name}: ${list}; set its provider ID, rename one, or give its kubelet --node-ip`;
  return { kind: 'ambiguous', reason };
}

function describeGone(node: NodeView, vm: VirtualMachine): string {
  return `virtual machine ${vm.id} of node ${node.name} is in state ${vm.state}`;
}
