import type { Row } from '../table.ts';
import type { Owned } from './identity.ts';

export type VirtualMachineState =
  | 'Starting'
  | 'Running'
  | 'Stopping'
  | 'Stopped'
  | 'Destroyed'
  | 'Expunging'
  | 'Migrating'
  | 'Error'
  | 'Unknown'
  | 'Shutdown'
  | 'Restoring';

export interface SecondaryIp {
  readonly id: string;
  readonly address: string;
}

export interface Nic {
  readonly id: string;
  readonly networkId: string;
  readonly deviceId: number;
  readonly isDefault: boolean;
  readonly macAddress: string;
  /** Absent in layer 2 networks. */
  readonly ipAddress?: string;
  readonly ip6Address?: string;
  readonly secondaryIps: readonly SecondaryIp[];
}

export interface VirtualMachine extends Row, Owned {
  /** The host name. */
  readonly name: string;
  readonly displayname: string;
  readonly userId: string;
  readonly zoneId: string;
  readonly state: VirtualMachineState;
  readonly serviceOfferingId: string;
  readonly templateId: string;
  /** Ordered by device id. */
  readonly nics: readonly Nic[];
  readonly hostId?: string;
  /** The host it last ran on; set once it has run. */
  readonly lastHostId?: string;
  readonly group?: string;
  /** There are no commands that make groups; scenes and tests put machines into some. */
  readonly affinityGroups?: readonly { readonly id: string; readonly name: string }[];
  readonly keypair?: string;
  readonly userdata?: string;
  readonly details: Readonly<Record<string, string>>;
  readonly haEnabled: boolean;
  readonly created: number;
  readonly lastUpdated?: number;
  /** When it was destroyed: the clean-up expunges it some time later. */
  readonly destroyed?: number;
  /** When it was expunged. The row stays. */
  readonly removed?: number;
}
