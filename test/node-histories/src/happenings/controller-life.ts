import type { Happening } from './happening.ts';
import { silenceAll } from './silence.ts';

/** What happens to the controller, its keys and its configuration. */
export const CONTROLLER_LIFE: readonly Happening[] = [
  {
    name: 'restart',
    weight: 2,
    happen: async ({ controller }) => {
      await controller.stop();
      await controller.start();
      return 'the controller is restarted';
    },
  },
  { name: 'lost lease', weight: 2, happen: ({ controller }) => (controller.loseLease(), 'another replica leads') },
  {
    name: 'other eyes',
    weight: 4,
    happen: async (stage) => {
      const { controller, machines, chance } = stage;
      const eyes = chance.pick([
        'right',
        'another-account',
        machines.projectId === undefined ? 'right' : 'no-project',
      ] as const);
      await controller.see(eyes ?? 'right');
      if (eyes !== 'right' && chance.happens(0.6)) silenceAll(stage);
      return `cloud-config now has the eyes: ${eyes ?? 'right'}`;
    },
  },
  {
    name: 'keys moved',
    weight: 1,
    happen: ({ machines, chance }) => {
      if (chance.happens(0.5)) return machines.revokeKeys();
      return machines.moveKeys();
    },
  },
];
