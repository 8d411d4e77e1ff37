import { object, type Decode, type Fields } from '../decode.ts';
import { owner, type Owner } from './owner.ts';
import { tag, type Tag } from './tag.ts';

export interface Network extends Owner {
  readonly id: string;
  readonly name: string;
  readonly zoneId: string;
  readonly zoneName: string;
  /** `Isolated`, `Shared` or `L2`. */
  readonly type: string;
  /** `Allocated`, `Implemented`, `Setup` … */
  readonly state: string;
  readonly cidr: string | undefined;
  readonly ip6Cidr: string | undefined;
  /** Set when the network is a tier of a VPC. */
  readonly vpcId: string | undefined;
  /** The network ACL list of a VPC tier; undefined when it has none. */
  readonly aclId: string | undefined;
  readonly aclName: string | undefined;
  readonly networkOfferingName: string;
  readonly networkOfferingConserveMode: boolean;
  /** By service name, for example `Lb`, `Firewall`, `NetworkACL`. */
  readonly services: ReadonlyMap<string, NetworkService>;
  readonly tags: readonly Tag[];
}

export interface NetworkService {
  readonly name: string;
  /** Empty on releases that do not tell. */
  readonly providers: readonly string[];
  /** Capability values by lower-case name: CloudStack's own spelling differs between releases. */
  readonly capabilities: ReadonlyMap<string, string>;
}

const provider: Decode<string> = object((fields) => fields.text('name'));

const capability: Decode<readonly [string, string]> = object((fields) => [
  fields.text('name').toLowerCase(),
  fields.optionalText('value') ?? '',
]);

const service: Decode<NetworkService> = object((fields) => ({
  name: fields.text('name'),
  providers: fields.list('provider', provider),
  capabilities: new Map(fields.list('capability', capability)),
}));

/** The services of a network or VPC. CloudStack lists them in another order each time. */
export function services(fields: Fields): ReadonlyMap<string, NetworkService> {
  return new Map(fields.list('service', service).map((one) => [one.name, one]));
}

export const network: Decode<Network> = object((fields) => ({
  id: fields.text('id'),
  name: fields.text('name'),
  zoneId: fields.optionalText('zoneid') ?? '',
  zoneName: fields.optionalText('zonename') ?? '',
  type: fields.optionalText('type') ?? '',
  state: fields.optionalText('state') ?? '',
  cidr: fields.optionalText('cidr'),
  ip6Cidr: fields.optionalText('ip6cidr'),
  vpcId: fields.optionalText('vpcid'),
  aclId: fields.optionalText('aclid'),
  aclName: fields.optionalText('aclname'),
  networkOfferingName: fields.optionalText('networkofferingname') ?? '',
  networkOfferingConserveMode: fields.flag('networkofferingconservemode'),
  services: services(fields),
  tags: fields.list('tags', tag),
  ...owner(fields),
}));
