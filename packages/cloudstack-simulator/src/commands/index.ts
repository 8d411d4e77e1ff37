import type { Command } from '../command.ts';
import { asyncJobCommands } from './async-jobs.ts';
import { capabilityCommands } from './capabilities.ts';
import { firewallRuleCommands } from './firewall-rules.ts';
import { loadBalancerMemberCommands } from './load-balancer-members.ts';
import { loadBalancerRuleCommands } from './load-balancer-rules.ts';
import { networkListCommands } from './networks.ts';
import { publicIpListCommands } from './public-ip-list.ts';
import { publicIpCommands } from './public-ips.ts';
import { serviceOfferingCommands } from './service-offerings.ts';
import { tagCommands } from './tags.ts';
import { virtualMachineDeployCommands } from './virtual-machine-deploy.ts';
import { virtualMachineListCommands } from './virtual-machine-list.ts';
import { virtualMachineCommands } from './virtual-machines.ts';
import { zoneCommands } from './zones.ts';

const COMMANDS: readonly Command[] = [
  ...asyncJobCommands,
  ...capabilityCommands,
  ...firewallRuleCommands,
  ...loadBalancerMemberCommands,
  ...loadBalancerRuleCommands,
  ...networkListCommands,
  ...publicIpCommands,
  ...publicIpListCommands,
  ...serviceOfferingCommands,
  ...tagCommands,
  ...virtualMachineCommands,
  ...virtualMachineDeployCommands,
  ...virtualMachineListCommands,
  ...zoneCommands,
];

/** All commands by name. */
export const commandTable: ReadonlyMap<string, Command> = new Map(COMMANDS.map((command) => [command.name, command]));
