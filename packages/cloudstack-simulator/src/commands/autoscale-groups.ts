import { checkAccess } from '../access.ts';
import { invalidValue } from '../api-error.ts';
import type { Call } from '../call.ts';
import { asynchronous, create, list } from '../command.ts';
import { formatDate } from '../date.ts';
import type { JsonObject } from '../json.ts';
import { hasService } from '../operations/networks.ts';
import { like } from '../paging.ts';
import { PAGE, SCOPE } from '../parameter.ts';
import type { AutoscaleGroup, LoadBalancerRule } from '../state.ts';
import { supports } from '../version-profile.ts';
import { showOwner } from '../views/owner.ts';
import { scopedRows } from './scoped-rows.ts';

/** Seconds between two looks at a group, where nothing else is asked for. */
const INTERVAL = 30;

function showGroup(group: AutoscaleGroup, call: Call): JsonObject {
  const rule = call.state.loadBalancerRules.get(group.loadBalancerRuleId);
  const network = rule && call.state.networks.get(rule.networkId);
  return {
    id: group.id,
    name: group.name,
    lbruleid: group.loadBalancerRuleId,
    vmprofileid: group.profileId,
    minmembers: group.minMembers,
    maxmembers: group.maxMembers,
    interval: group.interval,
    availablevirtualmachinecount: rule?.members.length ?? 0,
    scaleuppolicies: group.scaleUpPolicyIds.map((id) => ({ id })),
    scaledownpolicies: group.scaleDownPolicyIds.map((id) => ({ id })),
    state: group.state,
    publicipid: rule?.publicIpId,
    publicip: rule && call.state.publicIps.get(rule.publicIpId)?.address,
    publicport: rule && String(rule.publicPort),
    privateport: rule && String(rule.privatePort),
    associatednetworkid: network?.id,
    associatednetworkname: network?.name,
    ...showOwner(call, group.accountId),
    created: formatDate(group.created),
  };
}

interface Size {
  readonly minmembers: number;
  readonly maxmembers: number;
}

function checkSize({ minmembers, maxmembers }: Size): void {
  if (minmembers < 0) throw invalidValue(`minmembers is an invalid value: ${minmembers}`);
  if (maxmembers < 0) throw invalidValue(`maxmembers is an invalid value: ${maxmembers}`);
  if (minmembers > maxmembers) {
    throw invalidValue('minmembers cannot be greater than maxmembers, range is invalid');
  }
}

/** The rule that a new group is to feed. It must be free of other groups, and of members given by hand. */
function freeRule(call: Call, id: string): LoadBalancerRule {
  const rule = call.state.loadBalancerRules.get(id);
  if (!rule) throw invalidValue(`Invalid load balancer id: ${id}`);
  checkAccess(call, rule.accountId);
  const network = call.state.networks.get(rule.networkId);
  // The virtual router can do it since 4.18.
  if (!supports(call.profile, '4.18') || !network || !hasService(call.state, network, 'Lb')) {
    throw invalidValue('AutoScale is not supported in the network');
  }
  if (rule.autoscaleGroupId !== undefined) {
    throw invalidValue(
      'an AutoScaleVmGroup is already attached to the lb rule, the existing vm group has to be first deleted',
    );
  }
  if (rule.members.length > 0) {
    throw invalidValue(
      'there are Vms already bound to the specified LoadBalancing Rule. User bound Vms and AutoScaled Vm Group cannot co-exist on a Load Balancing Rule',
    );
  }
  return rule;
}

function ruleOf(call: Call, id: string): LoadBalancerRule | undefined {
  const group = call.state.autoscaleGroups.get(id);
  return group && call.state.loadBalancerRules.get(group.loadBalancerRuleId);
}

/**
 * Groups as far as a load balancer rule feels them: it is in use. Policies and profiles are taken by id, whatever it
 * is, and nothing scales.
 */
