import type { Row } from '../table.ts';
import type { Owned } from './identity.ts';
import type { GuestType } from './zone.ts';

type NetworkState = 'Allocated' | 'Setup' | 'Implementing' | 'Implemented' | 'Shutdown' | 'Destroy';

export interface Network extends Row, Owned {
  readonly name: string;
  readonly displaytext: string;
  readonly zoneId: string;
  readonly offeringId: string;
  readonly guestType: GuestType;
  readonly aclType: 'Account' | 'Domain';
  /** For networks of a domain: the domain whose accounts may use it. */
  readonly domainId?: string;
  readonly subdomainAccess?: boolean;
  readonly state: NetworkState;
  /** Absent in layer 2 networks. */
  readonly gateway?: string;
  readonly netmask?: string;
  readonly cidr?: string;
  /** First and last address for machines, where it is not the whole network. */
  readonly guestRange?: readonly [string, string];
  readonly ip6Gateway?: string;
  readonly ip6Cidr?: string;
  readonly vlan?: number;
  readonly networkDomain?: string;
  /** Name servers, where they are not the zone's. */
  readonly dns1?: string;
  readonly dns2?: string;
  /** The address to take for source NAT, where it is not the next that is free. */
  readonly sourceNatAddress?: string;
  readonly vpcId?: string;
  readonly aclListId?: string;
  readonly restartRequired: boolean;
  /** Hardware addresses given out so far. */
  readonly macsGiven?: number;
  readonly created: number;
  /** When it was removed. The row stays: "removed" and "never existed" are different answers. */
  readonly removed?: number;
}

export interface Vpc extends Row, Owned {
  readonly name: string;
  readonly displaytext: string;
  readonly zoneId: string;
  readonly cidr: string;
  readonly offeringId: string;
  readonly networkDomain?: string;
  /** Name servers, where they are not the zone's. */
  readonly dns1?: string;
  readonly dns2?: string;
  /** The address to take for source NAT, where it is not the next that is free. */
  readonly sourceNatAddress?: string;
  /** Largest frame of the router's public interface, in bytes. Default 1500. */
  readonly publicMtu?: number;
  readonly state: 'Enabled' | 'Inactive';
  readonly restartRequired: boolean;
  readonly created: number;
  readonly removed?: number;
}

/** The virtual router of a network or of a VPC. It exists from the first machine start (VPC: from the creation) on. */
export interface Router extends Row, Owned {
  readonly name: string;
  readonly zoneId: string;
  /** Exactly one of the two. */
  readonly networkId?: string;
  readonly vpcId?: string;
  readonly state: 'Starting' | 'Running' | 'Stopped';
  readonly created: number;
}
