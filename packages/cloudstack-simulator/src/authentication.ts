import { unauthenticated } from './api-error.ts';
import type { Caller } from './call.ts';
import { parseExpires } from './signature.ts';
import type { Account, RoleRule, State, User } from './state.ts';

/** The caller behind a user. @throws ApiError 401 if user or account may not log in. */
export function callerOf(state: State, user: User | undefined): Caller {
  const account = user && state.accounts.get(user.accountId);
  const domain = account && state.domains.get(account.domainId);
  const role = account && state.roles.get(account.roleId);
  if (!account || !domain || !role || !active(user, account)) throw unauthenticated();
  return { user, account, domain, role };
}

function active(user: User, account: Account): boolean {
  return user.state === 'enabled' && account.state === 'enabled';
}

/** The secret that goes with one of a user's keys. @throws ApiError 401 outside of the time that the pair is for. */
export function secretFor(user: User, apiKey: string, now: number): string {
  const pair = user.furtherKeys?.find((one) => one.apiKey === apiKey);
  if (!pair) return user.secretKey ?? '';
  if (now < (pair.from ?? 0) || now >= (pair.until ?? Infinity)) throw unauthenticated();
  return pair.secretKey;
}

/** What one of a user's keys may do, besides what the role says; undefined for a key without limits. */
export function rulesOf(user: User, apiKey: string | undefined): readonly RoleRule[] | undefined {
  const rules = user.furtherKeys?.find((one) => one.apiKey === apiKey)?.rules ?? [];
  return rules.length > 0 ? rules : undefined;
}

/** The longest that `expires` may lie ahead where the server insists on it. */
const FURTHEST_EXPIRY_MS = 15 * 60_000;

/** @throws ApiError 401 for a request that is too old, or does not say when it ends to be valid. */
export function checkExpiry(parameters: ReadonlyMap<string, string>, now: number, enforced: boolean): void {
  if (parameters.get('signatureversion') !== '3') {
    if (enforced) throw unauthenticated();
    return;
  }
  const expires = parseExpires(parameters.get('expires'));
  if (expires === undefined || expires < now) throw unauthenticated();
  if (enforced && expires > now + FURTHEST_EXPIRY_MS) throw unauthenticated();
}
