import { ruleConflict, type ApiError } from '../api-error.ts';
import type { PublicIp, State } from '../state.ts';

/** A rule that takes ports of a public address: load balancing or port forwarding. */
export interface PortClaim {
  readonly publicIp: PublicIp;
  readonly networkId: string;
  readonly first: number;
  readonly last: number;
  readonly purpose: 'LoadBalancing' | 'PortForwarding';
  /** Compared between port forwarding rules only: a load balancer rule counts as all protocols. */
  readonly protocol?: string;
}

/**
 * @throws ApiError 537 if the ports are taken, or the address serves another network. Rules that are being deleted do
 * not count.
 */
export function checkPorts(state: State, claim: PortClaim, across = false): void {
  const { publicIp, networkId } = claim;
  for (const rule of livingRules(state, publicIp.id)) {
    if (rule.networkId !== networkId && !across) {
      throw ruleConflict(`New rule is for a different network than what's specified in rule ${rule.id}`);
    }
    if (rule.first === undefined || rule.last === undefined || !collides(claim, rule)) continue;
    if (claim.first <= rule.last && rule.first <= claim.last) throw portsTaken(claim, rule);
  }
}

interface LivingRule {
  readonly id: string;
  readonly internalId: number;
  readonly networkId: string;
  readonly purpose: 'LoadBalancing' | 'PortForwarding' | 'Firewall';
  readonly protocol?: string;
  readonly first?: number;
  readonly last?: number;
}

function livingRules(state: State, publicIpId: string): LivingRule[] {
  const balancing = state.loadBalancerRules.by('publicIpId', publicIpId).map((rule) => ({
    ...rule,
    purpose: 'LoadBalancing' as const,
    first: rule.publicPort,
    last: rule.publicPort,
  }));
  const forwarding = state.portForwardingRules.by('publicIpId', publicIpId).map((rule) => ({
    ...rule,
    purpose: 'PortForwarding' as const,
    first: rule.publicPort,
    last: rule.publicEndPort,
  }));
  const firewall = state.firewallRules
    .by('publicIpId', publicIpId)
    .map((rule) => ({ ...rule, purpose: 'Firewall' as const }));
  return [...balancing, ...forwarding, ...firewall]
    .filter((rule) => rule.state !== 'Revoke')
    .sort((a, b) => a.internalId - b.internalId);
}

function collides(claim: PortClaim, rule: LivingRule): boolean {
  if (rule.purpose === 'Firewall') return false;
  if (claim.purpose === 'PortForwarding' && rule.purpose === 'PortForwarding') return claim.protocol === rule.protocol;
  return true;
}

export function portsTaken(
  claim: { readonly first: number; readonly last: number },
  rule: { readonly internalId: number; readonly first?: number; readonly last?: number },
): ApiError {
  return ruleConflict(
    `The range specified, ${claim.first}-${claim.last}, conflicts with rule ${rule.internalId} which has ${rule.first}-${rule.last}`,
  );
}
