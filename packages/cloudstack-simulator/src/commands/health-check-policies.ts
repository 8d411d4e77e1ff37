import { checkAccess } from '../access.ts';
import { invalidValue, serverError } from '../api-error.ts';
import type { Call } from '../call.ts';
import { asynchronous, create, list } from '../command.ts';
import { RouterRefusedError } from '../jobs.ts';
import type { JsonObject } from '../json.ts';
import { providerOf } from '../operations/networks.ts';
import { PAGE } from '../parameter.ts';
import type { HealthCheckPolicy, LoadBalancerRule } from '../state.ts';
import { showRuleState } from '../views/rule-state.ts';
import { showWrapper } from './stickiness-policies.ts';

/** Virtual routers only try to connect; these can do more. */
const CAPABLE = new Set(['Netscaler', 'Tungsten']);

function showPolicies(call: Call, rule: LoadBalancerRule, policies: readonly HealthCheckPolicy[]): JsonObject {
  return {
    ...showWrapper(call, rule),
    healthcheckpolicy: policies.map((policy) => ({
      id: policy.id,
      pingpath: policy.pingPath,
      description: policy.description,
      responsetime: policy.responseTime,
      healthcheckinterval: policy.interval,
      healthcheckthresshold: policy.healthyThreshold,
      unhealthcheckthresshold: policy.unhealthyThreshold,
      state: showRuleState(policy.state),
    })),
  };
}

function ownRule(call: Call, id: string | undefined): LoadBalancerRule {
  const rule = id === undefined ? undefined : call.state.loadBalancerRules.get(id);
  if (!rule) throw invalidValue('Either load balancer rule ID or health check policy ID should be specified');
  checkAccess(call, rule.accountId);
  return rule;
}

export const healthCheckPolicyCommands = [
  create({
    name: 'createLBHealthCheckPolicy',
    description: 'Creates a load balancer health check policy',
    commandClass: 'user.loadbalancer.CreateLBHealthCheckPolicyCmd',
    instanceType: 'None',
    namesInstance: false,
    event: 'LB.HEALTHCHECKPOLICY.CREATE',
    parameters: {
      lbruleid: { type: 'uuid', of: 'load-balancer-rule', required: true },
      description: { type: 'string' },
      pingpath: { type: 'string' },
      responsetimeout: { type: 'integer' },
      intervaltime: { type: 'integer' },
      healthythreshold: { type: 'integer' },
      unhealthythreshold: { type: 'integer' },
      fordisplay: { type: 'boolean', rootOnly: true },
    },
    create: (call, values) => {
      const { state, random } = call;
      const rule = ownRule(call, values.lbruleid);
      const { responsetimeout = 2, intervaltime = 5, healthythreshold = 2, unhealthythreshold = 1 } = values;
      if (intervaltime <= responsetimeout) {
        throw serverError(
          430,
          'Failed to create HealthCheck policy : Monitor interval must be greater than response timeout',
        );
      }
      const network = state.networks.get(rule.networkId);
      if (!network || !CAPABLE.has(providerOf(state, network, 'Lb') ?? '')) {
        throw serverError(
          430,
          `Failed to create HealthCheck policy: Validation Failed (HealthCheck Policy is not supported by LB Provider for the LB rule id :${rule.internalId})`,
        );
      }
      return state.healthCheckPolicies.add({
        id: random.uuid(),
        loadBalancerRuleId: rule.id,
        pingPath: values.pingpath ?? '/',
        ...(values.description !== undefined && { description: values.description }),
        responseTime: responsetimeout,
        interval: intervaltime,
        healthyThreshold: healthythreshold,
        unhealthyThreshold: unhealthythreshold,
        state: 'Add',
      }).id;
    },
    queue: (call, { lbruleid }) => call.state.loadBalancerRules.get(lbruleid)?.networkId,
    run: async (call, { lbruleid }, id, job) => {
      const rule = ownRule(call, lbruleid);
      try {
        await job.apply(rule.networkId);
      } catch (refusal) {
        if (!(refusal instanceof RouterRefusedError)) throw refusal;
        call.state.healthCheckPolicies.delete(id);
        throw serverError(530, 'Failed to create health check policy');
      }
      for (const old of call.state.healthCheckPolicies.by('ruleId', rule.id)) {
        if (old.id !== id) call.state.healthCheckPolicies.delete(old.id);
      }
      const policy = call.state.healthCheckPolicies.update(id, { state: 'Active' });
      return { healthcheckpolicies: showPolicies(call, rule, policy ? [policy] : []) };
    },
  }),
  asynchronous({
    name: 'updateLBHealthCheckPolicy',
    description: 'Updates load balancer health check policy',
    commandClass: 'user.loadbalancer.UpdateLBHealthCheckPolicyCmd',
    event: 'LB.HEALTHCHECKPOLICY.UPDATE',
    parameters: {
      id: { type: 'uuid', of: 'health-check-policy', required: true },
      fordisplay: { type: 'boolean', rootOnly: true },
      customid: { type: 'string', rootOnly: true },
    },
    run: async (call, { id }, job) => {
      const rule = ownRule(call, call.state.healthCheckPolicies.get(id)?.loadBalancerRuleId);
      await job.work();
      const policy = call.state.healthCheckPolicies.get(id);
      return { healthcheckpolicies: showPolicies(call, rule, policy ? [policy] : []) };
    },
  }),
  asynchronous({
    name: 'deleteLBHealthCheckPolicy',
    description: 'Deletes a load balancer health check policy.',
    commandClass: 'user.loadbalancer.DeleteLBHealthCheckPolicyCmd',
    event: 'LB.HEALTHCHECKPOLICY.DELETE',
    parameters: { id: { type: 'uuid', of: 'health-check-policy', required: true } },
    run: async (call, { id }, job) => {
      const policy = call.state.healthCheckPolicies.get(id);
      if (policy) ownRule(call, policy.loadBalancerRuleId);
      await job.work();
      call.state.healthCheckPolicies.delete(id);
      return { success: true };
    },
  }),
  list({
    name: 'listLBHealthCheckPolicies',
    description: 'Lists load balancer health check policies.',
    item: 'healthcheckpolicies',
    unpaged: true,
    parameters: {
      ...PAGE,
      id: { type: 'uuid', of: 'health-check-policy' },
      lbruleid: { type: 'uuid', of: 'load-balancer-rule' },
      fordisplay: { type: 'boolean', rootOnly: true },
    },
    select: (call, { id, lbruleid }) => {
      const policy = id === undefined ? undefined : call.state.healthCheckPolicies.get(id);
      return [ownRule(call, policy?.loadBalancerRuleId ?? lbruleid)];
    },
    show: (rule, call) => showPolicies(call, rule, call.state.healthCheckPolicies.by('ruleId', rule.id)),
  }),
];
