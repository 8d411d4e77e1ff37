import { parseCidr } from '@cloudstack-ccm/base';
import { internalError, invalid } from '../errors.ts';
import { type JsonObject, textAt } from '../json.ts';
import { isIn } from '../validation/addresses.ts';
import { type FieldError, invalidValue } from '../validation/field-errors.ts';
import { clusterIpErrors } from './service-cluster-ips.ts';
import { mapPorts } from './service-update.ts';
import {
  allocatesNodePorts,
  needsClusterIp,
  needsHealthCheckPort,
  NONE,
  type ServiceView,
  usesNodePorts,
  viewService,
  withSpec,
} from './service-view.ts';
import type { StrategyContext } from './strategy.ts';

/** The first ports of the range are for users who choose one: kube-apiserver gives out others. */
const RESERVED_PORTS = 86;

/** What a Service holds that no other Service may hold: its cluster IPs and node ports. */
export function serviceClaims(service: JsonObject): string[] {
  const { clusterIps, ports, healthCheckNodePort } = viewService(service);
  const nodePorts = [...ports.map(({ nodePort }) => nodePort), healthCheckNodePort].filter((port) => port !== 0);
  return [...clusterIps.filter((ip) => ip !== NONE).map(ipClaim), ...nodePorts.map(portClaim)];
}

/**
 * Gives a Service the cluster IP and node ports that it needs and did not choose.
 * @param current the Service before an update.
 * @throws ApiError Invalid when what it chose is taken or out of range.
 */
export function allocate(service: JsonObject, current: JsonObject | undefined, context: StrategyContext): JsonObject {
  const allocator = new Allocator(textAt(service, 'metadata', 'name'), context);
  // A cluster IP is for life; if an update changes it, validation says so.
  const hasIp = current !== undefined && needsClusterIp(viewService(current));
  const addressed = hasIp ? withFamilies(service) : allocator.clusterIp(withFamilies(service));
  return allocator.healthCheckPort(allocator.nodePorts(addressed));
}

class Allocator {
  readonly #name: string;
  readonly #context: StrategyContext;
  readonly #taken = new Set<string>();

  constructor(name: string, context: StrategyContext) {
    this.#name = name;
    this.#context = context;
  }

  clusterIp(service: JsonObject): JsonObject {
    const view = viewService(service);
    if (!needsClusterIp(view) || view.clusterIp === NONE) return service;
    if (view.clusterIp !== '') {
      const problem = this.#ipProblem(view.clusterIp);
      if (problem)
        throw this.#refused(
          invalidValue('spec.clusterIPs', view.clusterIps, `failed to allocate IP ${view.clusterIp}: ${problem}`),
        );
      return service;
    }
    const ip = this.#freeIp();
    return withSpec(service, { clusterIP: ip, clusterIPs: [ip] });
  }

  nodePorts(service: JsonObject): JsonObject {
    const view = viewService(service);
    if (!usesNodePorts(view)) return service;
    // One number may serve several protocols of one Service, so what it asks for itself is no clash.
    for (const [index, { nodePort }] of view.ports.entries()) if (nodePort !== 0) this.#requestPort(nodePort, index);
    if (!allocatesNodePorts(view)) return service;
    return mapPorts(service, ({ nodePort, port }) => nodePort || this.#sharedPort(view, port) || this.#freePort());
  }

  healthCheckPort(service: JsonObject): JsonObject {
    const view = viewService(service);
    if (!needsHealthCheckPort(view)) return service;
    const asked = view.healthCheckNodePort;
    if (asked === 0) return withSpec(service, { healthCheckNodePort: this.#freePort() });
    const problem = this.#portProblem(asked);
    if (problem) throw internalError(`failed to allocate requested HealthCheck NodePort ${asked}: ${problem}`);
    return service;
  }

  #ipProblem(ip: string): string | undefined {
    if (!isIn(this.#context.settings.serviceCidr, ip)) return 'the provided network does not match the current range';
    return this.#isFree(ipClaim(ip)) ? undefined : 'provided IP is already allocated';
  }

  #requestPort(port: number, index: number): void {
    const problem = this.#taken.has(portClaim(port)) ? undefined : this.#portProblem(port);
    if (problem) throw this.#refused(invalidValue(`spec.ports[${index}].nodePort`, port, problem));
    this.#taken.add(portClaim(port));
  }

  #portProblem(port: number): string | undefined {
    const [first, last] = this.#context.settings.nodePortRange;
    if (port < first || port > last)
      return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
    return this.#isFree(portClaim(port)) ? undefined : 'provided port is already allocated';
  }

  /** A Service that has one port number for TCP and UDP gets one node port for both, if it chose one of them. */
  #sharedPort({ ports }: ServiceView, port: number): number {
    return ports.find((other) => other.port === port && other.nodePort !== 0)?.nodePort ?? 0;
  }

  #freePort(): number {
    const [first, last] = this.#context.settings.nodePortRange;
    const from = Math.min(first + RESERVED_PORTS, last);
    const port = this.#pick(from, last, portClaim);
    if (port === undefined) throw internalError('failed to allocate a nodePort: range is full');
    return port;
  }

  #freeIp(): string {
    const { serviceCidr } = this.#context.settings;
    const [base, size] = ipv4Range(serviceCidr);
    const offset = this.#pick(Math.min(256, size >> 1), size - 2, (candidate) => ipClaim(ipv4Text(base + candidate)));
    if (offset === undefined) {
      throw internalError(`failed to allocate a serviceIP for Service "${this.#name}": range is full`);
    }
    return ipv4Text(base + offset);
  }

  /** A free number at random, so that clashes between tests of two clusters show early. */
  #pick(from: number, to: number, claimOf: (candidate: number) => string): number | undefined {
    const size = to - from + 1;
    const start = Math.floor(this.#context.random() * size);
    for (let step = 0; step < size; step++) {
      const candidate = from + ((start + step) % size);
      if (!this.#isFree(claimOf(candidate))) continue;
      this.#taken.add(claimOf(candidate));
      return candidate;
    }
    return undefined;
  }

  #isFree(claim: string): boolean {
    return !this.#taken.has(claim) && this.#context.isFree(claim);
  }

  #refused(error: FieldError): Error {
    return refused(this.#name, [error]);
  }
}

