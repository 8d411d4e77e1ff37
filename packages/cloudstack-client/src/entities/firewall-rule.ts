import { object, type Decode } from '../decode.ts';
import { tag, type Tag } from './tag.ts';

/** An opening of a public IP address. */
export interface FirewallRule {
  readonly id: string;
  /** `tcp`, `udp` or `icmp`, in lower case. */
  readonly protocol: string;
  /** Undefined for ICMP and for all ports. */
  readonly startPort: number | undefined;
  readonly endPort: number | undefined;
  readonly ipAddressId: string;
  readonly ipAddress: string;
  readonly networkId: string | undefined;
  readonly vpcId: string | undefined;
  /** `Staged`, `Add`, `Active` or `Deleting`. A failed job may leave a rule behind in `Deleting`. */
  readonly state: string;
  readonly sourceCidrs: readonly string[];
  readonly icmpType: number | undefined;
  readonly icmpCode: number | undefined;
  readonly tags: readonly Tag[];
}

export const firewallRule: Decode<FirewallRule> = object((fields) => ({
  id: fields.text('id'),
  protocol: fields.text('protocol').toLowerCase(),
  startPort: fields.optionalInteger('startport'),
  endPort: fields.optionalInteger('endport'),
  ipAddressId: fields.optionalText('ipaddressid') ?? '',
  ipAddress: fields.optionalText('ipaddress') ?? '',
  networkId: fields.optionalText('networkid'),
  vpcId: fields.optionalText('vpcid'),
  state: fields.optionalText('state') ?? '',
  sourceCidrs: fields.optionalWords('cidrlist') ?? [],
  icmpType: fields.optionalInteger('icmptype'),
  icmpCode: fields.optionalInteger('icmpcode'),
  tags: fields.list('tags', tag),
}));
