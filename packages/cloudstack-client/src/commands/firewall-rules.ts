import { firewallRule, type FirewallRule } from '../entities/firewall-rule.ts';
import type { Tag } from '../entities/tag.ts';
import { byId, jobCommand, listCommand } from './command.ts';
import { success, under } from './results.ts';

export type FirewallRuleFilter = {
  readonly id?: string | undefined;
  /** An address that is not allocated is an InvalidParameterError. */
  readonly ipAddressId?: string | undefined;
  readonly networkId?: string | undefined;
  readonly listAll?: boolean | undefined;
  /** Several tags are alternatives. */
  readonly tags?: readonly Tag[] | undefined;
};

export const listFirewallRules = listCommand<FirewallRuleFilter, FirewallRule>({
  command: 'listFirewallRules',
  items: 'firewallrule',
  decode: firewallRule,
  takesProject: true,
  exactCount: true,
  identify: byId,
});

export type CreateFirewallRule = {
  readonly ipAddressId: string;
  readonly protocol: 'tcp' | 'udp' | 'icmp';
  readonly startPort?: number | undefined;
  readonly endPort?: number | undefined;
  readonly cidrList: readonly string[];
};

/**
 * A failed job may leave the rule behind in state `Deleting`: delete it.
 * @throws ConflictError if a rule with these ports shares one CIDR text
 */
export const createFirewallRule = jobCommand<CreateFirewallRule, FirewallRule>({
  command: 'createFirewallRule',
  decode: under('firewallrule', firewallRule),
});

export const deleteFirewallRule = jobCommand<{ readonly id: string }, void>({
  command: 'deleteFirewallRule',
  decode: success,
});
