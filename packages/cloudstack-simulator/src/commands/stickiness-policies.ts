import { accountAndDomain, checkAccess } from '../access.ts';
import { invalidValue, serverError, unexpected } from '../api-error.ts';
import type { Call } from '../call.ts';
import { asynchronous, create, list } from '../command.ts';
import { RouterRefusedError } from '../jobs.ts';
import type { JsonObject } from '../json.ts';
import { networkApplied } from '../operations/load-balancers.ts';
import { PAGE, type MapEntry } from '../parameter.ts';
import type { LoadBalancerRule, StickinessPolicy } from '../state.ts';
import { STICKINESS_METHODS, type StickinessMethod } from '../stickiness-methods.ts';
import { showDomain } from '../views/owner.ts';

/** A wrapper around the policies of one rule. It names a project by its pseudo account. */
export function showWrapper(call: Call, rule: LoadBalancerRule): JsonObject {
  const owner = accountAndDomain(call.state, rule.accountId);
  return {
    lbruleid: rule.id,
    account: owner?.account.name,
    ...(owner && showDomain(call, owner.domain.id)),
  };
}

function showPolicies(call: Call, rule: LoadBalancerRule, policies: readonly StickinessPolicy[]): JsonObject {
  return {
    ...showWrapper(call, rule),
    stickinesspolicy: policies.map((policy) => ({
      id: policy.id,
      name: policy.name,
      methodname: policy.methodName,
      description: policy.description,
      params: policy.parameters,
    })),
  };
}

function findMethod(rule: LoadBalancerRule, name: string): StickinessMethod {
  const method = STICKINESS_METHODS.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (method) return method;
  throw invalidValue(`Failed to match Stickiness method name for LB rule:${rule.internalId}`);
}

function readParameters(
  rule: LoadBalancerRule,
  method: StickinessMethod,
  entries: readonly MapEntry[],
): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const { name = '', value = '' } of entries) {
    const known = method.parameters.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (!known) throw invalidValue(`Failed : Stickiness policy does not support param name :${name}`);
    if (!known.isFlag && value === '') throw invalidValue(`Failed : Value expected for the Param :${name}`);
    if (known.format && !known.format.pattern.test(value)) {
      throw invalidValue(
        `Failed LB in validation rule id: ${rule.internalId} Cause: ${known.name} is not in ${known.format.words}: ${value}`,
      );
    }
    parameters[known.name] = value;
  }
  return parameters;
}

/** The rule that both ids lead to. @throws ApiError 431 if there is neither. */
function ruleOf(call: Call, lbruleid: string | undefined, policy: StickinessPolicy | undefined): LoadBalancerRule {
  const id = policy?.loadBalancerRuleId ?? lbruleid;
  const rule = id === undefined ? undefined : call.state.loadBalancerRules.get(id);
  if (!rule) throw invalidValue("load balancer rule ID and stickiness policy ID can't be null");
  checkAccess(call, rule.accountId);
  return rule;
}

