import type { Happening } from './happening.ts';
import { EMPTY } from './faults.ts';
import { silenceAll } from './silence.ts';

/**
 * What other eyes did not see, and then one false answer: absent twice, but only once with a witness. Each of them
 * alone proves nothing, and so do both.
 */
export const HALF_A_PROOF: Happening = {
  name: 'half a proof',
  weight: 1,
  happen: async (stage) => {
    const { controller, machines, pass } = stage;
    if (!machines.mayLieOnce()) return undefined;
    await controller.see('another-account');
    silenceAll(stage);
    await pass(11_000);
    machines.simulator.faults.add({ action: EMPTY, command: 'listVirtualMachines', count: 1 });
    await controller.see('right');
    return 'cloud-config had the eyes of another account, and CloudStack shows no machine to one call';
  },
};
