import {
  loadBalancerRule,
  loadBalancerRuleInstance,
  type LoadBalancerRule,
  type LoadBalancerRuleInstance,
} from '../entities/load-balancer-rule.ts';
import type { Tag } from '../entities/tag.ts';
import { byId, jobCommand, listCommand } from './command.ts';
import { success, under } from './results.ts';

export type LoadBalancerRuleFilter = {
  /** A deleted rule is a NotFoundError from the moment of its deletion. */
  readonly id?: string | undefined;
  /** Exact. */
  readonly name?: string | undefined;
  /** Part of the name or the description. `%` and `_` are wildcards: filter the answer again. */
  readonly keyword?: string | undefined;
  readonly publicIpId?: string | undefined;
  readonly networkId?: string | undefined;
  readonly virtualMachineId?: string | undefined;
  readonly zoneId?: string | undefined;
  readonly listAll?: boolean | undefined;
  /** Several tags are alternatives. */
  readonly tags?: readonly Tag[] | undefined;
};

export const listLoadBalancerRules = listCommand<LoadBalancerRuleFilter, LoadBalancerRule>({
  command: 'listLoadBalancerRules',
  items: 'loadbalancerrule',
  decode: loadBalancerRule,
  takesProject: true,
  exactCount: true,
  identify: byId,
});

export type CreateLoadBalancerRule = {
  readonly name: string;
  readonly algorithm: string;
  readonly publicIpId: string;
  readonly publicPort: number;
  readonly privatePort: number;
  /** Needed for a VPC's address without rules; otherwise the address's own network is used whatever is sent. */
  readonly networkId?: string | undefined;
  readonly protocol?: string | undefined;
  /** CloudStack before 4.18 refuses the parameter, even empty. */
  readonly cidrList?: readonly string[] | undefined;
  /** The server's default outside a VPC is true: it opens the port to the world. */
  readonly openFirewall: boolean;
  readonly description?: string | undefined;
};

/** @throws ConflictError if the port is taken, InvalidParameterError if the provider refuses port or protocol */
export const createLoadBalancerRule = jobCommand<CreateLoadBalancerRule, LoadBalancerRule>({
  command: 'createLoadBalancerRule',
  decode: under('loadbalancer', loadBalancerRule),
});

/** At least one change that the server's version knows, or the job fails with 530. */
export type UpdateLoadBalancerRule = {
  readonly id: string;
  readonly algorithm?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly protocol?: string | undefined;
  /** From CloudStack 4.22 on; before, it is ignored. */
  readonly cidrList?: readonly string[] | undefined;
};

/** Up to CloudStack 4.21 the router is programmed anew only when the algorithm changes. */
export const updateLoadBalancerRule = jobCommand<UpdateLoadBalancerRule, LoadBalancerRule>({
  command: 'updateLoadBalancerRule',
  decode: under('loadbalancer', loadBalancerRule),
});

/** When its job fails, the rule stays, and its members may vanish with the next change: read them again. */
export const deleteLoadBalancerRule = jobCommand<{ readonly id: string }, void>({
  command: 'deleteLoadBalancerRule',
  decode: success,
});

export type RuleMembers = {
  /** The rule. */
  readonly id: string;
  readonly virtualMachineIds?: readonly string[] | undefined;
  /** Members by one of their addresses: entries `{vmid, vmip}`. */
  readonly vmIdIpMap?: readonly { readonly vmid: string; readonly vmip: string }[] | undefined;
};

/** All or nothing, and not idempotent: a machine that is a member already fails the job. Send the difference. */
export const assignToLoadBalancerRule = jobCommand<RuleMembers, void>({
  command: 'assignToLoadBalancerRule',
  decode: success,
});

/** Removing a machine that is no member succeeds. */
export const removeFromLoadBalancerRule = jobCommand<RuleMembers, void>({
  command: 'removeFromLoadBalancerRule',
  decode: success,
});

/** Destroyed machines are left out, although they stay members until they are expunged. */
export const listLoadBalancerRuleInstances = listCommand<
  { readonly id: string; readonly lbVmIps: true },
  LoadBalancerRuleInstance
>({
  command: 'listLoadBalancerRuleInstances',
  items: 'lbrulevmidip',
  decode: loadBalancerRuleInstance,
  paged: false,
  identify: (item) => item.virtualMachine.id,
});
