import { asError, type Scope } from '@cloudstack-ccm/base';
import type {
  Commands,
  FirewallRule,
  LoadBalancerRule,
  NetworkAclItem,
  StickinessPolicy,
} from '@cloudstack-ccm/cloudstack-client';
import type { MemberMemory } from '../members/member-memory.ts';
import type { Member } from '../members/members.ts';
import { isDescribedAs } from '../../ownership/marks.ts';
import { isLeasewebNameOf, isNameOf } from '../plan/names.ts';

type Reads = Pick<
  Commands,
  | 'listLoadBalancerRules'
  | 'listLoadBalancerRuleInstances'
  | 'listStickinessPolicies'
  | 'listFirewallRules'
  | 'listNetworkAclItems'
>;

/** Rules that the Leaseweb fork made for a Service, on the address that it noted there. */
export interface LeasewebOrigin {
  readonly addressId: string;
  readonly namespace: string;
  readonly name: string;
}

/** One part of the cloud could not be read; the others are dealt with all the same. */
export interface Unread {
  readonly what: string;
  readonly error: Error;
}

/** Reads what there is of one load balancer. Every list is read completely and filtered again. */
export class LoadBalancerReader {
  readonly #client: Reads;
  readonly #memory: MemberMemory;
  readonly #mode: 'read' | 'recall';

  /** @param mode `recall` believes what the memory has of members; what is read goes into it either way. */
  constructor(client: Reads, memory: MemberMemory, mode: 'read' | 'recall') {
    this.#client = client;
    this.#memory = memory;
    this.#mode = mode;
  }

  async rules(scope: Scope, loadBalancer: string, leaseweb?: LeasewebOrigin): Promise<readonly LoadBalancerRule[]> {
    const found = await this.#client.listLoadBalancerRules(scope, { keyword: loadBalancer, listAll: true });
    const own = found.filter(
      ({ name, description }) => isNameOf(loadBalancer, name) || isDescribedAs(loadBalancer, description),
    );
    if (!leaseweb) return own;
    const { addressId: publicIpId, namespace, name } = leaseweb;
    const there = await this.#client.listLoadBalancerRules(scope, { publicIpId, listAll: true });
    return [...own, ...there.filter((rule) => isLeasewebNameOf(namespace, name, rule.name))];
  }

  /** The members of each rule. A rule whose members cannot be read is missing, and named in `unread`. */
  members(scope: Scope, rules: readonly LoadBalancerRule[]): Promise<PerRule<readonly Member[]>> {
    return perRule(rules, 'members', ({ id }) => this.#membersOf(scope, id));
  }

  async #membersOf(scope: Scope, id: string): Promise<readonly Member[]> {
    const recalled = this.#mode === 'recall' ? this.#memory.recall(id) : undefined;
    if (recalled) return recalled;
    const instances = await this.#client.listLoadBalancerRuleInstances(scope, { id });
    const members = instances.map(({ virtualMachine: { id: machineId, name }, addresses }) => ({
      machineId,
      name,
      addresses,
    }));
    this.#memory.remember(id, members);
    return members;
  }

  policies(scope: Scope, rules: readonly LoadBalancerRule[]): Promise<PerRule<readonly StickinessPolicy[]>> {
    return perRule(rules, 'stickiness policies', async ({ id }) => {
      return (await this.#client.listStickinessPolicies(scope, { lbRuleId: id })).flat();
    });
  }

  firewallRules(scope: Scope, ipAddressId: string): Promise<readonly FirewallRule[]> {
    return this.#client.listFirewallRules(scope, { ipAddressId, listAll: true });
  }

  /** @param aclId undefined: the items of every list that these credentials see */
  aclItems(scope: Scope, aclId: string | undefined): Promise<readonly NetworkAclItem[]> {
    return this.#client.listNetworkAclItems(scope, { aclId, listAll: true });
  }
}

export interface PerRule<T> {
  readonly byRule: ReadonlyMap<string, T>;
  readonly unread: readonly Unread[];
}

async function perRule<T>(
  rules: readonly LoadBalancerRule[],
  what: string,
  read: (rule: LoadBalancerRule) => Promise<T>,
): Promise<PerRule<T>> {
  const byRule = new Map<string, T>();
  const unread: Unread[] = [];
  const readOne = async (rule: LoadBalancerRule): Promise<void> => {
    try {
      byRule.set(rule.id, await read(rule));
    } catch (thrown) {
      unread.push({ what: `${what} of rule ${rule.name}`, error: asError(thrown) });
    }
  };
  await Promise.all(rules.map(readOne));
  return { byRule, unread };
}
