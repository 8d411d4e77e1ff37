import { object, type Decode } from '../decode.ts';
import { tag, type Tag } from './tag.ts';

/** One line of a network ACL list. CloudStack's commands call the item itself a network ACL. */
export interface NetworkAclItem {
  readonly id: string;
  /** As it was sent: `tcp`, `udp`, `icmp`, `all` in any case, or a protocol number. */
  readonly protocol: string;
  readonly startPort: number | undefined;
  readonly endPort: number | undefined;
  /** `Ingress` or `Egress`. */
  readonly trafficType: string;
  /** `Allow` or `Deny`. */
  readonly action: string;
  /** Items are evaluated by ascending number, and the first match decides. */
  readonly number: number;
  readonly sourceCidrs: readonly string[];
  readonly aclId: string;
  readonly aclName: string;
  readonly reason: string;
  readonly state: string;
  readonly icmpType: number | undefined;
  readonly icmpCode: number | undefined;
  readonly tags: readonly Tag[];
}

export interface NetworkAclList {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Undefined for the built-in lists `default_deny` and `default_allow`, which cannot be changed. */
  readonly vpcId: string | undefined;
}

export const networkAclItem: Decode<NetworkAclItem> = object((fields) => ({
  id: fields.text('id'),
  protocol: fields.text('protocol'),
  startPort: fields.optionalInteger('startport'),
  endPort: fields.optionalInteger('endport'),
  trafficType: fields.optionalText('traffictype') ?? '',
  action: fields.optionalText('action') ?? '',
  number: fields.integer('number'),
  sourceCidrs: fields.optionalWords('cidrlist') ?? [],
  aclId: fields.optionalText('aclid') ?? '',
  aclName: fields.optionalText('aclname') ?? '',
  reason: fields.optionalText('reason') ?? '',
  state: fields.optionalText('state') ?? '',
  icmpType: fields.optionalInteger('icmptype'),
  icmpCode: fields.optionalInteger('icmpcode'),
  tags: fields.list('tags', tag),
}));

export const networkAclList: Decode<NetworkAclList> = object((fields) => ({
  id: fields.text('id'),
  name: fields.text('name'),
  description: fields.optionalText('description') ?? '',
  vpcId: fields.optionalText('vpcid'),
}));
