import type { RuleProtocol } from './protocol.ts';

/**
 * The stable name of a Service's load balancer, as Kubernetes and the Go CCM make it: `a` and the Service's UID
 * without dashes, 32 characters. Two clusters never share one.
 */
export function loadBalancerName(serviceUid: string): string {
  return `a${serviceUid.replaceAll('-', '')}`.slice(0, 32);
}

/** `<load balancer>-<protocol>-<public port>`: the form in which the Go CCM names rules. It is cosmetic. */
export function ruleName(loadBalancer: string, protocol: RuleProtocol, publicPort: number): string {
  return `${loadBalancer}-${protocol}-${publicPort}`;
}

/**
 * True if a rule of that name belongs to the load balancer. Covers the form of the provider that was part of
 * Kubernetes (`<load balancer>-<port>`) too. CloudStack's `keyword` alone also finds names and descriptions that only
 * contain the name.
 */
export function isNameOf(loadBalancer: string, name: string): boolean {
  return name.toLowerCase().startsWith(`${loadBalancer}-`);
}

/**
 * True if a rule of that name was made by the Leaseweb fork for this Service:
 * `K8s_svc_<cluster>_<namespace>_<service>-<protocol>-<port>`. Not unique across clusters, so only to be trusted
 * together with the address that the fork wrote on the Service.
 */
export function isLeasewebNameOf(namespace: string, service: string, name: string): boolean {
  const stem = /^K8s_svc_(.+)-(?:tcp-proxy|tcp|udp)-\d+$/.exec(name)?.[1];
  return stem?.endsWith(`_${namespace}_${service}`) ?? false;
}
