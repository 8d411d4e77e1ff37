import { machineIdOf } from '../provider-ids.ts';
import type { Happening } from './happening.ts';

/** Half of the machines go out of the account's sight while nobody hears of their kubelets, and come back. */
export const OUT_OF_SIGHT: Happening = {
  name: 'out of sight',
  weight: 1,
  happen: async ({ machines, nodes, chance, pass }) => {
    // The guard counts the nodes that the controller knows to be silent: it must hear of all of them.
    nodes.simulator.faults.clear();
    nodes.simulator.faults.dropWatches();
    await pass(40_000);
    const all = nodes.list();
    const movable = all.filter(({ providerId }) => machines.living.some(({ id }) => id === machineIdOf(providerId)));
    const moved = movable.slice(0, Math.max(4, Math.ceil(all.length / 2)));
    if (moved.length < 4 || moved.length * 5 <= all.length) return undefined;
    for (const { name } of moved) nodes.setReady(name, false);
    const back = machines.hide(moved.map(({ providerId }) => machineIdOf(providerId)));
    await pass(chance.between(5000, 40_000));
    back();
    return `${moved.length} of ${all.length} machines were out of sight`;
  },
};
