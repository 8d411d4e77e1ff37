import type { Action } from './actions.ts';
import type { Step } from './step.ts';

const ON_PRESENT_RULES: ReadonlySet<Action['kind']> = new Set([
  'update-rule',
  'add-members',
  'remove-members',
  'set-stickiness',
  'remove-stickiness',
]);

/**
 * What can be done while the address is between two states: CloudStack goes on serving the rules that are there, and
 * refuses new ones, and openings, of which it does not even show those that there are. A rule that would be made anew
 * stays as it is.
 */
export function serveOn(steps: readonly Step[]): readonly Step[] {
  const making = new Set(steps.flatMap(({ action, chain }) => (action.kind === 'create-rule' ? [chain] : [])));
  return steps.filter(({ action, chain }) => ON_PRESENT_RULES.has(action.kind) && !making.has(chain));
}
