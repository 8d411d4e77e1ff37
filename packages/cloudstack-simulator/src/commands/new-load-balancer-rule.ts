import { checkAccess } from '../access.ts';
import { ApiError, cloudRuntime, invalidValue, rethrown, ruleConflict, serverError, unexpected } from '../api-error.ts';
import type { Call } from '../call.ts';
import { hasService, offeringOf, providerOf } from '../operations/networks.ts';
import { checkPorts } from '../operations/rule-conflicts.ts';
import { routerOf } from '../router.ts';
import type { Network, PublicIp } from '../state.ts';
import { isCidrOrAddress } from './cidr.ts';
import { checkOpening } from './firewall-rules.ts';

/** What createLoadBalancerRule was asked for. */
export interface NewRule {
  readonly algorithm: string;
  readonly name: string;
  readonly publicport: number;
  readonly privateport: number;
  readonly publicipid?: string | undefined;
  readonly networkid?: string | undefined;
  readonly protocol?: string | undefined;
  readonly cidrlist?: readonly string[] | undefined;
  readonly openfirewall?: boolean | undefined;
  readonly description?: string | undefined;
}

const ALGORITHMS = new Set(['roundrobin', 'leastconn', 'source']);

/** Upper or lower case. */
export function isAlgorithm(name: string): boolean {
  return ALGORITHMS.has(name.toLowerCase());
}

/** Everything that createLoadBalancerRule refuses, in the order in which CloudStack finds it. */
export function checkNewRule(call: Call, values: NewRule): { readonly ip: PublicIp; readonly network: Network } {
  const ip = checkAddress(call, values);
  checkDns(call, ip, values.publicport);
  if (ip.staticNat) throw rethrown(ruleConflict(`Can't do load balance on ip address: ${ip.address}`));
  checkCidrs(values.cidrlist);
  const network = findNetwork(call, ip, values);
  checkPort('privatePort', values.privateport);
  if (!isAlgorithm(values.algorithm)) {
    throw serverError(431, `Invalid algorithm: ${values.algorithm}`);
  }
  checkService(call, network);
  checkPort('publicPort', values.publicport);
  if (routerRefuses(call, network, values)) throw serverError(431, 'LB service provider cannot support this rule');
  checkConflicts(call, ip, network, values);
  checkPurpose(call, ip, network, values.name);
  return { ip, network };
}

function checkAddress(call: Call, { publicipid, networkid, openfirewall, cidrlist }: NewRule): PublicIp {
  const ip = publicipid === undefined ? undefined : call.state.publicIps.get(publicipid);
  if (!ip) throw invalidValue("Can't define IP owner. Either specify account/domainId or publicIpId");
  if (networkid !== undefined && !call.state.networks.get(networkid)) throw unexpected('Unable to find the network');
  if (ip.accountId !== undefined) checkAccess(call, ip.accountId);
  if (ip.state !== 'Allocated' || ip.accountId === undefined) {
    throw invalidValue(`Unable to create load balancer rule, invalid IP address ID ${ip.internalId}`);
  }
  if (cidrlist !== undefined && call.profile.ruleCidrList === 'refused') {
    throw serverError(
      431,
      'Parameter cidrList is deprecated; if you need to open firewall rule for the specific CIDR, please refer to createFirewallRule command',
    );
  }
  if (openfirewall === true && ip.vpcId !== undefined) {
    throw serverError(431, "Can't have openFirewall=true when IP address belongs to VPC");
  }
  return ip;
}

function checkDns(call: Call, ip: PublicIp, port: number): void {
  const network = ip.networkId === undefined ? undefined : call.state.networks.get(ip.networkId);
  if (port !== 53 || !ip.isSourceNat || !network || !hasService(call.state, network, 'Dns')) return;
  throw serverError(
    431,
    'Error adding load balancer rule, cannot add port 53 with network service offering having DNS service and Source NAT.',
  );
}

function checkCidrs(cidrs: readonly string[] | undefined): void {
  const bad = cidrs?.map((cidr) => cidr.trim()).find((cidr) => !isCidrOrAddress(cidr));
  if (bad !== undefined) throw serverError(431, `CIDR [${bad}] is invalid.`);
}

