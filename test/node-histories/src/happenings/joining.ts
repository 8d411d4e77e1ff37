import type { Machine } from '../machines.ts';
import type { Stage } from './happening.ts';

const PROVIDER_IDS: readonly ((id: string) => string)[] = [
  () => '',
  () => '',
  (id) => `external-cloudstack://${id}`,
  (id) => `cloudstack:///${id}`,
  (id) => `cloudstack://region/${id.toUpperCase()}`,
  (id) => id,
];

export function joinWithSomeId({ nodes, chance }: Stage, machine: Machine): void {
  const form = chance.pick(PROVIDER_IDS);
  nodes.join(machine, form ? form(machine.id) : '');
}
