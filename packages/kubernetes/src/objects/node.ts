import type { KubernetesObject } from './metadata.ts';

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  /** RFC 3339; kept so that a taint list can be written back whole. */
  readonly timeAdded?: string;
}

export interface NodeAddress {
  readonly type: string;
  readonly address: string;
}

export interface NodeCondition {
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
}

/** The fields of a Node that the controllers read. */
export interface Node extends KubernetesObject {
  readonly spec: {
    readonly providerID: string;
    readonly unschedulable: boolean;
    readonly taints: readonly Taint[];
  };
  readonly status: {
    readonly addresses: readonly NodeAddress[];
    readonly conditions: readonly NodeCondition[];
  };
}
