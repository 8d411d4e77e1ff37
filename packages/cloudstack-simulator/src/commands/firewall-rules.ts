import { checkAccess } from '../access.ts';
import { cloudRuntime, invalidValue, ruleConflict, serverError, unexpected } from '../api-error.ts';
import type { Call } from '../call.ts';
import { asynchronous, create, list } from '../command.ts';
import { RouterRefusedError } from '../jobs.ts';
import { deleteFirewall, networkApplied } from '../operations/load-balancers.ts';
import { hasService } from '../operations/networks.ts';
import { portsTaken } from '../operations/rule-conflicts.ts';
import { detachIfUnused } from '../operations/vpc-addresses.ts';
import { PAGE, SCOPE } from '../parameter.ts';
import type { FirewallRule, Network, PublicIp } from '../state.ts';
import { showFirewallRule } from '../views/firewall-rule.ts';
import { isCidr } from './cidr.ts';
import { scopedRows } from './scoped-rows.ts';

interface NewRule {
  readonly ipaddressid: string;
  readonly protocol: string;
  readonly startport?: number | undefined;
  readonly endport?: number | undefined;
  readonly cidrlist?: readonly string[] | undefined;
  readonly icmptype?: number | undefined;
  readonly icmpcode?: number | undefined;
}

type Shape = Pick<FirewallRule, 'protocol' | 'startPort' | 'endPort' | 'cidrs' | 'icmpType' | 'icmpCode'>;

const PROTOCOLS = new Set(['tcp', 'udp', 'icmp']);

/** The network whose router would get the rule. @throws ApiError if the address has none, or not the service. */
function networkOf(call: Call, ip: PublicIp): Network {
  const { state } = call;
  const own = ip.networkId === undefined ? undefined : state.networks.get(ip.networkId);
  const network = own ?? tierWithFirewall(call, ip);
  if (!network) {
    throw invalidValue(
      `Unable to create firewall rule for the IP address ID=${ip.internalId} as IP is not associated with any network and no networkId is passed in`,
    );
  }
  if (hasService(state, network, 'Firewall') || vpcHasFirewall(call, network)) return network;
  const carries = ['loadBalancerRules', 'portForwardingRules'] as const;
  if (network.vpcId !== undefined || carries.some((table) => state[table].by('publicIpId', ip.id).length > 0)) {
    throw serverError(431, `There is no new provider for IP ${ip.address} of service Firewall!`);
  }
  throw cloudRuntime(`Service Firewall is not supported in the network id=${network.internalId}`);
}

/** Where the VPC itself has the service, an address needs no tier: the one router serves all of them. */
function tierWithFirewall(call: Call, { vpcId }: PublicIp): Network | undefined {
  const tier = vpcId === undefined ? undefined : call.state.networks.by('vpcId', vpcId)[0];
  return tier && vpcHasFirewall(call, tier) ? tier : undefined;
}

function vpcHasFirewall({ state, profile }: Call, network: Network): boolean {
  const vpc = network.vpcId === undefined ? undefined : state.vpcs.get(network.vpcId);
  const services = vpc && state.vpcOfferings.get(vpc.offeringId)?.services;
  return profile.vpcFirewall && services?.some((service) => service.name === 'Firewall') === true;
}

/** The rule as it will be stored. @throws ApiError 431 for what it may not say. */
export function readShape(values: Omit<NewRule, 'ipaddressid'>, zone: number): Shape {
  const { startport, endport = startport, icmptype, icmpcode } = values;
  const protocol = values.protocol.toLowerCase();
  checkPorts(startport, endport);
  if (!PROTOCOLS.has(protocol)) throw invalidValue(`Protocol ${values.protocol} is not supported in zone ${zone}`);
  if (protocol !== 'icmp' && (icmptype !== undefined || icmpcode !== undefined)) {
    throw invalidValue('Can specify icmpCode and icmpType for ICMP protocol only');
  }
  if (protocol === 'icmp' && startport !== undefined) {
    throw invalidValue("Can't specify start/end port when protocol is ICMP");
  }
  return {
    protocol,
    cidrs: values.cidrlist ?? ['0.0.0.0/0'],
    ...(startport !== undefined && endport !== undefined && { startPort: startport, endPort: endport }),
    ...(protocol === 'icmp' && { icmpType: icmptype ?? -1, icmpCode: icmpcode ?? -1 }),
  };
}

function checkPorts(start: number | undefined, end: number | undefined): void {
  const bad = (port: number | undefined): boolean => port !== undefined && (port < 0 || port > 65_535);
  if (bad(start)) throw invalidValue(`publicPort is an invalid value: ${start}`);
  if (bad(end)) throw invalidValue(`Public port range is an invalid value: ${end}`);
  if (start !== undefined && end !== undefined && start > end) {
    throw invalidValue("Start port can't be bigger than end port");
  }
}

