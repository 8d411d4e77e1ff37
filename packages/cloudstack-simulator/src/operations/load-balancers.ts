import type { LoadBalancerRule, Member, RuleState, State } from '../state.ts';
import { detachIfUnused } from './vpc-addresses.ts';

/** What an apply that works leaves behind: marked members are gone, and the rule is Active if it has any. */
export function applied(state: State, ruleId: string): void {
  const rule = state.loadBalancerRules.get(ruleId);
  if (!rule) return;
  const members = rule.members.filter((member) => !member.revoked);
  state.loadBalancerRules.update(ruleId, { members, state: stateFor(members) });
}

/** The same for all rules of a network: the router is always programmed with all of them. */
export function networkApplied(state: State, networkId: string): void {
  for (const rule of state.loadBalancerRules.by('networkId', networkId)) {
    if (rule.members.some((member) => member.revoked)) applied(state, rule.id);
  }
}

function stateFor(members: readonly Member[]): RuleState {
  return members.length > 0 ? 'Active' : 'Add';
}

export function sameMember(one: Member, other: Pick<Member, 'virtualMachineId' | 'address'>): boolean {
  return one.virtualMachineId === other.virtualMachineId && one.address === other.address;
}

/** Removes a rule with its policies and the firewall rules it opened. Its tags stay: that is how CloudStack does it. */
export function deleteLoadBalancer(state: State, rule: LoadBalancerRule): void {
  for (const policy of state.stickinessPolicies.by('ruleId', rule.id)) state.stickinessPolicies.delete(policy.id);
  for (const policy of state.healthCheckPolicies.by('ruleId', rule.id)) state.healthCheckPolicies.delete(policy.id);
  for (const opened of state.firewallRules.by('relatedRuleId', rule.id)) deleteFirewall(state, opened.id);
  state.loadBalancerRules.delete(rule.id);
  detachIfUnused(state, rule.publicIpId);
}

/** Removes a firewall rule and its tags. */
export function deleteFirewall(state: State, id: string): void {
  for (const tag of state.tags.by('resourceId', id)) state.tags.delete(tag.id);
  state.firewallRules.delete(id);
}

/** Takes a machine that is gone out of every rule. */
export function unmap(state: State, virtualMachineId: string): void {
  for (const rule of state.loadBalancerRules.by('virtualMachineId', virtualMachineId)) {
    const members = rule.members.filter((member) => member.virtualMachineId !== virtualMachineId);
    state.loadBalancerRules.update(rule.id, { members, state: rule.state === 'Revoke' ? 'Revoke' : stateFor(members) });
  }
}
