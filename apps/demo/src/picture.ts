/** What the demo shows at one moment: both clouds, side by side, as plain values. */
export interface Picture {
  readonly nodes: readonly NodeRow[];
  readonly services: readonly ServiceRow[];
  readonly addresses: readonly AddressRow[];
  readonly rules: readonly RuleRow[];
  /** The latest things that happened in either cloud, oldest first, in words. */
  readonly actions: readonly string[];
}

export interface NodeRow {
  readonly name: string;
  readonly initialised: boolean;
  readonly providerId: string;
  readonly internalIp: string;
  readonly instanceType: string;
  readonly zone: string;
}

export interface ServiceRow {
  readonly name: string;
  readonly ports: string;
  /** The address or host name in the status; empty while there is none. */
  readonly external: string;
}

export interface AddressRow {
  readonly address: string;
  readonly state: string;
  readonly purpose: string;
}

export interface RuleRow {
  readonly name: string;
  readonly frontend: string;
  readonly nodePort: string;
  readonly members: readonly string[];
  /** Source CIDRs that the firewall lets in on this port; empty when it is closed. */
  readonly allowed: string;
  readonly state: string;
}

/** What is still missing before the scene has converged, in words. Empty means converged. */
export function missing(picture: Picture): string[] {
  const nodes = picture.nodes.filter((node) => !node.initialised).map((node) => `node ${node.name} is not initialised`);
  const services = picture.services
    .filter((service) => service.external === '')
    .map((service) => `Service ${service.name} has no address`);
  const rules = picture.rules
    .filter((rule) => rule.members.length < picture.nodes.length || rule.allowed === '')
    .map((rule) => `rule ${rule.name} lacks members or its firewall rule`);
  const none = [
    ...(picture.nodes.length === 0 ? ['there are no nodes'] : []),
    ...(picture.services.length === 0 ? ['there are no Services'] : []),
  ];
  return [...none, ...nodes, ...services, ...rules];
}
