import { isRoot, type Call } from '../call.ts';
import type { JsonObject } from '../json.ts';
import type { LoadBalancerRule, Member } from '../state.ts';
import { showOwner } from './owner.ts';
import { showRuleState } from './rule-state.ts';
import { showTags } from './tags.ts';

export function showInternalLoadBalancer(rule: LoadBalancerRule, call: Call): JsonObject {
  return {
    id: rule.id,
    name: rule.name,
    description: rule.description,
    algorithm: rule.algorithm,
    networkid: rule.networkId,
    sourceipaddress: rule.source?.address,
    sourceipaddressnetworkid: rule.source?.networkId,
    ...showOwner(call, rule.accountId),
    // Numbers here, texts in ordinary rules.
    loadbalancerrule: [
      { sourceport: rule.publicPort, instanceport: rule.privatePort, state: showRuleState(rule.state) },
    ],
    loadbalancerinstance: rule.members.flatMap((member) => showMember(member, call)),
    tags: showTags(call, rule.id),
    fordisplay: isRoot(call) ? rule.display !== false : undefined,
  };
}

function showMember({ virtualMachineId, address }: Member, { state }: Call): readonly JsonObject[] {
  const vm = state.virtualMachines.get(virtualMachineId);
  return vm ? [{ id: vm.id, name: vm.name, state: vm.state, ipaddress: address }] : [];
}
