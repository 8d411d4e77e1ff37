import { object, type Decode } from '../decode.ts';
import { owner, type Owner } from './owner.ts';
import { tag, type Tag } from './tag.ts';

/** A virtual machine. */
export interface VirtualMachine extends Owner {
  readonly id: string;
  /** The host name inside the machine: what a node is called. */
  readonly name: string;
  /** Free text. */
  readonly displayName: string;
  /** `Running`, `Stopped`, `Starting`, `Stopping`, `Migrating`, `Destroyed`, `Expunging`, `Error`, `Unknown` … */
  readonly state: string;
  readonly zoneId: string;
  readonly zoneName: string;
  /** Only with details `servoff` or `all`. */
  readonly serviceOfferingId: string | undefined;
  readonly serviceOfferingName: string | undefined;
  /** Only with details `nics` or `all`. The default one is not necessarily first. */
  readonly nics: readonly Nic[];
  /** The address of a static NAT. */
  readonly publicIp: string | undefined;
  readonly tags: readonly Tag[];
  /** The answer's `hostname`, which is the hypervisor's name and not the machine's. Only root administrators see it. */
  readonly hypervisorName: string | undefined;
  /** Names. Only with details `affgrp` or `all`. */
  readonly affinityGroups: readonly string[];
}

export interface Nic {
  readonly id: string;
  readonly networkId: string;
  readonly networkName: string;
  readonly isDefault: boolean;
  /** `Isolated`, `Shared` or `L2`. */
  readonly type: string;
  /** Undefined in L2 networks and while an address is not assigned yet. */
  readonly ipAddress: string | undefined;
  readonly ip6Address: string | undefined;
  readonly secondaryIps: readonly string[];
  readonly publicIp: string | undefined;
  readonly vpcId: string | undefined;
}

const secondaryIp: Decode<string> = object((fields) => fields.text('ipaddress'));

const affinityGroup: Decode<string> = object((fields) => fields.text('name'));

const nic: Decode<Nic> = object((fields) => ({
  id: fields.text('id'),
  networkId: fields.text('networkid'),
  networkName: fields.optionalText('networkname') ?? '',
  isDefault: fields.flag('isdefault'),
  type: fields.optionalText('type') ?? '',
  ipAddress: fields.optionalText('ipaddress'),
  ip6Address: fields.optionalText('ip6address'),
  secondaryIps: fields.list('secondaryip', secondaryIp),
  publicIp: fields.optionalText('publicip'),
  vpcId: fields.optionalText('vpcid'),
}));

export const virtualMachine: Decode<VirtualMachine> = object((fields) => ({
  id: fields.text('id'),
  name: fields.text('name'),
  displayName: fields.optionalText('displayname') ?? '',
  state: fields.text('state'),
  zoneId: fields.optionalText('zoneid') ?? '',
  zoneName: fields.optionalText('zonename') ?? '',
  serviceOfferingId: fields.optionalText('serviceofferingid'),
  serviceOfferingName: fields.optionalText('serviceofferingname'),
  nics: fields.list('nic', nic),
  publicIp: fields.optionalText('publicip'),
  tags: fields.list('tags', tag),
  hypervisorName: fields.optionalText('hostname'),
  affinityGroups: fields.list('affinitygroup', affinityGroup),
  ...owner(fields),
}));
