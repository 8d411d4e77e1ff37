import { addressToNumber, parseBlock, type Block } from '../src/addresses.ts';
import type { Network, State } from '../src/state.ts';
import type { FirewallRule, LoadBalancerRule, PortForwardingRule } from '../src/entities/rules.ts';

type AnyRule = FirewallRule | LoadBalancerRule | PortForwardingRule;

/** What no sequence of calls may break. @returns what is broken, in words. */
export function brokenInvariants(state: State): string[] {
  return [
    ...allRules(state).flatMap((rule) => addressBroken(state, rule)),
    ...[...state.networks.values()].flatMap((network) => internalBroken(state, network)),
    ...[...state.loadBalancerRules.values()].flatMap((rule) => membersBroken(state, rule)),
    ...[...state.publicIps.values()].flatMap(({ id, address }) => clashes(state, id, address)),
    ...[...state.publicIps.values()].flatMap((ip) =>
      ip.state === 'Free' && ip.accountId !== undefined ? [`${ip.address} is free and belongs to somebody`] : [],
    ),
  ];
}

function allRules(state: State): AnyRule[] {
  const { loadBalancerRules, firewallRules, portForwardingRules } = state;
  return [...loadBalancerRules.values(), ...firewallRules.values(), ...portForwardingRules.values()];
}

/** Internal balancers have addresses of their tier that no machine has, and ports that no other one has there. */
function internalBroken(state: State, network: Network): string[] {
  const rules = state.loadBalancerRules.by('sourceNetworkId', network.id);
  if (rules.length === 0) return [];
  const machines = state.virtualMachines.by('networkId', network.id).flatMap((vm) => vm.nics);
  const taken = new Set(machines.filter((nic) => nic.networkId === network.id).map((nic) => nic.ipAddress));
  const block = parseBlock(network.cidr ?? '');
  return [
    ...rules.flatMap(({ source, internalId }) => {
      const inside = block && source && holds(block, source.address);
      return inside && !taken.has(source.address) ? [] : [`balancer ${internalId} has no address of its own`];
    }),
    ...pairs(rules.filter((rule) => rule.state !== 'Revoke')).flatMap(([a, b]) =>
      a.publicPort === b.publicPort && a.source?.address === b.source?.address
        ? [`two internal balancers on ${a.source?.address}:${a.publicPort}`]
        : [],
    ),
  ];
}

function holds({ first, size }: Block, address: string): boolean {
  const number = addressToNumber(address);
  return first <= number && number < first + size;
}

function addressBroken(state: State, rule: AnyRule): string[] {
  if ('source' in rule) return [];
  const ip = state.publicIps.get(rule.publicIpId);
  if (!ip) return [`rule ${rule.internalId} is on an address that does not exist`];
  // Port forwarding does not wait for an address that is still being acquired, as on the real server.
  if (ip.state === 'Free' || ip.state === 'Reserved') {
    return [`rule ${rule.internalId} is on ${ip.address}, which is ${ip.state}`];
  }
  return ip.accountId === rule.accountId ? [] : [`rule ${rule.internalId} and its address have different owners`];
}

function membersBroken(state: State, rule: LoadBalancerRule): string[] {
  return rule.members.flatMap(({ virtualMachineId, address }) => {
    const vm = state.virtualMachines.get(virtualMachineId);
    if (!vm || vm.removed !== undefined) return [`rule ${rule.internalId} has a member that is gone`];
    const nic = vm.nics.find((one) => one.networkId === rule.networkId);
    if (!nic) return [`rule ${rule.internalId} has a member of another network`];
    const addresses = [nic.ipAddress, ...nic.secondaryIps.map((ip) => ip.address)];
    return addresses.includes(address) ? [] : [`rule ${rule.internalId} has a member at ${address}, which it lacks`];
  });
}

/** Rules on one address that must not be there together; those being deleted do not count. */
function clashes(state: State, ipId: string, address: string): string[] {
  const living = <R extends AnyRule>(rules: readonly R[]): R[] => rules.filter((rule) => rule.state !== 'Revoke');
  const balancers = living(state.loadBalancerRules.by('publicIpId', ipId));
  const forwarders = living(state.portForwardingRules.by('publicIpId', ipId));
  const firewalls = living(state.firewallRules.by('publicIpId', ipId));
  const networks = new Set([...balancers, ...forwarders].map((rule) => rule.networkId));
  return [
    ...pairs(balancers).flatMap(([a, b]) =>
      a.publicPort === b.publicPort ? [`two balancers on ${address}:${a.publicPort}`] : [],
    ),
    ...forwarders.flatMap((rule) =>
      balancers.filter((one) => covers(rule, one.publicPort)).map(() => `${address}: forwarded and balanced`),
    ),
    ...pairs(forwarders).flatMap(([a, b]) =>
      forwardersClash(a, b) ? [`two forwarders on ${address}:${a.publicPort}`] : [],
    ),
    ...pairs(firewalls).flatMap(([a, b]) => (firewallsClash(a, b) ? [`two equal firewall rules on ${address}`] : [])),
    ...(networks.size > 1 ? [`rules of several networks on ${address}`] : []),
    ...(state.publicIps.get(ipId)?.staticNat && balancers.length > 0 ? [`${address}: static NAT and balanced`] : []),
  ];
}

function pairs<T>(items: readonly T[]): [T, T][] {
  return items.flatMap((one, index) => items.slice(index + 1).map((other): [T, T] => [one, other]));
}

function covers(rule: PortForwardingRule, port: number): boolean {
  return rule.publicPort <= port && port <= rule.publicEndPort;
}

function forwardersClash(a: PortForwardingRule, b: PortForwardingRule): boolean {
  return a.protocol === b.protocol && a.publicPort <= b.publicEndPort && b.publicPort <= a.publicEndPort;
}

function firewallsClash(a: FirewallRule, b: FirewallRule): boolean {
  if (a.protocol !== b.protocol || !a.cidrs.some((cidr) => b.cidrs.includes(cidr))) return false;
  if (a.protocol === 'icmp') return a.icmpType === b.icmpType && a.icmpCode === b.icmpCode;
  if (a.startPort === undefined || b.startPort === undefined) return a.startPort === b.startPort;
  return a.startPort <= (b.endPort ?? b.startPort) && b.startPort <= (a.endPort ?? a.startPort);
}