export const stickinessPolicyCommands = [
  create({
    name: 'createLBStickinessPolicy',
    description: 'Creates a load balancer stickiness policy ',
    commandClass: 'user.loadbalancer.CreateLBStickinessPolicyCmd',
    envelope: 'createLBStickinessPolicy',
    instanceType: 'None',
    namesInstance: false,
    event: 'LB.STICKINESSPOLICY.CREATE',
    parameters: {
      lbruleid: { type: 'uuid', of: 'load-balancer-rule', required: true },
      description: { type: 'string' },
      methodname: { type: 'string', required: true },
      name: { type: 'string', required: true },
      param: { type: 'map' },
      fordisplay: { type: 'boolean', rootOnly: true },
    },
    create: (call, values) => {
      const { state, random } = call;
      const rule = ruleOf(call, values.lbruleid, undefined);
      const method = findMethod(rule, values.methodname);
      const parameters = readParameters(rule, method, values.param ?? []);
      const { description } = values;
      return state.stickinessPolicies.add({
        id: random.uuid(),
        loadBalancerRuleId: rule.id,
        name: values.name,
        methodName: values.methodname,
        ...(description !== undefined && { description }),
        parameters,
        state: 'Add',
      }).id;
    },
    queue: (call, { lbruleid }) => call.state.loadBalancerRules.get(lbruleid)?.networkId,
    run: async (call, { lbruleid }, id, job) => {
      const { state } = call;
      const rule = state.loadBalancerRules.get(lbruleid);
      if (!rule) throw unexpected('Failed to create stickiness policy');
      try {
        await job.apply(rule.networkId);
      } catch (refusal) {
        if (!(refusal instanceof RouterRefusedError)) throw refusal;
        state.stickinessPolicies.delete(id);
        throw serverError(530, 'Failed to create stickiness policy');
      }
      // A rule has one policy: the new one takes the place of those before it.
      for (const old of state.stickinessPolicies.by('ruleId', rule.id)) {
        if (old.id !== id) state.stickinessPolicies.delete(old.id);
      }
      const policy = state.stickinessPolicies.update(id, { state: 'Active' });
      networkApplied(state, rule.networkId);
      return { stickinesspolicies: showPolicies(call, rule, policy ? [policy] : []) };
    },
  }),
  asynchronous({
    name: 'updateLBStickinessPolicy',
    description: 'Updates load balancer stickiness policy',
    commandClass: 'user.loadbalancer.UpdateLBStickinessPolicyCmd',
    event: 'LB.STICKINESSPOLICY.UPDATE',
    parameters: {
      id: { type: 'uuid', of: 'stickiness-policy', required: true },
      fordisplay: { type: 'boolean', rootOnly: true },
      customid: { type: 'string', rootOnly: true },
    },
    run: async (call, { id }, job) => {
      const rule = ruleOf(call, undefined, call.state.stickinessPolicies.get(id));
      await job.work();
      const policy = call.state.stickinessPolicies.get(id);
      return { stickinesspolicies: showPolicies(call, rule, policy ? [policy] : []) };
    },
  }),
  asynchronous({
    name: 'deleteLBStickinessPolicy',
    description: 'Deletes a load balancer stickiness policy.',
    commandClass: 'user.loadbalancer.DeleteLBStickinessPolicyCmd',
    envelope: 'deleteLBstickinessrruleresponse',
    event: 'LB.STICKINESSPOLICY.DELETE',
    parameters: { id: { type: 'uuid', of: 'stickiness-policy', required: true } },
    queue: (call, { id }) => {
      const policy = call.state.stickinessPolicies.get(id);
      return policy && call.state.loadBalancerRules.get(policy.loadBalancerRuleId)?.networkId;
    },
    run: async (call, { id }, job) => {
      const policy = call.state.stickinessPolicies.get(id);
      if (!policy) return { success: true };
      const rule = ruleOf(call, undefined, policy);
      try {
        await job.apply(rule.networkId);
      } catch (refusal) {
        if (!(refusal instanceof RouterRefusedError)) throw refusal;
        throw serverError(530, 'Failed to delete load balancer stickiness policy');
      }
      call.state.stickinessPolicies.delete(id);
      networkApplied(call.state, rule.networkId);
      return { success: true };
    },
  }),
  list({
    name: 'listLBStickinessPolicies',
    description: 'Lists load balancer stickiness policies.',
    item: 'stickinesspolicies',
    unpaged: true,
    parameters: {
      ...PAGE,
      id: { type: 'uuid', of: 'stickiness-policy' },
      lbruleid: { type: 'uuid', of: 'load-balancer-rule' },
      fordisplay: { type: 'boolean', rootOnly: true },
    },
    select: (call, { id, lbruleid }) => {
      const policy = id === undefined ? undefined : call.state.stickinessPolicies.get(id);
      return [ruleOf(call, lbruleid, policy)];
    },
    show: (rule, call, { id }) => {
      const policies = call.state.stickinessPolicies.by('ruleId', rule.id);
      return showPolicies(call, rule, id === undefined ? policies : policies.filter((policy) => policy.id === id));
    },
  }),
];
