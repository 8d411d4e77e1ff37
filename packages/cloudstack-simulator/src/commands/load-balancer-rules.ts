import { checkAccess } from '../access.ts';
import { invalidValue, unexpected } from '../api-error.ts';
import type { Call } from '../call.ts';
import { sameText } from '../collation.ts';
import { asynchronous, create, list } from '../command.ts';
import { RouterRefusedError } from '../jobs.ts';
import { applied, deleteLoadBalancer, networkApplied } from '../operations/load-balancers.ts';
import { attachToTier } from '../operations/vpc-addresses.ts';
import { like } from '../paging.ts';
import { PAGE, SCOPE } from '../parameter.ts';
import type { LoadBalancerRule } from '../state.ts';
import { showLoadBalancerRule } from '../views/load-balancer-rule.ts';
import { isCidrOrAddress } from './cidr.ts';
import { openFirewall } from './firewall-rules.ts';
import { scopedRows } from './scoped-rows.ts';
import { checkNewRule, conserves, opensFirewall, routerRefuses, type NewRule } from './new-load-balancer-rule.ts';

function createRule(call: Call, values: NewRule): string {
  const { ip, network } = checkNewRule(call, values);
  const { state, random, clock } = call;
  const rule = state.loadBalancerRules.add({
    id: random.uuid(),
    accountId: ip.accountId ?? network.accountId,
    publicIpId: ip.id,
    networkId: network.id,
    name: values.name,
    ...(values.description !== undefined && { description: values.description }),
    publicPort: values.publicport,
    privatePort: values.privateport,
    algorithm: values.algorithm,
    ...(values.protocol !== undefined && { protocol: values.protocol }),
    ...(values.cidrlist && { cidrList: values.cidrlist.map((cidr) => cidr.trim()).join(' ') }),
    members: [],
    state: 'Add',
    created: clock.now(),
  });
  attachToTier(state, ip.id, network.id);
  // The address of a VPC loses its purpose for good when a rule is put on it.
  if (ip.vpcId !== undefined && ip.isSourceNat && !conserves(call, network)) {
    state.publicIps.update(ip.id, { isSourceNat: false });
  }
  if (opensFirewall(values, ip))
    openFirewall(call, { ip, networkId: network.id, port: values.publicport, ruleId: rule.id });
  return rule.id;
}

/** @throws ApiError 530 with the text that a foreign rule gets inside of a job. */
export function ruleInJob(call: Call, id: string): LoadBalancerRule | undefined {
  const rule = call.state.loadBalancerRules.get(id);
  if (rule) checkAccess(call, rule.accountId);
  return rule;
}

/** The queue of a rule's jobs: its network's. */
export function ruleQueue(call: Call, values: { readonly id: string }): string | undefined {
  return call.state.loadBalancerRules.get(values.id)?.networkId;
}

function shown(call: Call, id: string): { readonly loadbalancer: ReturnType<typeof showLoadBalancerRule> } {
  const rule = call.state.loadBalancerRules.get(id);
  if (!rule) throw unexpected(`Failed to create load balancer rule`);
  return { loadbalancer: showLoadBalancerRule(rule, call) };
}

