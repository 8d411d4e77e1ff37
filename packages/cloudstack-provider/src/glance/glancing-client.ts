import type { Scope } from '@cloudstack-ccm/base';
import type { Commands, Job } from '@cloudstack-ccm/cloudstack-client';
import { LookCloserError } from '../load-balancer/errors.ts';
import type { LoadBalancerClient } from '../load-balancer/parts.ts';
import type { SharedRead } from '../inventory/shared-read.ts';
import { rulesOf, type SharedLists } from './shared-lists.ts';

type Writes = {
  [K in keyof Commands]: Commands[K] extends (...args: never) => Promise<Job<unknown>> ? K : never;
}[keyof Commands];

/** Age at which a shared list is read again. Nothing is ever written by it, so all it can cost is time. */
const MAX_AGE_MS = 30_000;

/**
 * A client that only looks, and answers what it can from shared lists. What they do not have is asked for singly.
 * @param since monotonic time after which the lists must have been begun
 * @returns a client whose commands that change something throw LookCloserError
 */
export function glancingClient(client: LoadBalancerClient, lists: SharedLists, since: number): LoadBalancerClient {
  const from = <T>(list: SharedRead<T>, scope: Scope): Promise<T> => list.get(scope, MAX_AGE_MS, since);
  return {
    ...client,
    ...HANDS_TIED,
    async listLoadBalancerRules(scope, params) {
      const { keyword, publicIpId } = params;
      if (keyword !== undefined) return rulesOf(await from(lists.rules, scope), keyword);
      if (publicIpId !== undefined) return (await from(lists.rules, scope)).byAddress.get(publicIpId) ?? [];
      return client.listLoadBalancerRules(scope, params);
    },
    async listPublicIpAddresses(scope, params) {
      const known = params.id === undefined ? undefined : (await from(lists.addresses, scope)).get(params.id);
      return known ?? client.listPublicIpAddresses(scope, params);
    },
    async listFirewallRules(scope, params) {
      if (params.ipAddressId === undefined) return client.listFirewallRules(scope, params);
      return (await from(lists.firewallRules, scope)).get(params.ipAddressId) ?? [];
    },
    async listNetworkAclItems(scope, params) {
      if (params.aclId === undefined) return client.listNetworkAclItems(scope, params);
      return (await from(lists.aclItems, scope)).get(params.aclId) ?? [];
    },
  };
}

const refuse = (): Promise<never> => Promise.reject(new LookCloserError());

const HANDS_TIED: Readonly<Record<Writes, () => Promise<never>>> = {
  associateIpAddress: refuse,
  disassociateIpAddress: refuse,
  createLoadBalancerRule: refuse,
  updateLoadBalancerRule: refuse,
  deleteLoadBalancerRule: refuse,
  assignToLoadBalancerRule: refuse,
  removeFromLoadBalancerRule: refuse,
  createStickinessPolicy: refuse,
  deleteStickinessPolicy: refuse,
  createFirewallRule: refuse,
  deleteFirewallRule: refuse,
  createNetworkAclItem: refuse,
  updateNetworkAclItem: refuse,
  deleteNetworkAclItem: refuse,
  createTags: refuse,
  deleteTags: refuse,
};
