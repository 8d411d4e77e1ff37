import { checkAccess } from '../access.ts';
import { invalidValue, ruleConflict, serverError, unexpected } from '../api-error.ts';
import { isRoot, type Call } from '../call.ts';
import { asynchronous, create, list } from '../command.ts';
import { RouterRefusedError } from '../jobs.ts';
import type { JsonObject } from '../json.ts';
import { hasService } from '../operations/networks.ts';
import { PAGE, SCOPE } from '../parameter.ts';
import { resolveScope } from '../scope.ts';
import type { EgressRule } from '../state.ts';
import { showRuleState } from '../views/rule-state.ts';
import { showTags } from '../views/tags.ts';
import { isCidr } from './cidr.ts';
import { readShape } from './firewall-rules.ts';

function showEgressRule(rule: EgressRule, call: Call): JsonObject {
  return {
    id: rule.id,
    protocol: rule.protocol,
    startport: rule.startPort,
    endport: rule.endPort,
    networkid: rule.networkId,
    state: showRuleState(rule.state),
    cidrlist: rule.cidrs.join(','),
    destcidrlist: rule.destinationCidrs.join(','),
    icmptype: rule.icmpType,
    icmpcode: rule.icmpCode,
    tags: showTags(call, rule.id),
    traffictype: 'Egress',
    fordisplay: isRoot(call) ? rule.display !== false : undefined,
  };
}

function checkConflicts(call: Call, networkId: string, shape: Omit<EgressRule, 'id' | 'internalId'>): void {
  for (const rule of call.state.egressRules.by('networkId', networkId)) {
    if (rule.state === 'Revoke' || rule.protocol !== shape.protocol) continue;
    const overlap =
      (rule.startPort ?? 0) <= (shape.endPort ?? 65_535) && (shape.startPort ?? 0) <= (rule.endPort ?? 65_535);
    const common = rule.cidrs.some((cidr) => shape.cidrs.includes(cidr));
    if (!overlap || !common) continue;
    throw ruleConflict(
      `The range specified, ${shape.startPort}-${shape.endPort}, conflicts with rule ${rule.internalId} which has ${rule.startPort}-${rule.endPort}`,
    );
  }
}

function queueOf(call: Call, { id }: { readonly id: string }): string | undefined {
  return call.state.egressRules.get(id)?.networkId;
}

export const egressRuleCommands = [
  create({
    name: 'createEgressFirewallRule',
    description: 'Creates a egress firewall rule for a given network ',
    commandClass: 'user.firewall.CreateEgressFirewallRuleCmd',
    instanceType: 'FirewallRule',
    event: 'FIREWALL.EGRESS.OPEN',
    parameters: {
      networkid: { type: 'uuid', of: 'network', required: true },
      protocol: { type: 'string', required: true },
      startport: { type: 'integer' },
      endport: { type: 'integer' },
      cidrlist: { type: 'list' },
      destcidrlist: { type: 'list' },
      icmptype: { type: 'integer' },
      icmpcode: { type: 'integer' },
      type: { type: 'string' },
      fordisplay: { type: 'boolean', rootOnly: true },
    },
    create: (call, values) => {
      const { state, random, clock } = call;
      const network = state.networks.get(values.networkid);
      if (!network) throw invalidValue('Unable to find the network');
      checkAccess(call, network.accountId);
      if (network.vpcId !== undefined) throw invalidValue('Egress firewall rules are not supported in VPC');
      if (!hasService(state, network, 'Firewall')) {
        throw invalidValue(`Service Firewall is not supported in the network id=${network.internalId}`);
      }
      const bad = [...(values.cidrlist ?? []), ...(values.destcidrlist ?? [])].find((cidr) => !isCidr(cidr));
      if (bad !== undefined) throw serverError(431, `Source cidrs formatting error ${bad}`);
      const zone = state.zones.get(network.zoneId)?.internalId ?? 0;
      const all = values.protocol.toLowerCase() === 'all';
      const shape = readShape(
        { ...values, protocol: all ? 'tcp' : values.protocol, cidrlist: values.cidrlist ?? [network.cidr ?? ''] },
        zone,
      );
      const rule = {
        accountId: network.accountId,
        networkId: network.id,
        state: 'Add' as const,
        ...shape,
        protocol: all ? 'all' : shape.protocol,
        destinationCidrs: values.destcidrlist ?? [],
        created: clock.now(),
      };
      checkConflicts(call, network.id, rule);
      return state.egressRules.add({ id: random.uuid(), ...rule }).id;
    },
    queue: (call, _, id) => queueOf(call, { id }),
    run: async (call, { networkid }, id, job) => {
      try {
        await job.apply(networkid);
      } catch (refusal) {
        if (!(refusal instanceof RouterRefusedError)) throw refusal;
        call.state.egressRules.update(id, { state: 'Revoke' });
        throw serverError(530, 'Failed to create egress firewall rule');
      }
      const rule = call.state.egressRules.update(id, { state: 'Active' });
      if (!rule) throw unexpected('The egress firewall rule is gone');
      return { firewallrule: showEgressRule(rule, call) };
    },
  }),
  asynchronous({
    name: 'deleteEgressFirewallRule',
    description: 'Deletes an egress firewall rule',
    commandClass: 'user.firewall.DeleteEgressFirewallRuleCmd',
    event: 'FIREWALL.EGRESS.CLOSE',
    parameters: { id: { type: 'uuid', of: 'egress-rule', required: true } },
    check: (call, { id }) => {
      const rule = call.state.egressRules.get(id);
      if (rule) checkAccess(call, rule.accountId);
    },
    queue: queueOf,
    run: async (call, { id }, job) => {
      const rule = call.state.egressRules.update(id, { state: 'Revoke' });
      if (!rule) return { success: true };
      try {
        await job.apply(rule.networkId);
      } catch (refusal) {
        if (!(refusal instanceof RouterRefusedError)) throw refusal;
        throw serverError(530, 'Failed to delete egress firewall rule');
      }
      for (const tag of call.state.tags.by('resourceId', id)) call.state.tags.delete(tag.id);
      call.state.egressRules.delete(id);
      return { success: true };
    },
  }),
  list({
    name: 'listEgressFirewallRules',
    description: 'Lists all egress firewall rules for network ID.',
    item: 'firewallrule',
    parameters: {
      ...PAGE,
      ...SCOPE,
      id: { type: 'uuid', of: 'egress-rule' },
      networkid: { type: 'uuid', of: 'network' },
      fordisplay: { type: 'boolean', rootOnly: true },
    },
    select: (call, values) => {
      const scope = resolveScope(call, values);
      return call.state.egressRules
        .filter(
          (rule) =>
            scope.includes(rule.accountId) &&
            (values.id === undefined || rule.id === values.id) &&
            (values.networkid === undefined || rule.networkId === values.networkid),
        )
        .toReversed();
    },
    show: showEgressRule,
  }),
];