export const loadBalancerRuleCommands = [
  create({
    name: 'createLoadBalancerRule',
    description: 'Creates a load balancer rule',
    commandClass: 'user.loadbalancer.CreateLoadBalancerRuleCmd',
    instanceType: 'FirewallRule',
    event: 'LB.CREATE',
    parameters: {
      algorithm: { type: 'string', required: true },
      description: { type: 'string', length: 4096 },
      name: { type: 'string', required: true, field: 'loadBalancerRuleName' },
      privateport: { type: 'integer', required: true },
      publicipid: { type: 'uuid', of: 'public-ip' },
      zoneid: { type: 'uuid', of: 'zone' },
      publicport: { type: 'integer', required: true },
      openfirewall: { type: 'boolean' },
      account: { type: 'string' },
      domainid: { type: 'uuid', of: 'domain' },
      cidrlist: { type: 'list', documentedSince: '4.18.0.0' },
      networkid: { type: 'uuid', of: 'network' },
      protocol: { type: 'string' },
      fordisplay: { type: 'boolean', rootOnly: true },
      customid: { type: 'string', rootOnly: true },
    },
    create: createRule,
    queue: (call, _, id) => call.state.loadBalancerRules.get(id)?.networkId,
    run: async (call, _, id, job) => {
      const rule = call.state.loadBalancerRules.get(id);
      const opened = call.state.firewallRules.by('relatedRuleId', id).filter((one) => one.state === 'Add');
      if (!rule || opened.length === 0) {
        await job.work();
        return shown(call, id);
      }
      try {
        await job.apply(rule.networkId);
      } catch (refusal) {
        if (!(refusal instanceof RouterRefusedError)) throw refusal;
        call.state.loadBalancerRules.update(id, { state: 'Revoke' });
        for (const one of opened) call.state.firewallRules.update(one.id, { state: 'Revoke' });
        throw unexpected(`Unable to remove load balancer rule ${rule.internalId}`);
      }
      for (const one of opened) call.state.firewallRules.update(one.id, { state: 'Active' });
      networkApplied(call.state, rule.networkId);
      return shown(call, id);
    },
  }),
  asynchronous({
    name: 'updateLoadBalancerRule',
    description: 'Updates load balancer',
    commandClass: 'user.loadbalancer.UpdateLoadBalancerRuleCmd',
    event: 'LB.UPDATE',
    parameters: {
      id: { type: 'uuid', of: 'load-balancer-rule', required: true },
      algorithm: { type: 'string' },
      description: { type: 'string', length: 4096 },
      name: { type: 'string', field: 'loadBalancerName' },
      protocol: { type: 'string' },
      cidrlist: { type: 'list', since: '4.22' },
      fordisplay: { type: 'boolean', rootOnly: true },
      customid: { type: 'string', rootOnly: true },
    },
    queue: ruleQueue,
    run: async (call, { id, cidrlist, ...values }, job) => {
      const { state, profile } = call;
      const before = ruleInJob(call, id);
      if (!before) throw invalidValue(`Unable to find lb rule by id=${id}`);
      const failed = (): Error => unexpected(`Failed to update load balancer rule: ${before.internalId}`);
      if (cidrlist === undefined && Object.values(values).every((value) => value === undefined)) {
        await job.work();
        throw failed();
      }
      checkUpdatedCidrs(cidrlist);
      const network = state.networks.get(before.networkId);
      const protocol = values.protocol ?? before.protocol;
      if (network && routerRefuses(call, network, { protocol, publicport: before.publicPort })) {
        throw invalidValue(`Modifications in lb rule ${before.internalId} are not supported.`);
      }
      const { algorithm, description, name } = values;
      const reapplies =
        (algorithm !== undefined && algorithm !== before.algorithm) ||
        (profile.updateCidrList &&
          (cidrlist !== undefined || (values.protocol ?? before.protocol) !== before.protocol));
      state.loadBalancerRules.update(id, {
        ...(algorithm !== undefined && { algorithm }),
        ...(description !== undefined && { description }),
        ...(name !== undefined && { name }),
        ...(values.protocol !== undefined && { protocol: values.protocol }),
        ...(cidrlist && { cidrList: cidrlist.join(',') }),
        ...(reapplies && { state: 'Add' }),
      });
      if (!reapplies) {
        await job.work();
        return shown(call, id);
      }
      const result = shown(call, id);
      try {
        await job.apply(before.networkId);
      } catch (refusal) {
        if (!(refusal instanceof RouterRefusedError)) throw refusal;
        if (state.loadBalancerRules.get(id)) state.loadBalancerRules.replace(before);
        throw failed();
      }
      applied(state, id);
      networkApplied(state, before.networkId);
      return result;
    },
  }),
  asynchronous({
    name: 'deleteLoadBalancerRule',
    description: 'Deletes a load balancer rule.',
    commandClass: 'user.loadbalancer.DeleteLoadBalancerRuleCmd',
    event: 'LB.DELETE',
    parameters: { id: { type: 'uuid', of: 'load-balancer-rule', required: true } },
    queue: ruleQueue,
    run: async (call, { id }, job) => {
      const { state } = call;
      const rule = ruleInJob(call, id);
      // A second delete that waited for the first one finds nothing to do.
      if (!rule) return { success: true };
      if (rule.autoscaleGroupId !== undefined) {
        throw unexpected(
          `Cannot delete load balancer rule ${rule.internalId} because it is being used by 1 Autoscale VM group.`,
        );
      }
      state.loadBalancerRules.update(id, { state: 'Revoke' });
      for (const one of state.firewallRules.by('relatedRuleId', id))
        state.firewallRules.update(one.id, { state: 'Revoke' });
      try {
        await job.apply(rule.networkId);
      } catch (refusal) {
        if (!(refusal instanceof RouterRefusedError)) throw refusal;
        // The rule comes back, but its members stay marked for removal.
        const members = rule.members.map((member) => ({ ...member, revoked: true }));
        state.loadBalancerRules.update(id, { state: rule.state === 'Revoke' ? 'Revoke' : 'Active', members });
        throw unexpected(`Unable to remove load balancer rule ${rule.internalId}`);
      }
      deleteLoadBalancer(state, rule);
      networkApplied(state, rule.networkId);
      return { success: true };
    },
  }),
  list({
    name: 'listLoadBalancerRules',
    description: 'Lists load balancer rules.',
    item: 'loadbalancerrule',
    parameters: {
      ...PAGE,
      ...SCOPE,
      id: { type: 'uuid', of: 'load-balancer-rule' },
      name: { type: 'string' },
      publicipid: { type: 'uuid', of: 'public-ip' },
      virtualmachineid: { type: 'uuid', of: 'virtual-machine' },
      zoneid: { type: 'uuid', of: 'zone' },
      networkid: { type: 'uuid', of: 'network' },
      fordisplay: { type: 'boolean', rootOnly: true },
    },
    select: (call, values) => {
      const { name, keyword, publicipid, networkid, virtualmachineid, zoneid } = values;
      return scopedRows(call, call.state.loadBalancerRules, values).filter(
        (rule) =>
          rule.source === undefined &&
          (name === undefined || sameText(rule.name, name)) &&
          (keyword === undefined || like(rule.name, keyword) || like(rule.description, keyword)) &&
          (publicipid === undefined || rule.publicIpId === publicipid) &&
          (networkid === undefined || rule.networkId === networkid) &&
          (virtualmachineid === undefined ||
            rule.members.some((member) => member.virtualMachineId === virtualmachineid)) &&
          (zoneid === undefined || call.state.publicIps.get(rule.publicIpId)?.zoneId === zoneid),
      );
    },
    show: showLoadBalancerRule,
  }),
];

function checkUpdatedCidrs(cidrs: readonly string[] | undefined): void {
  const bad = cidrs?.some((cidr) => !isCidrOrAddress(cidr) || !cidr.includes('/'));
  if (cidrs && bad) throw invalidValue(`Invalid CIDR list: ${cidrs.join(',')}`);
}
