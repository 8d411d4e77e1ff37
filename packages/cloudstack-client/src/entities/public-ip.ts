import { object, type Decode } from '../decode.ts';
import { owner, type Owner } from './owner.ts';
import { tag, type Tag } from './tag.ts';

/**
 * A public IP address. Its id is the address's own: released and taken again, by whomever, it is the same. So the id
 * alone never proves that the address is still ours.
 */
export interface PublicIp extends Owner {
  readonly id: string;
  readonly ipAddress: string;
  /** `Free`, `Allocating`, `Allocated`, `Releasing` or `Reserved`. */
  readonly state: string;
  /** When it was allocated, as CloudStack writes it; undefined while it is free. */
  readonly allocated: string | undefined;
  readonly zoneId: string;
  /** The guest network it serves. A VPC's address has none until it carries a rule. */
  readonly associatedNetworkId: string | undefined;
  readonly associatedNetworkName: string | undefined;
  readonly vpcId: string | undefined;
  /** CloudStack's `networkid` of an address: the public network it comes from. */
  readonly publicNetworkId: string | undefined;
  readonly isSourceNat: boolean;
  readonly isStaticNat: boolean;
  readonly isSystem: boolean;
  readonly isPortable: boolean;
  readonly forVirtualNetwork: boolean;
  /** The target of a static NAT. */
  readonly virtualMachineId: string | undefined;
  /** Undefined before CloudStack 4.19. */
  readonly hasRules: boolean | undefined;
  readonly tags: readonly Tag[];
  /** A job that works on the address, for example its release. */
  readonly pendingJobId: string | undefined;
}

export const publicIp: Decode<PublicIp> = object((fields) => ({
  id: fields.text('id'),
  ipAddress: fields.text('ipaddress'),
  state: fields.optionalText('state') ?? '',
  allocated: fields.optionalText('allocated'),
  zoneId: fields.optionalText('zoneid') ?? '',
  associatedNetworkId: fields.optionalText('associatednetworkid'),
  associatedNetworkName: fields.optionalText('associatednetworkname'),
  vpcId: fields.optionalText('vpcid'),
  publicNetworkId: fields.optionalText('networkid'),
  isSourceNat: fields.flag('issourcenat'),
  isStaticNat: fields.flag('isstaticnat'),
  isSystem: fields.flag('issystem'),
  isPortable: fields.flag('isportable'),
  forVirtualNetwork: fields.flag('forvirtualnetwork'),
  virtualMachineId: fields.optionalText('virtualmachineid'),
  hasRules: fields.optionalText('hasrules') === undefined ? undefined : fields.flag('hasrules'),
  tags: fields.list('tags', tag),
  pendingJobId: fields.optionalText('jobid'),
  ...owner(fields),
}));
