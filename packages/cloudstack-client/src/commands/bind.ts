import type { Scope } from '@cloudstack-ccm/base';
import type { LoadBalancerRuleInstance } from '../entities/load-balancer-rule.ts';
import type { Caller } from './caller.ts';
import { createFirewallRule, deleteFirewallRule, listFirewallRules } from './firewall-rules.ts';
import { listApis, listProjects, listServiceOfferings, listZones } from './installation.ts';
import * as rules from './load-balancer-rules.ts';
import * as acls from './network-acls.ts';
import { listNetworks, listVpcs } from './networks.ts';
import { associateIpAddress, disassociateIpAddress, listPublicIpAddresses } from './public-ips.ts';
import { listPortForwardingRules } from './port-forwarding-rules.ts';
import { createStickinessPolicy, deleteStickinessPolicy, listStickinessPolicies } from './stickiness-policies.ts';
import { createTags, deleteTags, listTags } from './tags.ts';
import { listVirtualMachines } from './virtual-machines.ts';

/**
 * All commands as functions. Lists resolve to everything there is; commands that change something resolve to a `Job`
 * as soon as CloudStack has accepted them.
 */
export function bindCommands(caller: Caller) {
  const listInstances = caller.list(rules.listLoadBalancerRuleInstances);
  return {
    listZones: caller.list(listZones),
    listProjects: caller.list(listProjects),
    listServiceOfferings: caller.list(listServiceOfferings),
    listApis: caller.list(listApis),

    listVirtualMachines: caller.list(listVirtualMachines),
    listNetworks: caller.list(listNetworks),
    listVpcs: caller.list(listVpcs),

    listPublicIpAddresses: caller.list(listPublicIpAddresses),
    /** The first ones only, at most so many. */
    somePublicIpAddresses: caller.some(listPublicIpAddresses),
    associateIpAddress: caller.job(associateIpAddress),
    disassociateIpAddress: caller.job(disassociateIpAddress),

    listLoadBalancerRules: caller.list(rules.listLoadBalancerRules),
    createLoadBalancerRule: caller.job(rules.createLoadBalancerRule),
    updateLoadBalancerRule: caller.job(rules.updateLoadBalancerRule),
    deleteLoadBalancerRule: caller.job(rules.deleteLoadBalancerRule),
    assignToLoadBalancerRule: caller.job(rules.assignToLoadBalancerRule),
    removeFromLoadBalancerRule: caller.job(rules.removeFromLoadBalancerRule),
    /** The members of a rule, with the addresses that receive traffic. */
    listLoadBalancerRuleInstances: (
      scope: Scope,
      { id }: { readonly id: string },
    ): Promise<readonly LoadBalancerRuleInstance[]> => listInstances(scope, { id, lbVmIps: true }),

    listStickinessPolicies: caller.list(listStickinessPolicies),
    createStickinessPolicy: caller.job(createStickinessPolicy),
    deleteStickinessPolicy: caller.job(deleteStickinessPolicy),

    listFirewallRules: caller.list(listFirewallRules),
    createFirewallRule: caller.job(createFirewallRule),
    deleteFirewallRule: caller.job(deleteFirewallRule),

    listPortForwardingRules: caller.list(listPortForwardingRules),

    listNetworkAclLists: caller.list(acls.listNetworkAclLists),
    listNetworkAclItems: caller.list(acls.listNetworkAclItems),
    createNetworkAclItem: caller.job(acls.createNetworkAclItem),
    updateNetworkAclItem: caller.job(acls.updateNetworkAclItem),
    deleteNetworkAclItem: caller.job(acls.deleteNetworkAclItem),

    listTags: caller.list(listTags),
    createTags: caller.job(createTags),
    deleteTags: caller.job(deleteTags),
  };
}

/** See `bindCommands`. */
export type Commands = Readonly<ReturnType<typeof bindCommands>>;
