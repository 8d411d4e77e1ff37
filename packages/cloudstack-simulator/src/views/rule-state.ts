import type { RuleState } from '../state.ts';

export function showRuleState(state: RuleState): string {
  return state === 'Revoke' ? 'Deleting' : state;
}
