import { isRoot, type Call } from '../call.ts';
import type { JsonObject } from '../json.ts';
import type { LoadBalancerRule } from '../state.ts';
import { showOwner } from './owner.ts';
import { showRuleState } from './rule-state.ts';
import { showTags } from './tags.ts';

export function showLoadBalancerRule(rule: LoadBalancerRule, call: Call): JsonObject {
  const ip = call.state.publicIps.get(rule.publicIpId);
  const zone = ip && call.state.zones.get(ip.zoneId);
  return {
    id: rule.id,
    name: rule.name,
    description: rule.description,
    publicipid: rule.publicIpId,
    publicip: ip?.address,
    publicport: String(rule.publicPort),
    privateport: String(rule.privatePort),
    algorithm: rule.algorithm,
    networkid: rule.networkId,
    cidrlist: call.profile.ruleCidrList === 'refused' ? '' : rule.cidrList,
    ...showOwner(call, rule.accountId),
    state: showRuleState(rule.state),
    zoneid: zone?.id,
    zonename: zone?.name,
    protocol: rule.protocol,
    tags: showTags(call, rule.id),
    fordisplay: isRoot(call) ? rule.display !== false : undefined,
  };
}
