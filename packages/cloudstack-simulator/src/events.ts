import type { Call } from './call.ts';

/** Events kept for one account. */
const KEPT = 1000;

/** Writes down that something was done. The oldest events of the account make room. */
export function createEvent(call: Call, type: string, description: string): void {
  const { state, random, clock, caller } = call;
  state.events.add({
    id: random.uuid(),
    accountId: caller.account.id,
    userId: caller.user.id,
    type,
    level: 'INFO',
    state: 'Completed',
    description,
    created: clock.now(),
  });
  if (state.events.size % KEPT !== 0) return;
  for (const event of state.events.by('accountId', caller.account.id).slice(0, -KEPT)) state.events.delete(event.id);
}
