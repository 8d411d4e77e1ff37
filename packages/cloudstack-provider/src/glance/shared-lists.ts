import type { Clock } from '@cloudstack-ccm/base';
import type {
  Commands,
  FirewallRule,
  LoadBalancerRule,
  NetworkAclItem,
  PublicIp,
} from '@cloudstack-ccm/cloudstack-client';
import { SharedRead } from '../inventory/shared-read.ts';

type Reads = Pick<
  Commands,
  'listLoadBalancerRules' | 'listPublicIpAddresses' | 'listFirewallRules' | 'listNetworkAclItems'
>;

/** Things of one kind, found by one of their traits. */
export type Index<T> = ReadonlyMap<string, readonly T[]>;

export interface RuleIndex {
  /** By the name's part before the first dash, in lower case: the name of the load balancer. */
  readonly byLoadBalancer: Index<LoadBalancerRule>;
  readonly byAddress: Index<LoadBalancerRule>;
}

/** What load balancers are made of: everything of a kind in one paged list, read once for all Services that look at it. */
export class SharedLists {
  readonly rules: SharedRead<RuleIndex>;
  /** Those in use, by id. */
  readonly addresses: SharedRead<Index<PublicIp>>;
  /** By the id of the address. */
  readonly firewallRules: SharedRead<Index<FirewallRule>>;
  /** By the id of the ACL list. */
  readonly aclItems: SharedRead<Index<NetworkAclItem>>;

  constructor(client: Reads, clock: Clock) {
    const all = { listAll: true };
    this.rules = new SharedRead(clock, async (scope) => indexRules(await client.listLoadBalancerRules(scope, all)));
    this.addresses = new SharedRead(clock, async (scope) =>
      indexBy(await client.listPublicIpAddresses(scope, all), ({ id }) => id),
    );
    this.firewallRules = new SharedRead(clock, async (scope) =>
      indexBy(await client.listFirewallRules(scope, all), ({ ipAddressId }) => ipAddressId),
    );
    this.aclItems = new SharedRead(clock, async (scope) =>
      indexBy(await client.listNetworkAclItems(scope, all), ({ aclId }) => aclId),
    );
  }
}

/** The rules of a load balancer. */
export function rulesOf(index: RuleIndex, loadBalancer: string): readonly LoadBalancerRule[] {
  return index.byLoadBalancer.get(loadBalancer.toLowerCase()) ?? [];
}

function indexRules(rules: readonly LoadBalancerRule[]): RuleIndex {
  return {
    byLoadBalancer: indexBy(rules, ({ name }) => stem(name)),
    byAddress: indexBy(rules, ({ publicIpId }) => publicIpId),
  };
}

function stem(name: string): string {
  return (name.split('-', 1)[0] ?? '').toLowerCase();
}

function indexBy<T>(items: readonly T[], keyOf: (item: T) => string): Index<T> {
  return Map.groupBy(items, keyOf);
}