/** Only rules with a CIDR in common, letter by letter, conflict. */
function checkConflicts(call: Call, ip: PublicIp, networkId: string, shape: Shape): void {
  for (const rule of call.state.firewallRules.by('publicIpId', ip.id)) {
    if (rule.state === 'Revoke' || rule.protocol !== shape.protocol) continue;
    if (rule.networkId !== networkId && ip.vpcId === undefined) {
      throw ruleConflict(`New rule is for a different network than what's specified in rule ${rule.id}`);
    }
    if (rule.protocol === 'icmp') checkIcmp(rule, shape);
    else checkRange(rule, shape);
  }
}

function checkIcmp(rule: FirewallRule, shape: Shape): void {
  const same = rule.icmpType === shape.icmpType && rule.icmpCode === shape.icmpCode;
  if (same && commonCidr(rule, shape)) {
    throw invalidValue(`New rule conflicts with existing rule id=${rule.internalId}`);
  }
}

function checkRange(rule: FirewallRule, { startPort, endPort, ...shape }: Shape): void {
  const [first, last] = [rule.startPort, rule.endPort];
  if (startPort === undefined || endPort === undefined) {
    if (first !== undefined) return;
    throw ruleConflict(`There is already a firewall rule specified with protocol = ${rule.protocol} and no ports`);
  }
  if (first === undefined || last === undefined || !commonCidr(rule, shape)) return;
  if (startPort <= last && first <= endPort) {
    throw portsTaken({ first: startPort, last: endPort }, { internalId: rule.internalId, first, last });
  }
}

function commonCidr(one: Pick<Shape, 'cidrs'>, other: Pick<Shape, 'cidrs'>): boolean {
  return one.cidrs.some((cidr) => other.cidrs.includes(cidr));
}

/** A rule that opens these ports to everybody already. It stays its owner's: it does not go with whatever needed it. */
function isOpen(call: Call, { ip, port, endPort, protocol }: Opening): boolean {
  return call.state.firewallRules
    .by('publicIpId', ip.id)
    .some(
      (rule) =>
        rule.state !== 'Revoke' &&
        rule.protocol === protocol &&
        rule.startPort === port &&
        rule.endPort === endPort &&
        rule.cidrs.join(',') === EVERYBODY,
    );
}

const EVERYBODY = '0.0.0.0/0';

interface Opening {
  readonly ip: PublicIp;
  readonly port: number;
  readonly endPort: number;
  readonly protocol: string;
}

/** @throws ApiError 537 if a firewall rule for some of these ports, and for everybody, is in the way. */
export function checkOpening(call: Call, networkId: string, opening: Opening): void {
  if (isOpen(call, opening)) return;
  const { ip, port, endPort, protocol } = opening;
  checkConflicts(call, ip, networkId, { protocol, startPort: port, endPort, cidrs: [EVERYBODY] });
}

/** The rule that a load balancer or port forwarding rule opens to the world, unless there is an equal one. */
export function openFirewall(
  call: Call,
  {
    ip,
    networkId,
    port,
    endPort = port,
    ruleId,
    protocol = 'tcp',
  }: {
    readonly ip: PublicIp;
    readonly networkId: string;
    readonly port: number;
    readonly endPort?: number;
    readonly ruleId: string;
    readonly protocol?: string;
  },
): void {
  const { state, random, clock } = call;
  if (isOpen(call, { ip, port, endPort, protocol })) return;
  state.firewallRules.add({
    id: random.uuid(),
    accountId: ip.accountId ?? '',
    publicIpId: ip.id,
    networkId,
    direction: 'ingress',
    protocol,
    startPort: port,
    endPort,
    cidrs: [EVERYBODY],
    relatedRuleId: ruleId,
    state: 'Add',
    created: clock.now(),
  });
}

function createRule(call: Call, values: NewRule): string {
  const { state, random, clock } = call;
  const ip = state.publicIps.get(values.ipaddressid);
  const bad = values.cidrlist?.find((cidr) => !isCidr(cidr));
  if (bad !== undefined) throw serverError(431, `Source CIDRs formatting error ${bad}`);
  if (!ip) throw invalidValue(`Unable to find IP address ${values.ipaddressid}`);
  if (ip.accountId !== undefined) checkAccess(call, ip.accountId);
  const network = networkOf(call, ip);
  const shape = readShape(values, state.zones.get(ip.zoneId)?.internalId ?? 0);
  checkConflicts(call, ip, network.id, shape);
  const rule = state.firewallRules.add({
    id: random.uuid(),
    accountId: ip.accountId ?? network.accountId,
    publicIpId: ip.id,
    networkId: network.id,
    direction: 'ingress',
    ...shape,
    state: 'Add',
    created: clock.now(),
  });
  return rule.id;
}

