import { setTimeout as realPause } from 'node:timers/promises';
import type { FakeClock } from '@cloudstack-ccm/base';

/** Lets the clock run, with room for real sockets in between, until something holds. */
export async function advanceUntil(clock: FakeClock, holds: () => boolean): Promise<void> {
  for (let step = 0; step < 2000; step++) {
    if (holds()) return;
    await clock.advance(250);
    await realPause(1);
  }
  throw new Error('it never came true');
}
