import type { NodeView } from '@cloudstack-ccm/cloud-controllers';
import type { VirtualMachine } from '@cloudstack-ccm/cloudstack-client';
import { readProviderId } from './provider-id.ts';

/** What was found for a node. Reasons are sentences for a person. */
export type Match =
  | { readonly kind: 'found'; readonly vm: VirtualMachine }
  | { readonly kind: 'missing' | 'ambiguous' | 'malformed'; readonly reason: string };

/** Where machines can be looked up without asking the cloud. */
interface Machines {
  byId(id: string): VirtualMachine | undefined;
  byName(name: string): readonly VirtualMachine[];
}

const NEVER_BACK = new Set(['Destroyed', 'Expunging']);

/** True for a machine in a state from which it does not come back by itself. */
export function isGone(machine: VirtualMachine): boolean {
  return NEVER_BACK.has(machine.state);
}

/**
 * Finds a node's machine: by provider ID if it names one, and then by nothing else, since a machine of the same name
 * may be a new one; else by name.
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

function matchByName(node: NodeView, machines: Machines): Match {
  for (const name of namesOf(node)) {
    const found = machines.byName(name).filter((vm) => !isGone(vm));
    const [vm] = found;
    if (vm) return found.length === 1 ? { kind: 'found', vm } : ambiguous(node, found);
  }
  const names = namesOf(node).join(' or ');
  return { kind: 'missing', reason: `no virtual machine is named ${names} (node ${node.name})` };
}

function ambiguous(node: NodeView, candidates: readonly VirtualMachine[]): Match {
  const list = candidates.map((vm) => `${vm.name} (${vm.id}, zone ${vm.zoneName})`).join(', ');
  const reason = `several virtual machines match node ${node.name}: ${list}; set its provider ID or rename one`;
  return { kind: 'ambiguous', reason };
}

function describeGone(node: NodeView, vm: VirtualMachine): string {
  return `virtual machine ${vm.id} of node ${node.name} is in state ${vm.state}`;
}
