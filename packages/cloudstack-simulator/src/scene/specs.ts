import type { Account, AccountType, GuestType, User, VirtualMachineState } from '../state.ts';

/** Ids may be given; without, they come from the seed. */
export interface Named {
  readonly id?: string;
  readonly name: string;
}

export interface AccountSpec extends Named {
  /** Path of a domain that is there, for example `ROOT/tenants`. Default `ROOT`. */
  readonly domain?: string;
  readonly type?: Exclude<AccountType, 'project'>;
  /** Commands allowed or denied on top of the type's defaults. */
  readonly rules?: readonly { readonly command: string; readonly allow: boolean }[];
  readonly userId?: string;
  readonly password?: string;
  readonly apiKey?: string;
  readonly secretKey?: string;
}

export interface Credentials {
  readonly account: Account;
  readonly user: User;
  readonly apiKey: string;
  readonly secretKey: string;
}

export interface ZoneSpec extends Named {
  /** Public addresses, first and last. Default `203.0.113.10` to `203.0.113.200`. */
  readonly publicRange?: readonly [first: string, last: string];
  readonly dns1?: string;
}

export interface NetworkSpec extends Named {
  /** Account or project; an account of another domain as `ROOT/tenants/name`. */
  readonly owner: string;
  readonly zone?: string;
  readonly offering?: string;
  readonly cidr?: string;
  /** Name of the VPC it is a tier of. */
  readonly vpc?: string;
  /** Name of the network ACL list of a tier. */
  readonly acl?: string;
  readonly displaytext?: string;
  readonly vlan?: number;
  readonly ip6Cidr?: string;
  /** Has its router already. Default true; a network made by API is not. */
  readonly implemented?: boolean;
}

export interface VpcSpec extends Named {
  readonly owner: string;
  readonly zone?: string;
  readonly cidr?: string;
  readonly offering?: string;
}

export interface VirtualMachineSpec extends Named {
  readonly owner: string;
  /** Names; the first is the default one. */
  readonly networks: readonly string[];
  readonly displayname?: string;
  readonly state?: VirtualMachineState;
  readonly offering?: string;
  /** In its first network. */
  readonly ipAddress?: string;
}

export interface NetworkOfferingSpec extends Named {
  /** Default `Isolated`. */
  readonly guestType?: GuestType;
  /** Names of services, for example `Lb`, `Firewall`, `SourceNat`. */
  readonly services: readonly string[];
  /** Who provides them. Default the router of its kind. */
  readonly provider?: string;
  readonly forVpc?: boolean;
  /** One address may serve several purposes. Default true. */
  readonly conserveMode?: boolean;
  /** Routed networks have no NAT and no load balancing. */
  readonly routed?: boolean;
}

export interface VpcOfferingSpec extends Named {
  readonly services: readonly string[];
  /** One address may serve several tiers (4.23 and later). Default false. */
  readonly conserveMode?: boolean;
}
