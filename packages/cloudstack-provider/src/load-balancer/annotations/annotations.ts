import {
  readAlgorithm,
  readBoolean,
  readCidrList,
  readHostname,
  readIpMode,
  readIpv4,
  readPortSelection,
  readText,
  type PortSelection,
} from './annotation-values.ts';
import { didYouMean } from './did-you-mean.ts';
import { parseLabelSelector, type LabelSelector } from './label-selector.ts';
import { good, type Problem, type Reading } from './problem.ts';

/** What all annotations of load balancers begin with. The Go CCM and its forks use the same. */
export const PREFIX = 'service.beta.kubernetes.io/cloudstack-load-balancer-';

/** One annotation: how it is read, and what users are told about it. The reference page is made from these. */
export interface Annotation<T> {
  readonly suffix: string;
  /** In words for users, for example `comma-separated CIDRs`. */
  readonly type: string;
  /** In words for users. */
  readonly default: string;
  readonly description: string;
  /** What changing it on a live Service does to connections. */
  readonly effect: string;
  /** The oldest CloudStack version that can do it; undefined when all supported ones can. */
  readonly since: string | undefined;
  readonly writtenBy: 'user' | 'controller';
  /** A value; undefined for what users do not write. */
  readonly example: string | undefined;
  /** The value of an absent or blank annotation. */
  readonly absent: T;
  readonly read: (text: string) => Reading<T>;
}

interface Description {
  readonly type: string;
  readonly default: string;
  readonly description: string;
  readonly effect: string;
  readonly since?: string;
  readonly writtenBy?: 'controller';
  readonly example?: string;
}

function annotation<T, D>(
  suffix: string,
  absent: D,
  read: (text: string) => Reading<T>,
  description: Description,
): Annotation<T | D> {
  return { suffix, absent, read, since: undefined, writtenBy: 'user', example: undefined, ...description };
}

const NO_EFFECT = 'none';
const IN_PLACE = 'changed in place, connections stay';

