import { checkAccess, mayOperate } from '../access.ts';
import { serverError, unexpected } from '../api-error.ts';
import type { Call } from '../call.ts';
import { asynchronous, list } from '../command.ts';
import { RouterRefusedError } from '../jobs.ts';
import type { JsonObject } from '../json.ts';
import { applied, networkApplied, sameMember } from '../operations/load-balancers.ts';
import { PAGE, type MapEntry } from '../parameter.ts';
import type { LoadBalancerRule, Member } from '../state.ts';
import { showVirtualMachine } from '../views/virtual-machine.ts';
import { ruleInJob, ruleQueue } from './load-balancer-rules.ts';

type Target = Pick<Member, 'virtualMachineId' | 'address'>;

interface MemberValues {
  readonly id: string;
  readonly virtualmachineids?: readonly string[] | undefined;
  readonly vmidipmap?: readonly MapEntry[] | undefined;
}

const MEMBER_PARAMETERS = {
  id: { type: 'uuid', of: 'load-balancer-rule', required: true },
  virtualmachineids: { type: 'uuid-list', of: 'virtual-machine' },
  vmidipmap: { type: 'map', documentedSince: '4.4' },
} as const;

/** Whatever is wrong with an assign, this is all the caller learns. */
function assignFailed(): Error {
  return serverError(530, 'Failed to assign load balancer rule');
}

/** The new members of an assign. @throws ApiError if one of them can't be a member. */
function newMembers(call: Call, rule: LoadBalancerRule, values: MemberValues): Target[] {
  if (!values.virtualmachineids && !values.vmidipmap) throw assignFailed();
  const byId = [...new Set(values.virtualmachineids)].map((id) => target(call, rule, id));
  const byAddress = (values.vmidipmap ?? []).map(({ vmid = '', vmip }) => target(call, rule, vmid, vmip));
  const targets = [...byId, ...byAddress];
  const taken = (wanted: Target): boolean => rule.members.some((member) => sameMember(member, wanted));
  if (targets.some(taken)) throw assignFailed();
  return targets;
}

function target(call: Call, rule: LoadBalancerRule, virtualMachineId: string, address?: string): Target {
  const vm = call.state.virtualMachines.get(virtualMachineId);
  if (!vm || vm.removed !== undefined || vm.state === 'Destroyed' || vm.state === 'Expunging') throw assignFailed();
  if (vm.accountId !== rule.accountId || !mayOperate(call, vm.accountId)) throw assignFailed();
  const nic = vm.nics.find((one) => one.networkId === rule.networkId) ?? nicOfOtherTier(call, rule, virtualMachineId);
  if (nic?.ipAddress === undefined) throw assignFailed();
  const own = [nic.ipAddress, ...nic.secondaryIps.map((secondary) => secondary.address)];
  if (address !== undefined && !own.includes(address)) throw assignFailed();
  return { virtualMachineId, address: address ?? nic.ipAddress };
}

/** From 4.23 a VPC in conserve mode lets a rule have members of its other tiers. */
function nicOfOtherTier(
  { state, profile }: Call,
  rule: LoadBalancerRule,
  id: string,
): { readonly ipAddress?: string; readonly secondaryIps: readonly { readonly address: string }[] } | undefined {
  const vpcId = state.networks.get(rule.networkId)?.vpcId;
  const vpc = vpcId === undefined ? undefined : state.vpcs.get(vpcId);
  const conserves = vpc !== undefined && state.vpcOfferings.get(vpc.offeringId)?.conserveMode === true;
  if (!profile.vpcConserveMode || !conserves) return undefined;
  return state.virtualMachines.get(id)?.nics.find((nic) => state.networks.get(nic.networkId)?.vpcId === vpcId);
}

function targetsToRemove(rule: LoadBalancerRule, values: MemberValues): Member[] {
  const mismatch = (): Error => serverError(431, 'Failed to remove instance from load balancer rule');
  if (!values.virtualmachineids && !values.vmidipmap) throw mismatch();
  const ids = new Set(values.virtualmachineids);
  const byAddress = (values.vmidipmap ?? []).map(({ vmid, vmip }) => {
    const found = rule.members.find(
      (member) => member.virtualMachineId === vmid && (vmip === undefined || member.address === vmip),
    );
    if (!found) throw mismatch();
    return found;
  });
  return [...rule.members.filter((member) => ids.has(member.virtualMachineId)), ...byAddress];
}

/** Machines that are destroyed still are members, but do not show. */
const HIDDEN = new Set(['Destroyed', 'Expunging', 'Error', 'Unknown']);

interface Instance {
  readonly virtualMachineId: string;
  readonly addresses: readonly string[];
}

