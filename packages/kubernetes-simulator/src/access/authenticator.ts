import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import { unauthorized } from '../errors.ts';
import { anonymousAdministrator, AUTHENTICATED, type PolicyRule, type TokenUser, type User } from './user.ts';

/** Tells who sends a request: by bearer token or by client certificate. */
export class Authenticator {
  readonly #tokens = new Map<string, TokenUser>();
  readonly #required: boolean;

  /** @param tokens without any, and without a certificate, everybody is administrator. */
  constructor(tokens: Readonly<Record<string, TokenUser>> | undefined) {
    this.#required = tokens !== undefined;
    for (const [token, user] of Object.entries(tokens ?? {})) this.#tokens.set(token, user);
  }

  /** @throws ApiError Unauthorized */
  authenticate(request: IncomingMessage): User {
    const user = this.identify(request);
    if (!user) throw unauthorized();
    return user;
  }

  /** Who sends a request, if that can be told. */
  identify(request: IncomingMessage): User | undefined {
    const token = bearerOf(request);
    if (token !== undefined && this.#required) return this.byToken(token);
    const known = token === undefined ? undefined : this.byToken(token);
    return known ?? certifiedUser(request) ?? (this.#required ? undefined : anonymousAdministrator);
  }

  byToken(token: string): User | undefined {
    const found = this.#tokens.get(token);
    return found && { name: found.user, uid: found.uid ?? '', groups: [...(found.groups ?? []), AUTHENTICATED] };
  }

  /** A new token for a service account. */
  issue(namespace: string, name: string, uid: string): string {
    const token = randomBytes(24).toString('base64url');
    const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
    this.#tokens.set(token, { user: `system:serviceaccount:${namespace}:${name}`, uid, groups });
    return token;
  }

  /** The first token of a user. */
  tokenOf(user: string): string | undefined {
    return [...this.#tokens].find(([, found]) => found.user === user)?.[0];
  }

  /** The rules that were given with a user's tokens. */
  rulesOf(user: string): readonly PolicyRule[] {
    return [...this.#tokens.values()].filter((found) => found.user === user).flatMap(({ rules }) => rules ?? []);
  }
}

function bearerOf({ headers }: IncomingMessage): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** A certificate names its user as CN and the groups as O. */
function certifiedUser({ socket }: IncomingMessage): User | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const { subject }: Partial<PeerCertificate> = socket.getPeerCertificate();
  if (!subject?.CN) return undefined;
  const groups: string[] = [subject.O ?? []].flat();
  return { name: subject.CN, uid: '', groups: [...groups, AUTHENTICATED] };
}
