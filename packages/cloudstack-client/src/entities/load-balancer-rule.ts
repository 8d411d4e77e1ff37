import { object, type Decode } from '../decode.ts';
import { owner, type Owner } from './owner.ts';
import { tag, type Tag } from './tag.ts';
import { virtualMachine, type VirtualMachine } from './virtual-machine.ts';

export interface LoadBalancerRule extends Owner {
  readonly id: string;
  /** Not unique. */
  readonly name: string;
  readonly description: string;
  readonly publicIpId: string;
  readonly publicIp: string;
  readonly publicPort: number;
  readonly privatePort: number;
  /** As it was sent: `roundrobin`, `leastconn`, `source` in any case. */
  readonly algorithm: string;
  /** As it was sent: `tcp`, `udp`, `tcp-proxy`, `ssl` in any case; undefined when none was sent at creation. */
  readonly protocol: string | undefined;
  readonly networkId: string;
  /** Undefined when none was sent at creation. Separators differ by version and command; they are gone here. */
  readonly sourceCidrs: readonly string[] | undefined;
  /** `Add` (no member yet), `Active`, `Deleting` or `Staged`. */
  readonly state: string;
  readonly zoneId: string;
  readonly tags: readonly Tag[];
}

/** A member of a load balancer rule. */
export interface LoadBalancerRuleInstance {
  readonly virtualMachine: VirtualMachine;
  /** The addresses that receive traffic: the machine's own in the rule's network, or secondary ones. */
  readonly addresses: readonly string[];
}

export const loadBalancerRule: Decode<LoadBalancerRule> = object((fields) => ({
  id: fields.text('id'),
  name: fields.optionalText('name') ?? '',
  description: fields.optionalText('description') ?? '',
  publicIpId: fields.optionalText('publicipid') ?? '',
  publicIp: fields.optionalText('publicip') ?? '',
  publicPort: fields.integer('publicport'),
  privatePort: fields.integer('privateport'),
  algorithm: fields.optionalText('algorithm') ?? '',
  protocol: fields.optionalText('protocol'),
  networkId: fields.optionalText('networkid') ?? '',
  sourceCidrs: fields.optionalWords('cidrlist'),
  state: fields.optionalText('state') ?? '',
  zoneId: fields.optionalText('zoneid') ?? '',
  tags: fields.list('tags', tag),
  ...owner(fields),
}));

const address: Decode<string> = (value) => String(value);

export const loadBalancerRuleInstance: Decode<LoadBalancerRuleInstance> = object((fields) => ({
  virtualMachine: fields.required('loadbalancerruleinstance', virtualMachine),
  addresses: fields.list('lbvmipaddresses', address),
}));
