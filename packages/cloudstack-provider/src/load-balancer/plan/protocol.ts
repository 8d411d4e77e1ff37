/** What a load balancer rule speaks. `tcp-proxy` is TCP with the PROXY protocol, version 1, in front. */
export type RuleProtocol = 'tcp' | 'udp' | 'tcp-proxy';

/** The protocol on the wire: what firewall rules, network ACL items and the identity of a rule go by. */
export type Transport = 'tcp' | 'udp';

export type Algorithm = 'roundrobin' | 'leastconn' | 'source';

/**
 * The transport of a rule's stored protocol. Rules that were made without one, and those of the provider that was
 * part of Kubernetes (`TCP`), count as tcp, as they do in CloudStack.
 */
export function transportOf(protocol: string | undefined): Transport {
  return protocol?.toLowerCase() === 'udp' ? 'udp' : 'tcp';
}

/** True if a stored protocol means the wanted one: case does not matter, and none stored is tcp. */
export function isProtocol(stored: string | undefined, wanted: RuleProtocol): boolean {
  return (stored === undefined || stored === '' ? 'tcp' : stored.toLowerCase()) === wanted;
}

/** A port on a public address together with its transport: what makes a rule the rule it is. */
export function placeOf(transport: Transport, port: number): string {
  return `${transport}/${port}`;
}
