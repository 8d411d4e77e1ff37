import type { NodeAddress as StatusAddress } from '@cloudstack-ccm/kubernetes';

import type { NodeAddress } from '../cloud.ts';
import { preferProvidedIps } from './provided-node-ip.ts';

interface AddressInputs {
  /** As the cloud returned them. */
  readonly offered: readonly NodeAddress[];
  /** As the node's status has them. */
  readonly current: readonly StatusAddress[];
  /** The annotation `alpha.kubernetes.io/provided-node-ip`, if it exists. */
  readonly providedNodeIp: string | undefined;
}

/**
 * The addresses that the node's status should have; undefined when it is to stay as it is.
 * @throws ProvidedNodeIpError
 */
export function nextAddresses({ offered, current, providedNodeIp }: AddressInputs): readonly NodeAddress[] | undefined {
  if (offered.length === 0) return undefined;
  const complete = withHostnames(offered, current);
  const next = providedNodeIp === undefined ? complete : preferProvidedIps(providedNodeIp, complete);
  return addressesChanged(current, next) && !identical(current, next) ? next : undefined;
}

/** A cloud that knows no host name leaves the kubelet's in place. */
function withHostnames(offered: readonly NodeAddress[], current: readonly StatusAddress[]): readonly NodeAddress[] {
  if (offered.some(({ type }) => type === 'Hostname')) return offered;
  const known = current.flatMap(({ type, address }) => (type === 'Hostname' ? [{ type, address } as const] : []));
  return [...offered, ...known];
}

/**
 * The framework's rule: another order across types is no change; of several addresses of one type only the last
 * counts, so a dual-stack list always counts as changed.
 */
export function addressesChanged(current: readonly StatusAddress[], next: readonly NodeAddress[]): boolean {
  if (current.length !== next.length) return true;
  const last = new Map(current.map(({ type, address }) => [type, address]));
  return next.some(({ type, address }) => last.get(type) !== address);
}

function identical(current: readonly StatusAddress[], next: readonly NodeAddress[]): boolean {
  return (
    current.length === next.length &&
    next.every(({ type, address }, index) => current[index]?.type === type && current[index].address === address)
  );
}
