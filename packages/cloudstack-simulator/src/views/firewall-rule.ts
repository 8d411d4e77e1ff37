import { isRoot, type Call } from '../call.ts';
import type { JsonObject } from '../json.ts';
import type { FirewallRule } from '../state.ts';
import { showRuleState } from './rule-state.ts';
import { showTags } from './tags.ts';

export function showFirewallRule(rule: FirewallRule, call: Call): JsonObject {
  const network = call.state.networks.get(rule.networkId);
  const vpcId = network?.vpcId;
  return {
    id: rule.id,
    protocol: rule.protocol,
    startport: rule.startPort,
    endport: rule.endPort,
    ipaddressid: rule.publicIpId,
    networkid: vpcId === undefined ? rule.networkId : undefined,
    vpcid: vpcId,
    ipaddress: call.state.publicIps.get(rule.publicIpId)?.address,
    state: showRuleState(rule.state),
    cidrlist: rule.cidrs.join(','),
    icmptype: rule.icmpType,
    icmpcode: rule.icmpCode,
    tags: showTags(call, rule.id),
    fordisplay: isRoot(call) ? rule.display !== false : undefined,
  };
}
