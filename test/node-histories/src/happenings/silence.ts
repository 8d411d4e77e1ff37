import type { Machine } from '../machines.ts';
import type { Stage } from './happening.ts';

/** The kubelet of a machine that has no power says nothing. */
export function silence({ nodes, chance }: Stage, machine: Machine): void {
  const node = nodes.get(machine.name.toLowerCase());
  if (node && nodes.machineOf(node.uid)?.id === machine.id && chance.happens(0.8)) nodes.setReady(node.name, false);
}

/** All kubelets fall silent, as when the network between them and the API server breaks. */
export function silenceAll({ nodes }: Stage): void {
  for (const { name } of nodes.list()) nodes.setReady(name, false);
}
