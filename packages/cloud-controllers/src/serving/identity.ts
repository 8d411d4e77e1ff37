/** Who asks. */
export interface Identity {
  readonly user: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export const ANONYMOUS: Identity = {
  user: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
};

const AUTHENTICATED = 'system:authenticated';

/** Somebody who showed who they are. */
export function authenticated(identity: Identity): Identity {
  if (identity.groups.includes(AUTHENTICATED)) return identity;
  return { ...identity, groups: [...identity.groups, AUTHENTICATED] };
}
