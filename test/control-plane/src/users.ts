import { randomBytes } from 'node:crypto';
import { Secret } from '@cloudstack-ccm/base';

/** Someone the API server knows by a bearer token. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly token: Secret;
}

/** A user with a fresh token. */
export function user(name: string, groups: readonly string[] = []): User {
  return { name, groups, token: new Secret(randomBytes(24).toString('hex')) };
}

/** May do everything. */
export function administrator(): User {
  return user('admin', ['system:masters']);
}

/** A service account as the API server sees one: its rights come from the RBAC objects that name it. */
export function serviceAccount(namespace: string, name: string): User {
  return user(`system:serviceaccount:${namespace}:${name}`, [
    'system:serviceaccounts',
    `system:serviceaccounts:${namespace}`,
  ]);
}

/** The text of kube-apiserver's `--token-auth-file`. */
export function tokenFile(users: readonly User[]): string {
  const quote = (value: string): string => `"${value.replaceAll('"', '""')}"`;
  const line = ({ token, name, groups }: User): string =>
    [token.reveal(), quote(name), quote(name), quote(groups.join(','))].join(',');
  return users.map((entry) => `${line(entry)}\n`).join('');
}