export const autoscaleGroupCommands = [
  create({
    name: 'createAutoScaleVmGroup',
    description: 'Creates and automatically starts a virtual machine based on a service offering',
    commandClass: 'user.autoscale.CreateAutoScaleVmGroupCmd',
    event: 'AUTOSCALEVMGROUP.CREATE',
    parameters: {
      lbruleid: { type: 'uuid', of: 'load-balancer-rule', required: true },
      minmembers: { type: 'integer', required: true },
      maxmembers: { type: 'integer', required: true },
      interval: { type: 'integer' },
      scaleuppolicyids: { type: 'list', required: true },
      scaledownpolicyids: { type: 'list', required: true },
      vmprofileid: { type: 'string', required: true },
      name: { type: 'string', since: '4.18' },
      fordisplay: { type: 'boolean', rootOnly: true },
    },
    create: (call, values) => {
      checkSize(values);
      const rule = freeRule(call, values.lbruleid);
      const { state, random, clock } = call;
      const group = state.autoscaleGroups.add({
        id: random.uuid(),
        accountId: rule.accountId,
        name: values.name ?? `AutoScaleVmGroup-${rule.name}`,
        loadBalancerRuleId: rule.id,
        minMembers: values.minmembers,
        maxMembers: values.maxmembers,
        interval: values.interval ?? INTERVAL,
        scaleUpPolicyIds: values.scaleuppolicyids,
        scaleDownPolicyIds: values.scaledownpolicyids,
        profileId: values.vmprofileid,
        state: 'ENABLED',
        created: clock.now(),
      });
      state.loadBalancerRules.update(rule.id, { autoscaleGroupId: group.id });
      return group.id;
    },
    queue: (call, _, id) => ruleOf(call, id)?.networkId,
    run: async (call, _, id, job) => {
      await job.work();
      const group = call.state.autoscaleGroups.get(id);
      return { autoscalevmgroup: group ? showGroup(group, call) : {} };
    },
  }),
  asynchronous({
    name: 'deleteAutoScaleVmGroup',
    description: 'Deletes a autoscale vm group.',
    commandClass: 'user.autoscale.DeleteAutoScaleVmGroupCmd',
    event: 'AUTOSCALEVMGROUP.DELETE',
    parameters: {
      id: { type: 'uuid', of: 'autoscale-group', required: true },
      cleanup: { type: 'boolean', since: '4.18' },
    },
    queue: (call, { id }) => ruleOf(call, id)?.networkId,
    run: async (call, { id }, job) => {
      const { state } = call;
      const group = state.autoscaleGroups.get(id);
      if (group) checkAccess(call, group.accountId);
      await job.work();
      const rule = ruleOf(call, id);
      if (rule) {
        const { autoscaleGroupId: _, ...free } = rule;
        state.loadBalancerRules.replace(free);
      }
      state.autoscaleGroups.delete(id);
      return { success: true };
    },
  }),
  list({
    name: 'listAutoScaleVmGroups',
    description: 'Lists autoscale vm groups.',
    item: 'autoscalevmgroup',
    parameters: {
      ...PAGE,
      ...SCOPE,
      id: { type: 'uuid', of: 'autoscale-group' },
      name: { type: 'string', since: '4.18' },
      lbruleid: { type: 'uuid', of: 'load-balancer-rule' },
      vmprofileid: { type: 'string' },
      policyid: { type: 'string' },
      zoneid: { type: 'uuid', of: 'zone' },
      fordisplay: { type: 'boolean', rootOnly: true },
    },
    select: (call, values) => {
      const { name, keyword, lbruleid, vmprofileid, policyid, zoneid } = values;
      return scopedRows(call, call.state.autoscaleGroups, values).filter((group) => {
        const rule = call.state.loadBalancerRules.get(group.loadBalancerRuleId);
        const policies = [...group.scaleUpPolicyIds, ...group.scaleDownPolicyIds];
        return (
          (name === undefined || group.name === name) &&
          (keyword === undefined || like(group.name, keyword)) &&
          (lbruleid === undefined || group.loadBalancerRuleId === lbruleid) &&
          (vmprofileid === undefined || group.profileId === vmprofileid) &&
          (policyid === undefined || policies.includes(policyid)) &&
          (zoneid === undefined || (rule && call.state.networks.get(rule.networkId)?.zoneId) === zoneid)
        );
      });
    },
    show: showGroup,
  }),
];
