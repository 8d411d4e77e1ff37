import type { Row } from '../table.ts';

/** A row that belongs to an account. A project owns through its own pseudo account. */
export interface Owned {
  readonly accountId: string;
}

export interface Domain extends Row {
  readonly name: string;
  /** From the root down, for example `ROOT/tenants`. */
  readonly path: string;
  readonly parentId?: string;
  /** Name appended to machine names in networks of the domain. */
  readonly networkDomain?: string;
}

export type RoleType = 'Admin' | 'ResourceAdmin' | 'DomainAdmin' | 'User';

export interface Role extends Row {
  readonly name: string;
  readonly type: RoleType;
  readonly description?: string;
  readonly isDefault: boolean;
  /** Asked in order before the defaults of the role's type; the first whose name (or `*` pattern) matches decides. */
  readonly rules: readonly RoleRule[];
}

export interface RoleRule {
  readonly id: string;
  readonly command: string;
  readonly allow: boolean;
}

export type AccountType = 'user' | 'admin' | 'domain-admin' | 'project';

export type AccountState = 'enabled' | 'disabled' | 'locked';

export interface Account extends Row {
  readonly name: string;
  readonly domainId: string;
  readonly type: AccountType;
  readonly roleId: string;
  readonly state: AccountState;
  readonly created: number;
}

export interface User extends Row, Owned {
  readonly username: string;
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string;
  readonly password?: string;
  readonly timezone?: string;
  readonly state: AccountState;
  readonly apiKey?: string;
  readonly secretKey?: string;
  /** From 4.23: pairs besides the first. */
  readonly furtherKeys?: readonly KeyPair[];
  readonly created: number;
}

export interface KeyPair {
  readonly id: string;
  readonly name: string;
  readonly apiKey: string;
  readonly secretKey: string;
  /** The pair works from then on, and until then. Milliseconds since the epoch. */
  readonly from?: number;
  readonly until?: number;
  /** Narrow what the role allows. */
  readonly rules: readonly RoleRule[];
}

/** `accountId` is the pseudo account that owns the project's things. */
export interface Project extends Row, Owned {
  readonly name: string;
  readonly displaytext: string;
  readonly domainId: string;
  readonly state: 'Active' | 'Disabled' | 'Suspended';
  readonly members: readonly ProjectMember[];
  readonly created: number;
}

interface ProjectMember {
  readonly accountId: string;
  readonly role: 'Admin' | 'Regular';
}
