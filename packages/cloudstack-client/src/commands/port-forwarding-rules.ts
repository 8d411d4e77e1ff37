import { portForwardingRule, type PortForwardingRule } from '../entities/port-forwarding-rule.ts';
import { byId, listCommand } from './command.ts';

export type PortForwardingRuleFilter = {
  readonly ipAddressId?: string | undefined;
  readonly networkId?: string | undefined;
  readonly listAll?: boolean | undefined;
};

export const listPortForwardingRules = listCommand<PortForwardingRuleFilter, PortForwardingRule>({
  command: 'listPortForwardingRules',
  items: 'portforwardingrule',
  decode: portForwardingRule,
  takesProject: true,
  identify: byId,
});
