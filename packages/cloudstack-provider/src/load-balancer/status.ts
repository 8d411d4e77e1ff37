import type { LoadBalancerIngress, LoadBalancerStatus, ServiceView } from '@cloudstack-ccm/cloud-controllers';
import { isSelected } from './annotations/annotation-values.ts';
import type { Settings } from './annotations/annotations.ts';

/**
 * What the status of a Service shows: the host name where one is asked for, else the address. Behind the PROXY
 * protocol, clients inside the cluster must take the way through the balancer too, or the pods would miss the header.
 */
export function buildStatus(
  service: Pick<ServiceView, 'ports'>,
  settings: Settings,
  address: string | undefined,
): LoadBalancerStatus {
  if (settings.hostname !== undefined) return { ingress: [{ hostname: settings.hostname }] };
  if (address === undefined) return { ingress: [] };
  const { ports } = service;
  const proxied = ports.some(({ protocol, port }) => protocol === 'TCP' && isSelected(settings.proxyProtocol, port));
  const ipMode = settings.ipMode ?? (proxied ? 'Proxy' : 'VIP');
  const ingress: LoadBalancerIngress = ipMode === 'Proxy' ? { ip: address, ipMode } : { ip: address };
  return { ingress: [ingress] };
}
