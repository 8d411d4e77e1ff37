import { CONTROLLER_LIFE } from './happenings/controller-life.ts';
import { FAULTS } from './happenings/faults.ts';
import { HALF_A_PROOF } from './happenings/half-a-proof.ts';
import type { Happening } from './happenings/happening.ts';
import { MACHINE_LIFE } from './happenings/machine-life.ts';
import { NODE_LIFE } from './happenings/node-life.ts';
import { OUT_OF_SIGHT } from './happenings/out-of-sight.ts';

/** Everything that may happen next. */
export const HAPPENINGS: readonly [Happening, ...Happening[]] = [
  { name: 'nothing', weight: 3, happen: () => 'nothing happens' },
  ...MACHINE_LIFE,
  ...NODE_LIFE,
  ...FAULTS,
  OUT_OF_SIGHT,
  HALF_A_PROOF,
  ...CONTROLLER_LIFE,
];
