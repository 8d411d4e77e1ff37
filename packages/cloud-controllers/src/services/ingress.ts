import { isDeepStrictEqual } from 'node:util';

import type { LoadBalancerIngress as StatusIngress } from '@cloudstack-ccm/kubernetes';

/**
 * True if two ingress lists mean the same; order counts. The API server stores `ipMode: VIP` for an IP without a mode,
 * so the two are one.
 */
export function sameIngress(left: readonly StatusIngress[], right: readonly StatusIngress[]): boolean {
  return isDeepStrictEqual(left.map(canonical), right.map(canonical));
}

function canonical({ ip = '', hostname = '', ipMode, ports = [] }: StatusIngress): unknown {
  return { ip, hostname, ipMode: ipMode ?? (ip === '' ? '' : 'VIP'), ports };
}
