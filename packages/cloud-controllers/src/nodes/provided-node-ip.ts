import { InvalidInputError, parseIp, type IpAddress } from '@cloudstack-ccm/base';

import type { NodeAddress } from '../cloud.ts';

/** The annotation `alpha.kubernetes.io/provided-node-ip` cannot be read, or the cloud does not offer its address. */
export class ProvidedNodeIpError extends InvalidInputError {
  override readonly code = 'PROVIDED_NODE_IP';
}

/**
 * The cloud's addresses with those that the kubelet was told to use in front: for each of them every cloud address
 * equal to it, in the cloud's spelling, then the addresses of all other types.
 * @throws ProvidedNodeIpError
 */
export function preferProvidedIps(annotation: string, offered: readonly NodeAddress[]): readonly NodeAddress[] {
  const chosen = parseProvidedIps(annotation).flatMap((ip) => offeredAs(ip, offered));
  const types = new Set(chosen.map((address) => address.type));
  return [...chosen, ...offered.filter((address) => !types.has(address.type))];
}

function offeredAs(ip: IpAddress, offered: readonly NodeAddress[]): readonly NodeAddress[] {
  const same = offered.filter(({ address }) => parseIp(address)?.text === ip.text);
  if (same.length > 0) return same;
  throw new ProvidedNodeIpError(`failed to get node address from cloud provider that matches ip: ${ip.text}`);
}

/** @throws ProvidedNodeIpError */
function parseProvidedIps(annotation: string): readonly IpAddress[] {
  const fail = (reason: string): ProvidedNodeIpError =>
    new ProvidedNodeIpError(`failed to parse node IP ${JSON.stringify(annotation)}: ${reason}`);
  const ips = annotation.split(',').map((part) => {
    const ip = parseIp(withoutLeadingZeros(part));
    if (!ip) throw fail(`could not parse ${JSON.stringify(part)}`);
    return ip;
  });
  const [first, second, ...more] = ips;
  if (more.length > 0 || (second && first?.family === second.family)) {
    throw fail('must contain either a single IP or a dual-stack pair of IPs');
  }
  if (second && ips.some(isUnspecified)) throw fail("dual-stack node IP cannot include '0.0.0.0' or '::'");
  return ips;
}

/** Kubernetes reads `10.0.0.01` here as decimal, as it always has. */
function withoutLeadingZeros(text: string): string {
  return /^\d+(\.\d+){3}$/.test(text) ? text.replaceAll(/\b0+(?=\d)/g, '') : text;
}

function isUnspecified({ text }: IpAddress): boolean {
  return text === '0.0.0.0' || text === '::';
}
