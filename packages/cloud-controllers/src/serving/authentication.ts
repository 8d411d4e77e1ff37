import type { X509Certificate } from 'node:crypto';

import { Secret, type Logger, type Scope } from '@cloudstack-ccm/base';

import type { AuthenticationConfig, CertificateTrust } from './authentication-config.ts';
import { subjectParts, type ClientAuthorities } from './client-authorities.ts';
import { ANONYMOUS, authenticated, type Identity } from './identity.ts';
import type { TokenReviewer } from './token-reviewer.ts';

/** Header values by lower-case name. */
type Headers = Readonly<Record<string, readonly string[] | undefined>>;

/** What a request shows of who sent it. */
export interface Credentials {
  readonly headers: Headers;
  /** What the client presented; undefined for nothing. */
  readonly certificate: X509Certificate | undefined;
  /** OpenSSL found the certificate's chain good. */
  readonly certificateIsGood: boolean;
}

/** The credentials are wrong: the answer is 401, also where anonymous requests are welcome. */
export const REFUSED = 'refused';

interface AuthenticatorOptions {
  readonly config: Pick<AuthenticationConfig, 'trust'>;
  /** Undefined when there is no API server to ask: bearer tokens are then not looked at. */
  readonly tokens: TokenReviewer | undefined;
  readonly log: Logger;
}

/** Tells who asks: by front proxy, by client certificate or by bearer token, in this order. */
export class Authenticator {
  readonly #options: AuthenticatorOptions;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  async identify(scope: Scope, credentials: Credentials): Promise<Identity | typeof REFUSED> {
    const { trust } = this.#options.config;
    const byCertificate = byProxy(trust, credentials) ?? byClient(trust, credentials);
    if (byCertificate) return authenticated(byCertificate);
    const token = bearerToken(credentials.headers);
    if (token && this.#options.tokens) return await this.#byToken(scope, token, this.#options.tokens);
    return isBad(trust, credentials) ? REFUSED : ANONYMOUS;
  }

  async #byToken(scope: Scope, token: Secret, tokens: TokenReviewer): Promise<Identity | typeof REFUSED> {
    try {
      const identity = await tokens.identify(scope, token);
      return identity ? authenticated(identity) : REFUSED;
    } catch (thrown) {
      this.#options.log.error('Unable to authenticate the request', thrown);
      return REFUSED;
    }
  }
}

function byProxy(trust: CertificateTrust, credentials: Credentials): Identity | undefined {
  const { headers, certificate } = credentials;
  if (!certificate || !isSignedBy(trust.proxies, credentials)) return undefined;
  const [proxy = ''] = subjectParts(certificate, 'CN');
  if (trust.proxyNames.length > 0 && !trust.proxyNames.includes(proxy)) return undefined;
  const user = first(headers, trust.userHeaders);
  if (user === undefined) return undefined;
  return {
    user,
    uid: first(headers, trust.uidHeaders) ?? '',
    groups: trust.groupHeaders.flatMap((name) => headers[name] ?? []),
    extra: extraOf(headers, trust.extraPrefixes),
  };
}

function byClient({ clients }: CertificateTrust, credentials: Credentials): Identity | undefined {
  const { certificate } = credentials;
  if (!certificate || !isSignedBy(clients, credentials)) return undefined;
  const [user] = subjectParts(certificate, 'CN');
  return user === undefined ? undefined : { user, uid: '', groups: subjectParts(certificate, 'O'), extra: {} };
}

function isSignedBy(authorities: ClientAuthorities, { certificate, certificateIsGood }: Credentials): boolean {
  return certificate !== undefined && certificateIsGood && authorities.signed(certificate);
}

/** A certificate that none of our authorities signed. Without authorities nobody looks at certificates. */
function isBad({ clients, proxies }: CertificateTrust, credentials: Credentials): boolean {
  if (!credentials.certificate || (clients.empty && proxies.empty)) return false;
  return !isSignedBy(clients, credentials) && !isSignedBy(proxies, credentials);
}

function bearerToken({ authorization }: Headers): Secret | undefined {
  const token = /^bearer +(\S+)$/i.exec(authorization?.[0]?.trim() ?? '')?.[1];
  return token === undefined ? undefined : new Secret(token);
}

function first(headers: Headers, names: readonly string[]): string | undefined {
  return names.flatMap((name) => headers[name] ?? []).find((value) => value !== '');
}

function extraOf(headers: Headers, prefixes: readonly string[]): Identity['extra'] {
  const entries = Object.keys(headers).flatMap((name) => {
    const prefix = prefixes.find((candidate) => name.startsWith(candidate));
    return prefix === undefined ? [] : [[decodeKey(name.slice(prefix.length)), headers[name] ?? []] as const];
  });
  return Object.fromEntries(entries);
}

function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