/** The network that the address has; only an address without one takes the network of the call. */
function findNetwork(call: Call, ip: PublicIp, { networkid, name }: NewRule): Network {
  const { state, profile } = call;
  const id = ip.networkId ?? networkid;
  const network = id === undefined ? undefined : state.networks.get(id);
  if (!network) throw serverError(431, `IP address ID=${ip.internalId} is not associated with any network`);
  if (ip.vpcId !== network.vpcId || (ip.vpcId === undefined && ip.networkId !== network.id)) {
    throw serverError(431, notAssigned(call, ip, network));
  }
  const asked = networkid === undefined ? network : state.networks.get(networkid);
  if (profile.refusesOtherNetwork && asked && asked.id !== network.id && !conserves(call, network)) {
    throw serverError(
      431,
      `Cannot create Load Balancer rule ${name} as the IP address ${ip.address} is not associated with the network ${asked.name} (ID=${asked.id})`,
    );
  }
  return asked && conserves(call, network) ? asked : network;
}

function notAssigned(call: Call, ip: PublicIp, network: Network): string {
  const zone = call.state.zones.get(ip.zoneId)?.internalId ?? 0;
  const offering = offeringOf(call.state, network)?.internalId ?? 0;
  const text = `{"id": ${network.internalId}, "name": "${network.name}", "uuid": "${network.id}", "networkofferingid": ${offering}}`;
  return `Ip address Ip[${ip.address}-${zone}] is not assigned to the network Network ${text}`;
}

/** A VPC in conserve mode (4.23) shares an address between tiers. */
export function conserves({ state, profile }: Call, network: Network): boolean {
  const vpc = network.vpcId === undefined ? undefined : state.vpcs.get(network.vpcId);
  return profile.vpcConserveMode && vpc !== undefined && state.vpcOfferings.get(vpc.offeringId)?.conserveMode === true;
}

function checkPort(name: string, port: number): void {
  if (port < 0 || port > 65_535) throw serverError(431, `${name} is an invalid value: ${port}`);
}

function checkService(call: Call, network: Network): void {
  const provider = providerOf(call.state, network, 'Lb');
  if (provider === undefined) throw serverError(431, 'LB service is not supported in specified network id');
  if (provider === 'InternalLbVm') {
    const offering = offeringOf(call.state, network)?.name;
    throw serverError(431, `Scheme Public is not supported by the network offering ${offering}`);
  }
}

const ROUTERS = new Set<string | undefined>(['VirtualRouter', 'VpcVirtualRouter']);

/** A router refuses udp and its own statistics port; where there is none yet nobody notices. Others balance udp. */
export function routerRefuses(
  call: Call,
  network: Network,
  { protocol, publicport }: { readonly protocol?: string | undefined; readonly publicport: number },
): boolean {
  if (!routerOf(call.state, network) || !ROUTERS.has(providerOf(call.state, network, 'Lb'))) return false;
  if (publicport === call.state.settings.haproxyStatsPort) return true;
  return call.profile.routerRefusesUdp && protocol?.toLowerCase() === 'udp';
}

function checkConflicts(call: Call, publicIp: PublicIp, network: Network, values: NewRule): void {
  const port = values.publicport;
  const claim = { publicIp, networkId: network.id, first: port, last: port, purpose: 'LoadBalancing' } as const;
  try {
    checkPorts(call.state, claim, conserves(call, network));
    if (opensFirewall(values, publicIp)) {
      checkOpening(call, network.id, { ip: publicIp, port, endPort: port, protocol: 'tcp' });
    }
  } catch (thrown) {
    throw thrown instanceof ApiError ? rethrown(thrown) : thrown;
  }
}

/** Outside of conserve mode an address serves one purpose. What CloudStack finds here it does not explain to users. */
function checkPurpose(call: Call, ip: PublicIp, network: Network, name: string): void {
  if (offeringOf(call.state, network)?.conserveMode === true || conserves(call, network)) return;
  const forwarded = call.state.portForwardingRules.by('publicIpId', ip.id).length > 0;
  if (ip.isSourceNat || forwarded) throw cloudRuntime(`Failed to create load balancer rule: ${name}`);
}

/** Outside of VPCs a rule opens the firewall unless it is told not to. */
export function opensFirewall({ openfirewall }: Pick<NewRule, 'openfirewall'>, ip: PublicIp): boolean {
  return openfirewall ?? ip.vpcId === undefined;
}
