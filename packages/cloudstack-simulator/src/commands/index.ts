import type { Command } from '../command.ts';
import { accountCommands } from './accounts.ts';
import { apiLimitCommands } from './api-limits.ts';
import { asyncJobCommands } from './async-jobs.ts';
import { autoscaleGroupCommands } from './autoscale-groups.ts';
import { capabilityCommands } from './capabilities.ts';
import { configurationCommands } from './configurations.ts';
import { domainCommands } from './domains.ts';
import { egressRuleCommands } from './egress-rules.ts';
import { eventCommands } from './events.ts';
import { firewallRuleCommands } from './firewall-rules.ts';
import { healthCheckPolicyCommands } from './health-check-policies.ts';
import { hostCommands } from './hosts.ts';
import { internalLoadBalancerCommands } from './internal-load-balancers.ts';
import { loadBalancerMemberCommands } from './load-balancer-members.ts';
import { loadBalancerRuleCommands } from './load-balancer-rules.ts';
import { managementServerCommands } from './management-servers.ts';
import { networkAclListCommands } from './network-acl-lists.ts';
import { networkAclCommands } from './network-acls.ts';
import { networkCommands } from './network-create.ts';
import { networkOfferingCommands } from './network-offerings.ts';
import { networkListCommands } from './networks.ts';
import { nicCommands } from './nics.ts';
import { portForwardingRuleCommands } from './port-forwarding-rules.ts';
import { projectCommands } from './projects.ts';
import { publicIpListCommands } from './public-ip-list.ts';
import { publicIpCommands } from './public-ips.ts';
import { reservedIpCommands } from './reserved-ips.ts';
import { roleCommands } from './roles.ts';
import { routerCommands } from './routers.ts';
import { serviceOfferingCommands } from './service-offerings.ts';
import { sslCertificateCommands } from './ssl-certificates.ts';
import { staticNatCommands } from './static-nat.ts';
import { stickinessPolicyCommands } from './stickiness-policies.ts';
import { tagCommands } from './tags.ts';
import { templateCommands } from './templates.ts';
import { userCommands } from './users.ts';
import { virtualMachineDeployCommands } from './virtual-machine-deploy.ts';
import { virtualMachineListCommands } from './virtual-machine-list.ts';
import { virtualMachineCommands } from './virtual-machines.ts';
import { vpcCommands } from './vpcs.ts';
import { zoneCommands } from './zones.ts';
import { apiCommands } from './apis.ts';

const COMMANDS: readonly Command[] = [
  ...accountCommands,
  ...apiLimitCommands,
  ...asyncJobCommands,
  ...autoscaleGroupCommands,
  ...capabilityCommands,
  ...configurationCommands,
  ...domainCommands,
  ...egressRuleCommands,
  ...eventCommands,
  ...firewallRuleCommands,
  ...healthCheckPolicyCommands,
  ...hostCommands,
  ...internalLoadBalancerCommands,
  ...loadBalancerMemberCommands,
  ...loadBalancerRuleCommands,
  ...managementServerCommands,
  ...networkAclCommands,
  ...networkAclListCommands,
  ...networkCommands,
  ...networkListCommands,
  ...networkOfferingCommands,
  ...nicCommands,
  ...portForwardingRuleCommands,
  ...projectCommands,
  ...publicIpCommands,
  ...publicIpListCommands,
  ...reservedIpCommands,
  ...roleCommands,
  ...routerCommands,
  ...serviceOfferingCommands,
  ...sslCertificateCommands,
  ...staticNatCommands,
  ...stickinessPolicyCommands,
  ...tagCommands,
  ...templateCommands,
  ...userCommands,
  ...virtualMachineCommands,
  ...virtualMachineDeployCommands,
  ...virtualMachineListCommands,
  ...vpcCommands,
  ...zoneCommands,
  ...apiCommands(() => COMMANDS),
];

/** All commands by name. */
export const commandTable: ReadonlyMap<string, Command> = new Map(COMMANDS.map((command) => [command.name, command]));
