/** Who sends a request. */
export interface User {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
}

/** A rule of RBAC: what it allows. `*` stands for everything in a list. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  /** Plural names, `services/status` for a subresource. */
  readonly resources?: readonly string[];
  /** Only these objects. */
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  /** Only in this namespace. Without it, everywhere. */
  readonly namespace?: string;
}

/** What a token stands for. */
export interface TokenUser {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  /** What the user may do, besides what roles in the API allow. */
  readonly rules?: readonly PolicyRule[];
}

export const ADMINISTRATORS = 'system:masters';
export const AUTHENTICATED = 'system:authenticated';

/** Who sends requests where nobody has to show who they are. */
export const anonymousAdministrator: User = {
  name: 'kubernetes-admin',
  uid: '',
  groups: [ADMINISTRATORS, AUTHENTICATED],
};
