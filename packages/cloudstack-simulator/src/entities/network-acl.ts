import type { Row } from '../table.ts';
import type { RuleState } from './rules.ts';

export interface AclList extends Row {
  readonly name: string;
  readonly description?: string;
  /** Absent for the two default lists and for global ones. */
  readonly vpcId?: string;
  /** `default_allow` and `default_deny`, which nobody can change. */
  readonly isDefault: boolean;
}

export interface AclItem extends Row {
  readonly listId: string;
  /** As the caller spelt it. */
  readonly protocol: string;
  readonly startPort?: number;
  readonly endPort?: number;
  readonly cidrs: readonly string[];
  readonly icmpType?: number;
  readonly icmpCode?: number;
  readonly trafficType: 'Ingress' | 'Egress';
  readonly number: number;
  readonly action: 'Allow' | 'Deny';
  readonly reason?: string;
  readonly state: RuleState;
}