/** Fills in the IP families of a cluster that has IPv4 only. */
function withFamilies(service: JsonObject): JsonObject {
  const view = viewService(service);
  if (!needsClusterIp(view)) return service;
  const selectorless = view.clusterIp === NONE && Object.keys(view.selector).length === 0;
  const policy = view.ipFamilyPolicy || (selectorless ? 'RequireDualStack' : 'SingleStack');
  const single = withSpec(service, {
    ipFamilyPolicy: policy,
    ...(view.clusterIp && view.clusterIps.length === 0 && { clusterIPs: [view.clusterIp] }),
  });
  refuse(service, clusterIpErrors(viewService(single)));
  refuse(service, familyErrors(view, policy, selectorless));
  const families = view.ipFamilies.length > 0 ? view.ipFamilies : ['IPv4'];
  const both = selectorless && policy !== 'SingleStack' && families.length === 1;
  return withSpec(single, { ipFamilies: both ? [...families, families[0] === 'IPv4' ? 'IPv6' : 'IPv4'] : families });
}

function familyErrors({ ipFamilies, clusterIps }: ServiceView, policy: string, selectorless: boolean): FieldError[] {
  const counts = { 'cluster IPs': clusterIps.length, 'IP families': ipFamilies.length };
  const doubled = Object.entries(counts).filter(([, count]) => policy === 'SingleStack' && count === 2);
  if (doubled.length > 0) {
    return doubled.map(([what]) => {
      const detail = `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
      return invalidValue('spec.ipFamilyPolicy', policy, detail);
    });
  }
  if (selectorless) return [];
  const foreign = ipFamilies.indexOf('IPv6');
  return [
    ...(policy === 'RequireDualStack'
      ? [invalidValue('spec.ipFamilyPolicy', policy, 'this cluster is not configured for dual-stack services')]
      : []),
    ...(foreign >= 0 ? [invalidValue(`spec.ipFamilies[${foreign}]`, 'IPv6', 'not configured on this cluster')] : []),
  ];
}

function refuse(service: JsonObject, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw refused(textAt(service, 'metadata', 'name'), errors);
}

function refused(name: string, errors: readonly FieldError[]): Error {
  return invalid({ group: '', resource: 'Service', name }, errors);
}

function ipClaim(ip: string): string {
  return `ip:${ip}`;
}

function portClaim(port: number): string {
  return `port:${port}`;
}

/** The first address of a network as a number, and how many it has. */
function ipv4Range(cidr: string): [base: number, size: number] {
  const [address = '', length = ''] = (parseCidr(cidr)?.text ?? '').split('/');
  const base = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return [base, 2 ** (32 - Number(length))];
}

function ipv4Text(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
}