function instances({ state }: Call, rule: LoadBalancerRule): Instance[] {
  const byMachine = new Map<string, string[]>();
  for (const { virtualMachineId, address } of rule.members) {
    const vm = state.virtualMachines.get(virtualMachineId);
    if (!vm || vm.removed !== undefined || HIDDEN.has(vm.state)) continue;
    byMachine.set(virtualMachineId, [...(byMachine.get(virtualMachineId) ?? []), address]);
  }
  const number = (id: string): number => state.virtualMachines.get(id)?.internalId ?? 0;
  return [...byMachine]
    .sort(([a], [b]) => number(a) - number(b))
    .map(([virtualMachineId, addresses]) => ({ virtualMachineId, addresses }));
}

function showInstance(instance: Instance, call: Call, withAddresses: boolean): JsonObject {
  const vm = call.state.virtualMachines.get(instance.virtualMachineId);
  const shown = vm ? showVirtualMachine(vm, call) : {};
  return withAddresses ? { loadbalancerruleinstance: shown, lbvmipaddresses: instance.addresses } : shown;
}

export const loadBalancerMemberCommands = [
  asynchronous({
    name: 'assignToLoadBalancerRule',
    description: 'Assigns virtual machine or a list of virtual machines to a load balancer rule.',
    commandClass: 'user.loadbalancer.AssignToLoadBalancerRuleCmd',
    event: 'LB.ASSIGN.TO.RULE',
    parameters: MEMBER_PARAMETERS,
    queue: ruleQueue,
    run: async (call, values, job) => {
      const { state } = call;
      const rule = state.loadBalancerRules.get(values.id);
      if (!rule || !mayOperate(call, rule.accountId) || rule.autoscaleGroupId !== undefined) {
        await job.work();
        throw assignFailed();
      }
      const added = newMembers(call, rule, values).map((one) => ({ ...one, revoked: false }));
      state.loadBalancerRules.update(rule.id, { members: [...rule.members, ...added] });
      try {
        await (added.length > 0 ? job.apply(rule.networkId) : job.work());
      } catch (refusal) {
        if (!(refusal instanceof RouterRefusedError)) throw refusal;
        const members = state.loadBalancerRules.get(rule.id)?.members ?? [];
        const kept = members.filter((member) => !added.some((one) => sameMember(member, one)));
        state.loadBalancerRules.update(rule.id, { members: kept });
        throw assignFailed();
      }
      if (added.length > 0) applied(state, rule.id);
      networkApplied(state, rule.networkId);
      return { success: true };
    },
  }),
  asynchronous({
    name: 'removeFromLoadBalancerRule',
    description: 'Removes a virtual machine or a list of virtual machines from a load balancer rule.',
    commandClass: 'user.loadbalancer.RemoveFromLoadBalancerRuleCmd',
    event: 'LB.REMOVE.FROM.RULE',
    parameters: MEMBER_PARAMETERS,
    queue: ruleQueue,
    run: async (call, values, job) => {
      const { state } = call;
      const rule = ruleInJob(call, values.id);
      if (!rule) return { success: true };
      if (rule.autoscaleGroupId !== undefined) throw unexpected('Failed to remove instance from load balancer rule');
      const going = targetsToRemove(rule, values);
      const members = rule.members.map((one) =>
        going.some((gone) => sameMember(one, gone)) ? { ...one, revoked: true } : one,
      );
      state.loadBalancerRules.update(rule.id, { members });
      try {
        await (going.length > 0 ? job.apply(rule.networkId) : job.work());
      } catch (refusal) {
        if (!(refusal instanceof RouterRefusedError)) throw refusal;
        const ids = going.map((member) => state.virtualMachines.get(member.virtualMachineId)?.internalId);
        throw unexpected(`Failed to remove specified load balancer rule id for vms [${ids.join(', ')}]`);
      }
      if (going.length > 0) applied(state, rule.id);
      networkApplied(state, rule.networkId);
      return { success: true };
    },
  }),
  list({
    name: 'listLoadBalancerRuleInstances',
    description: 'List all virtual machine instances that are assigned to a load balancer rule.',
    item: ({ lbvmips }) => (lbvmips === true ? 'lbrulevmidip' : 'loadbalancerruleinstance'),
    unpaged: true,
    parameters: {
      ...PAGE,
      id: { type: 'uuid', of: 'load-balancer-rule', required: true },
      applied: { type: 'boolean' },
      lbvmips: { type: 'boolean' },
    },
    select: (call, { id, applied: isApplied = true }) => {
      const rule = call.state.loadBalancerRules.get(id);
      if (!rule) return [];
      checkAccess(call, rule.accountId);
      return isApplied ? instances(call, rule) : [];
    },
    show: (instance, call, { lbvmips }) => showInstance(instance, call, lbvmips === true),
  }),
];
