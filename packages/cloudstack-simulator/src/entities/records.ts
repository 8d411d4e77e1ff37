import type { Row } from '../table.ts';
import type { Owned } from './identity.ts';

/** A tag. Those of a load balancer rule outlive it. */
export interface Tag extends Row, Owned {
  /** In canonical case, for example `PublicIpAddress`. */
  readonly resourceType: string;
  readonly resourceId: string;
  readonly key: string;
  readonly value: string;
  readonly customer?: string;
}

export interface Event extends Row, Owned {
  readonly type: string;
  readonly level: 'INFO' | 'WARN' | 'ERROR';
  readonly state: 'Created' | 'Scheduled' | 'Started' | 'Completed';
  readonly description: string;
  readonly userId: string;
  readonly created: number;
  readonly resourceId?: string;
  readonly resourceType?: string;
  readonly parentId?: string;
}

/** `accountId` is the caller's account. */
export interface Job extends Row, Owned {
  readonly userId: string;
  readonly command: string;
  /** The Java class that the answer names. */
  readonly commandClass: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly resultCode: number;
  /** What `jobresult` holds; absent while pending and when a restart cut the job. */
  readonly result?: unknown;
  readonly instanceType?: string;
  readonly instanceId?: string;
  /** The network or machine whose jobs run one at a time. */
  readonly queue?: string;
  readonly created: number;
  readonly completed?: number;
  /** True for a job that a management server restart cut. */
  readonly interrupted: boolean;
}
