import type { Notice } from '@cloudstack-ccm/cloud-controllers';
import { ANYWHERE, canonicalCidrs, sameCidrs } from '../../access/source-cidrs.ts';
import { notice } from '../report/events.ts';
import type { WantedMembers } from '../members/members.ts';
import { ruleName } from './names.ts';
import type { NetworkFacts } from './network-facts.ts';
import type { Problem } from '../annotations/problem.ts';
import type { Algorithm, RuleProtocol, Transport } from './protocol.ts';
import type { ServerFeatures } from './server-features.ts';
import { fitStickiness, needsHttp, type Stickiness } from '../annotations/stickiness.ts';
import type { Wish, WishedPort } from '../annotations/wish.ts';

/** What should be in the cloud for a Service, address aside. */
export interface Desired {
  readonly loadBalancer: string;
  readonly network: Pick<NetworkFacts, 'id' | 'access'>;
  readonly rules: readonly DesiredRule[];
  /** Undefined: the members stay as they are. */
  readonly members: WantedMembers | undefined;
  /** True if the rules' source lists come from `spec.loadBalancerSourceRanges`, which controllers before us ignored. */
  readonly rangesOnRules: boolean;
}

export interface DesiredRule {
  readonly name: string;
  readonly protocol: RuleProtocol;
  readonly transport: Transport;
  readonly publicPort: number;
  readonly privatePort: number;
  readonly algorithm: Algorithm;
  /** The rule's own source list; undefined on servers that have none. */
  readonly sourceCidrs: readonly string[] | undefined;
  /** Whom the firewall or the network ACL lets in. */
  readonly openingCidrs: readonly string[];
  readonly stickiness: Stickiness | undefined;
}

export interface Desire {
  /** Undefined when there are problems. */
  readonly desired: Desired | undefined;
  /** What the user wrote and cannot mean. Then nothing at all is changed. */
  readonly problems: readonly Problem[];
  /** What the cloud cannot do for single ports, or not as strictly as asked. The rest is served. */
  readonly notices: readonly Notice[];
}

export interface DesireInput {
  readonly loadBalancer: string;
  readonly wish: Wish;
  readonly network: NetworkFacts;
  readonly features: ServerFeatures;
  readonly members: WantedMembers | undefined;
}

/** Holds a Service's wish against what its network and this CloudStack can do. */
export function desire({ loadBalancer, wish, network, features, members }: DesireInput): Desire {
  const refused = network.hasLoadBalancing ? wish.ports.filter((port) => isRefused(port, network)) : wish.ports;
  const served = wish.ports.filter((port) => !refused.includes(port));
  const stickiness = wish.stickiness && fitStickiness(wish.stickiness, network.stickinessMethods);
  const problems = [...clashes(served), ...(stickiness && 'problem' in stickiness ? [problem(stickiness)] : [])];
  const notices = [...refusals(refused, network), ...leniencies(wish, network, features)];
  if (problems.length > 0) return { desired: undefined, problems, notices };
  const sources = effectiveSources(wish, network);
  const rules = served.map((port) => ({
    name: ruleName(loadBalancer, port.protocol, port.publicPort),
    protocol: port.protocol,
    transport: port.transport,
    publicPort: port.publicPort,
    privatePort: port.privatePort,
    algorithm: wish.algorithm,
    sourceCidrs: features.ruleSourceCidrs ? sources : undefined,
    openingCidrs: network.access === 'firewall' ? canonicalCidrs(wish.sourceRanges ?? []) : sources,
    stickiness: stickiness && 'value' in stickiness ? stickinessOf(port, stickiness.value) : undefined,
  }));
  const rangesOnRules = network.access !== 'firewall' && !wish.sourceCidrs && wish.sourceRanges !== undefined;
  return { desired: { loadBalancer, network, rules, members, rangesOnRules }, problems, notices };
}

/** For a load balancer that has to go. */
export function desireNothing(loadBalancer: string): Desired {
  return { loadBalancer, network: { id: '', access: 'none' }, rules: [], members: undefined, rangesOnRules: false };
}

/**
 * The source list of the rules. The annotation comes first. Where no firewall filters, `spec.loadBalancerSourceRanges`
 * goes here too: network ACL items do not filter what a VPC's router balances, only this list does.
 */
function effectiveSources(wish: Wish, network: NetworkFacts): readonly string[] {
  if (wish.sourceCidrs) return canonicalCidrs(wish.sourceCidrs);
  return network.access === 'firewall' ? [ANYWHERE] : canonicalCidrs(wish.sourceRanges ?? []);
}

function stickinessOf(port: WishedPort, stickiness: Stickiness): Stickiness | undefined {
  if (port.transport !== 'tcp') return undefined;
  return needsHttp(stickiness.method) && !port.http ? undefined : stickiness;
}

function isRefused(port: WishedPort, network: NetworkFacts): boolean {
  return port.transport === 'udp' && network.virtualRouter;
}

function refusals(ports: readonly WishedPort[], network: NetworkFacts): readonly Notice[] {
  if (!network.hasLoadBalancing) {
    const what = `network ${network.name}, made from offering ${network.offering}, has no Lb service: no port is served`;
    return [notice('LoadBalancingNotOffered', what)];
  }
  return ports.map(({ publicPort }) => {
    const by = `${network.providers.join(', ') || 'the virtual router'} of network ${network.name} (offering ${network.offering})`;
    return notice('PortNotSupported', `port ${publicPort}/UDP is not served: ${by} cannot balance UDP`);
  });
}

/** CloudStack takes every load balancer rule for TCP when it looks for collisions. */
function clashes(ports: readonly WishedPort[]): readonly Problem[] {
  const twice = ports.filter((port, index) => ports.findIndex((one) => one.publicPort === port.publicPort) < index);
  return twice.map(({ publicPort }) => ({
    field: 'spec.ports',
    message:
      `port ${publicPort} is asked for with two protocols: CloudStack cannot have two rules on one port of one ` +
      'address, use two Services with an address each',
  }));
}

/** Where the cloud filters less than asked. */
function leniencies(wish: Wish, network: NetworkFacts, features: ServerFeatures): readonly Notice[] {
  const { sourceCidrs, sourceRanges } = wish;
  const restricts = (cidrs: readonly string[] | undefined): boolean => !sameCidrs(cidrs ?? [], []);
  const notices: Notice[] = [];
  if (restricts(sourceCidrs) && !features.ruleSourceCidrs) {
    const what =
      'the source-cidrs annotation cannot be applied: load balancer rules have source lists from CloudStack 4.18';
    notices.push(notice('SourceRangesNotEnforced', what));
  }
  if (network.access === 'firewall' || !restricts(sourceRanges)) return notices;
  if (!features.ruleSourceCidrs) {
    const what = `spec.loadBalancerSourceRanges does not filter in network ${network.name}: CloudStack 4.18 could`;
    notices.push(notice('SourceRangesNotEnforced', what));
  } else if (sourceCidrs && !sameCidrs(sourceCidrs, sourceRanges ?? [])) {
    const what =
      `spec.loadBalancerSourceRanges has no effect in network ${network.name} beside the source-cidrs annotation, ` +
      `which lets in ${sourceCidrs.join(', ')}`;
    notices.push(notice('SourceRangesNotEnforced', what));
  }
  return notices;
}

function problem({ problem: message }: { readonly problem: string }): Problem {
  return { field: 'stickiness', message };
}