function queueOf(call: Call, { id }: { readonly id: string }): string | undefined {
  return call.state.firewallRules.get(id)?.networkId;
}

function shown(call: Call, id: string): { readonly firewallrule: ReturnType<typeof showFirewallRule> } {
  const rule = call.state.firewallRules.get(id);
  if (!rule) throw unexpected('Failed to create firewall rule');
  return { firewallrule: showFirewallRule(rule, call) };
}

export const firewallRuleCommands = [
  create({
    name: 'createFirewallRule',
    description: 'Creates a firewall rule for a given IP address',
    commandClass: 'user.firewall.CreateFirewallRuleCmd',
    instanceType: 'FirewallRule',
    event: 'FIREWALL.OPEN',
    parameters: {
      ipaddressid: { type: 'uuid', of: 'public-ip', required: true },
      protocol: { type: 'string', required: true },
      startport: { type: 'integer' },
      endport: { type: 'integer' },
      cidrlist: { type: 'list' },
      icmptype: { type: 'integer' },
      icmpcode: { type: 'integer' },
      type: { type: 'string' },
      fordisplay: { type: 'boolean', rootOnly: true },
    },
    create: createRule,
    queue: (call, _, id) => queueOf(call, { id }),
    run: async (call, _, id, job) => {
      const rule = call.state.firewallRules.get(id);
      try {
        await job.apply(rule?.networkId ?? '');
      } catch (refusal) {
        if (!(refusal instanceof RouterRefusedError)) throw refusal;
        call.state.firewallRules.update(id, { state: 'Revoke' });
        throw serverError(530, 'Failed to create firewall rule');
      }
      call.state.firewallRules.update(id, { state: 'Active' });
      return shown(call, id);
    },
  }),
  asynchronous({
    name: 'updateFirewallRule',
    description: 'Updates firewall rule',
    commandClass: 'user.firewall.UpdateFirewallRuleCmd',
    event: 'FIREWALL.UPDATE',
    parameters: {
      id: { type: 'uuid', of: 'firewall-rule', required: true },
      fordisplay: { type: 'boolean', rootOnly: true },
      customid: { type: 'string', rootOnly: true },
    },
    queue: queueOf,
    run: async (call, { id }, job) => {
      const rule = call.state.firewallRules.get(id);
      if (rule) checkAccess(call, rule.accountId);
      await job.work();
      return shown(call, id);
    },
  }),
  asynchronous({
    name: 'deleteFirewallRule',
    description: 'Deletes a firewall rule',
    commandClass: 'user.firewall.DeleteFirewallRuleCmd',
    event: 'FIREWALL.CLOSE',
    parameters: { id: { type: 'uuid', of: 'firewall-rule', required: true } },
    check: (call, { id }) => {
      const rule = call.state.firewallRules.get(id);
      if (rule) checkAccess(call, rule.accountId);
    },
    queue: queueOf,
    run: async (call, { id }, job) => {
      const rule = call.state.firewallRules.get(id);
      if (!rule) return { success: true };
      call.state.firewallRules.update(id, { state: 'Revoke' });
      try {
        await job.apply(rule.networkId);
      } catch (refusal) {
        if (!(refusal instanceof RouterRefusedError)) throw refusal;
        throw serverError(530, 'Failed to delete firewall rule');
      }
      deleteFirewall(call.state, id);
      detachIfUnused(call.state, rule.publicIpId);
      networkApplied(call.state, rule.networkId);
      return { success: true };
    },
  }),
  list({
    name: 'listFirewallRules',
    description: 'Lists all firewall rules for an IP address.',
    item: 'firewallrule',
    parameters: {
      ...PAGE,
      ...SCOPE,
      id: { type: 'uuid', of: 'firewall-rule' },
      ipaddressid: { type: 'uuid', of: 'public-ip' },
      networkid: { type: 'uuid', of: 'network' },
      fordisplay: { type: 'boolean', rootOnly: true },
    },
    select: (call, values) => {
      const { ipaddressid, networkid } = values;
      const ip = ipaddressid === undefined ? undefined : call.state.publicIps.get(ipaddressid);
      if (ip && ip.state !== 'Allocated') {
        throw invalidValue(`Ip address id=${ip.internalId} not ready for firewall rules yet`);
      }
      if (ip?.accountId !== undefined) checkAccess(call, ip.accountId);
      return scopedRows(call, call.state.firewallRules, values)
        .filter(
          (rule) =>
            (ipaddressid === undefined || rule.publicIpId === ipaddressid) &&
            (networkid === undefined || rule.networkId === networkid),
        )
        .toReversed();
    },
    show: showFirewallRule,
  }),
];
