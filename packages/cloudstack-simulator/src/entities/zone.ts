import type { Row } from '../table.ts';

export interface Zone extends Row {
  readonly name: string;
  readonly networkType: 'Basic' | 'Advanced';
  readonly securityGroupsEnabled: boolean;
  readonly allocationState: 'Enabled' | 'Disabled';
  readonly dns1: string;
  readonly internalDns1: string;
  readonly guestCidr: string;
  readonly zoneToken: string;
  readonly physicalNetworkId: string;
  /** The network that public addresses are in; it has no name and is never listed. */
  readonly publicNetworkId: string;
  /** The VLAN of the public addresses, which only root sees. */
  readonly publicVlan: { readonly id: string; readonly tag: number };
  readonly description?: string;
}

export interface Host extends Row {
  readonly name: string;
  readonly zoneId: string;
  readonly pod: Place;
  readonly cluster: Place;
  readonly state: 'Up' | 'Down';
  readonly created: number;
}

/** A pod, or a cluster of hosts in it: of both only the name and the id show. */
interface Place {
  readonly id: string;
  readonly name: string;
}

export interface ServiceOffering extends Row {
  readonly name: string;
  readonly displaytext: string;
  readonly cpuNumber: number;
  readonly cpuSpeed: number;
  /** In MB. */
  readonly memory: number;
  /** For the installation's own machines: nobody can choose it, and no list of offerings shows it. */
  readonly isSystem?: boolean;
  readonly created: number;
}

export interface Template extends Row {
  readonly name: string;
  readonly displaytext: string;
  readonly osTypeId: string;
  readonly osDisplayName: string;
  readonly passwordEnabled: boolean;
  readonly state: 'Active' | 'Inactive';
  readonly created: number;
}

/** One service of an offering: the providers that may serve it, first is used. */
export interface Service {
  readonly name: string;
  readonly providers: readonly string[];
}

export type GuestType = 'Isolated' | 'Shared' | 'L2';

export interface NetworkOffering extends Row {
  readonly name: string;
  readonly displaytext: string;
  readonly guestType: GuestType;
  readonly state: 'Enabled' | 'Disabled';
  readonly availability: 'Required' | 'Optional';
  readonly isDefault: boolean;
  readonly conserveMode: boolean;
  readonly forVpc: boolean;
  readonly specifyIpRanges: boolean;
  readonly specifyVlan: boolean;
  readonly egressDefaultPolicy: boolean;
  readonly services: readonly Service[];
  /** A routed network has no NAT and no load balancing. */
  readonly routed: boolean;
  readonly created: number;
}

export interface VpcOffering extends Row {
  readonly name: string;
  readonly displaytext: string;
  readonly isDefault: boolean;
  readonly state: 'Enabled' | 'Disabled';
  readonly services: readonly Service[];
  /** From 4.23: one address may serve several tiers. */
  readonly conserveMode: boolean;
  readonly nsxMode?: 'NATTED' | 'ROUTED';
  readonly created: number;
}
