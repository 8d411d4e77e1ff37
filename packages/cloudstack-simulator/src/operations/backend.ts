import type { Clock } from '@cloudstack-ccm/base';
import type { Random } from '../random.ts';
import type { State } from '../state.ts';

/** What changes the state needs: the rows, names for new ones, and the time. */
export interface Backend {
  readonly state: State;
  readonly random: Random;
  readonly clock: Clock;
}
