import type { PublicIp, State } from '../state.ts';

/** An address of a VPC belongs to the tier of its rules: from the first rule on, until the last is gone. */
export function attachToTier(state: State, publicIpId: string, networkId: string): void {
  const ip = state.publicIps.get(publicIpId);
  if (ip?.vpcId !== undefined && ip.networkId !== networkId) state.publicIps.update(publicIpId, { networkId });
}

export function detachIfUnused(state: State, publicIpId: string): void {
  const ip = state.publicIps.get(publicIpId);
  if (ip?.vpcId === undefined || ip.networkId === undefined || inUse(state, ip)) return;
  const { networkId: _, ...detached } = ip;
  state.publicIps.replace(detached);
}

function inUse(state: State, ip: PublicIp): boolean {
  return (
    ip.staticNat !== undefined ||
    state.loadBalancerRules.by('publicIpId', ip.id).length > 0 ||
    state.portForwardingRules.by('publicIpId', ip.id).length > 0
  );
}
