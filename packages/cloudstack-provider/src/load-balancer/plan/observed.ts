import type {
  FirewallRule,
  LoadBalancerRule,
  NetworkAclItem,
  PublicIp,
  StickinessPolicy,
} from '@cloudstack-ccm/cloudstack-client';
import { canonicalCidrs } from '../../access/source-cidrs.ts';
import type { Member } from '../members/members.ts';
import { transportOf, type Transport } from './protocol.ts';

/** What was read of the cloud for one load balancer. Missing parts were not needed, or could not be read. */
export interface Snapshot {
  /** Rules of this load balancer, on whatever address, in the order of their creation. */
  readonly rules: readonly LoadBalancerRule[];
  /** By rule id; missing where they could not be read. */
  readonly members: ReadonlyMap<string, readonly Member[]>;
  /** By rule id; missing where they were not asked for. */
  readonly policies: ReadonlyMap<string, readonly StickinessPolicy[]>;
  /** Openings of the addresses involved. */
  readonly firewallRules: readonly FirewallRule[];
  readonly aclItems: readonly NetworkAclItem[];
}

/** A load balancer as it is. */
export interface Observed {
  readonly rules: readonly ObservedRule[];
  /** Rests of failed commands, in state `Deleting`: they hold no port, and can only be deleted. */
  readonly rests: readonly LoadBalancerRule[];
  readonly firewallRules: readonly FirewallRule[];
  readonly aclItems: readonly NetworkAclItem[];
}

export interface ObservedRule {
  readonly id: string;
  readonly name: string;
  readonly addressId: string;
  readonly address: string;
  readonly networkId: string;
  /** As it is stored; undefined when none was sent at creation. */
  readonly protocol: string | undefined;
  readonly transport: Transport;
  readonly publicPort: number;
  readonly privatePort: number;
  /** In lower case. */
  readonly algorithm: string;
  readonly sourceCidrs: readonly string[];
  /** Undefined when they could not be read. */
  readonly members: readonly Member[] | undefined;
  /** True if the router has never learnt of the members: an assign was cut short. */
  readonly stuck: boolean;
  /** Undefined when they were not asked for. */
  readonly policies: readonly StickinessPolicy[] | undefined;
}

export function observe(snapshot: Snapshot): Observed {
  const live = snapshot.rules.filter((rule) => rule.state !== 'Deleting');
  return {
    rules: live.map((rule) => observeRule(rule, snapshot)),
    rests: snapshot.rules.filter((rule) => rule.state === 'Deleting'),
    firewallRules: snapshot.firewallRules,
    aclItems: snapshot.aclItems,
  };
}

function observeRule(rule: LoadBalancerRule, snapshot: Snapshot): ObservedRule {
  const members = snapshot.members.get(rule.id);
  return {
    id: rule.id,
    name: rule.name,
    addressId: rule.publicIpId,
    address: rule.publicIp,
    networkId: rule.networkId,
    protocol: rule.protocol,
    transport: transportOf(rule.protocol),
    publicPort: rule.publicPort,
    privatePort: rule.privatePort,
    algorithm: rule.algorithm.toLowerCase(),
    sourceCidrs: canonicalCidrs(rule.sourceCidrs ?? []),
    members,
    // A rule with members that is still in `Add`: a restart of the management server cut the assign.
    stuck: rule.state === 'Add' && (members?.length ?? 0) > 0,
    policies: snapshot.policies.get(rule.id)?.filter((policy) => policy.state !== 'Revoked'),
  };
}

/** What a load balancer may rely on of its address. */
export type Address = Pick<PublicIp, 'id' | 'ipAddress'>;