export const ANNOTATIONS = {
  proxyProtocol: annotation<PortSelection, 'none'>('proxy-protocol', 'none', readPortSelection, {
    type: 'boolean, or a list of ports',
    default: '`false`',
    description: 'Puts the PROXY protocol, version 1, in front of TCP connections. UDP ports are not affected.',
    effect: 'changed in place; open connections may be cut when the router reloads',
    example: '443,8443',
  }),
  hostname: annotation('hostname', undefined, readHostname, {
    type: 'host name',
    default: 'unset',
    description: 'The status of the Service shows this host name instead of the IP address.',
    example: 'lb.example.com',
    effect: NO_EFFECT,
  }),
  sourceCidrs: annotation('source-cidrs', undefined, readCidrList, {
    type: 'comma-separated CIDRs',
    default: '`0.0.0.0/0`; in a VPC tier without Firewall service `spec.loadBalancerSourceRanges`',
    description:
      'The source list of the load balancer rules. Firewall rules are not affected: they follow ' +
      '`spec.loadBalancerSourceRanges`. An empty value counts as absent.',
    effect: 'in place from CloudStack 4.22 on; before, each rule is deleted and made again, which interrupts its port',
    since: '4.18',
    example: '10.0.0.0/8,192.168.1.0/24',
  }),
  algorithm: annotation('algorithm', undefined, readAlgorithm, {
    type: '`roundrobin`, `leastconn` or `source`',
    default: '`source` for session affinity `ClientIP`, otherwise `roundrobin`',
    description: 'How connections are spread over the members.',
    example: 'leastconn',
    effect: IN_PLACE,
  }),
  stickinessMethod: annotation('stickiness-method-name', undefined, readText, {
    type: '`LbCookie` or `SourceBased`',
    default: 'unset',
    description: 'Keeps a client on one member. `LbCookie` needs ports with `appProtocol: http`.',
    effect: 'changed in place; a cookie method switches the port to HTTP mode',
    example: 'LbCookie',
  }),
  stickinessParameters: annotation('stickiness-method-param', '', readText, {
    type: 'comma-separated `key=value` pairs',
    default: 'empty',
    description: 'Parameters of the stickiness method, such as `cookie-name=SID,nocache=true`.',
    example: 'cookie-name=SID,nocache=true',
    effect: IN_PLACE,
  }),
  address: annotation('address', undefined, readIpv4, {
    type: 'IPv4 address',
    default: '`spec.loadBalancerIP`',
    description: 'The public IP address to use. It must be free, or already belong to the network or VPC.',
    effect: 'rules are made on the new address before those on the old one go',
    example: '203.0.113.7',
  }),
  keepIp: annotation('keep-ip', false, readBoolean, {
    type: 'boolean',
    default: '`false`',
    description: 'The public IP address is never released, not even when the controller took it.',
    example: 'true',
    effect: NO_EFFECT,
  }),
  ipMode: annotation('ip-mode', undefined, readIpMode, {
    type: '`VIP` or `Proxy`',
    default: '`Proxy` when a port uses the PROXY protocol, otherwise `VIP`',
    description: 'Whether pods and nodes of the cluster reach the address directly (`VIP`) or from outside (`Proxy`).',
    example: 'VIP',
    effect: NO_EFFECT,
  }),
  nodeSelector: annotation<LabelSelector, undefined>('node-selector', undefined, parseLabelSelector, {
    type: 'label selector',
    default: 'all nodes',
    description: 'Only matching nodes become members of the rules.',
    example: 'node-role.kubernetes.io/edge=true',
    effect: 'members are added before others are removed',
  }),
  readyEndpointsOnly: annotation('ready-endpoints-only', false, readBoolean, {
    type: 'boolean',
    default: '`false`',
    description:
      'Only nodes with a ready endpoint of the Service become members: what `spec.externalTrafficPolicy: Local` needs, ' +
      'as no other node passes traffic on. When no endpoint is ready, the members stay as they are. Without it, a ' +
      'virtual router finds out for itself which nodes pass traffic, by trying to connect to the node port: each time ' +
      'pods move, some connections fail until it has. It never asks `spec.healthCheckNodePort`. The controller needs ' +
      'the right to list and watch `endpointslices`; without it, all nodes are members and an event says so.',
    example: 'true',
    effect: 'members are added before others are removed',
  }),
  memberAddresses: annotation('member-addresses', undefined, readCidrList, {
    type: 'comma-separated CIDRs',
    default: 'the address of the network card in the network of the load balancer',
    description:
      'Traffic goes to the address of each node that is in one of these networks: that of a network card, or one of its ' +
      'secondary addresses. The network of a new load balancer is the one that these addresses are in. A node without ' +
      'such an address is no member. An existing load balancer stays in its network.',
    example: '10.1.8.0/24',
    effect: 'members are added at the new address before they are removed at the old one',
  }),
  ipAssociatedByController: annotation('ip-associated-by-controller', false, (text) => good(text === 'true'), {
    type: 'boolean',
    default: 'unset',
    description:
      'Set when the controller took the public IP address, which is then released with the Service. Setting or ' +
      'removing it by hand leaks an address, or releases one that is yours.',
    effect: NO_EFFECT,
    writtenBy: 'controller',
  }),
  addressRecord: annotation('address-record', undefined, readText, {
    type: 'JSON',
    default: 'unset',
    description: 'What the controller has noted about the public IP addresses of the Service. Do not edit.',
    effect: NO_EFFECT,
    writtenBy: 'controller',
  }),
  leasewebAddressId: annotation('id', undefined, readText, {
    type: 'UUID',
    default: 'unset',
    description: 'Written by the Leaseweb fork: the public IP address whose rules are taken over.',
    effect: NO_EFFECT,
    writtenBy: 'controller',
  }),
  leasewebNetworkId: annotation('network-id', undefined, readText, {
    type: 'UUID',
    default: 'unset',
    description: 'Written by the Leaseweb fork: the network of the rules that are taken over.',
    effect: NO_EFFECT,
    writtenBy: 'controller',
  }),
};

type Registry = typeof ANNOTATIONS;

/** The values of all annotations of a Service. */
export type Settings = { readonly [K in keyof Registry]: ValueOf<Registry[K]> };

type ValueOf<A> = A extends Annotation<infer T> ? T : never;

/** The full name of an annotation, as it stands in a Service. */
export function nameOf(annotation: { readonly suffix: string }): string {
  return PREFIX + annotation.suffix;
}

/**
 * Reads all annotations of a Service. What cannot be read is a problem and has the value of an absent one; an
 * annotation that nobody knows is a warning.
 */
export function readAnnotations(annotations: Readonly<Record<string, string>>): {
  readonly settings: Settings;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
} {
  const problems: Problem[] = [];
  const entries = Object.entries(ANNOTATIONS).map(([key, one]: [string, Annotation<unknown>]) => {
    const text = annotations[nameOf(one)]?.trim() ?? '';
    const reading: Reading<unknown> = text === '' ? good(one.absent) : one.read(text);
    if ('value' in reading) return [key, reading.value];
    problems.push({ field: nameOf(one), message: `annotation ${nameOf(one)}: ${reading.problem}` });
    return [key, one.absent];
  });
  return { settings: Object.fromEntries(entries) as Settings, problems, warnings: unknownAnnotations(annotations) };
}

function unknownAnnotations(annotations: Readonly<Record<string, string>>): readonly Problem[] {
  const known = Object.values(ANNOTATIONS).map(nameOf);
  return Object.keys(annotations)
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name))
    .map((name) => ({ field: name, message: `unknown annotation ${name}${suggestion(name, known)}` }));
}

function suggestion(name: string, known: readonly string[]): string {
  const suffixes = known.map((one) => one.slice(PREFIX.length));
  const guess = didYouMean(name.slice(PREFIX.length), suffixes);
  return guess === undefined ? ': it has no effect' : `: did you mean ${PREFIX}${guess}? It has no effect as it is`;
}
