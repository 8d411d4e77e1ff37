import type { Row } from '../table.ts';

type PublicIpState = 'Free' | 'Allocating' | 'Allocated' | 'Releasing' | 'Reserved';

/** A public address. It keeps its UUID through release and acquisition, whoever gets it. */
export interface PublicIp extends Row {
  readonly address: string;
  readonly zoneId: string;
  readonly state: PublicIpState;
  /** The owner; absent while Free. */
  readonly accountId?: string;
  readonly networkId?: string;
  readonly vpcId?: string;
  readonly isSourceNat: boolean;
  /** The machine behind it, if static NAT is on. */
  readonly staticNat?: StaticNat;
  readonly isPortable: boolean;
  /** Used by system machines: never given out. */
  readonly isSystem: boolean;
  /** The system machine that uses it. */
  readonly systemMachine?: SystemMachine;
  /** Released, and kept for its former owner for a while. */
  readonly quarantine?: Quarantine;
  readonly allocated?: number;
}

/** A console proxy, or a machine that serves secondary storage. Only addresses name it. */
export interface SystemMachine {
  readonly id: string;
  readonly name: string;
  readonly type: 'ConsoleProxy' | 'SecondaryStorageVm';
}

interface StaticNat {
  readonly virtualMachineId: string;
  readonly guestAddress: string;
}

interface Quarantine {
  readonly formerAccountId: string;
  readonly until: number;
}
