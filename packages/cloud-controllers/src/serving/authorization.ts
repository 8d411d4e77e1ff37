import { InvalidInputError, type Clock, type Scope } from '@cloudstack-ccm/base';
import type { KubernetesClient } from '@cloudstack-ccm/kubernetes';

import { ExpiringCache } from './expiring-cache.ts';
import type { Identity } from './identity.ts';

export interface Access {
  readonly allowed: boolean;
  /** Why not; empty when nobody said. */
  readonly reason: string;
}

interface AuthorizerOptions {
  /** Undefined when there is no API server to ask: what is not always allowed is then forbidden. */
  readonly client: Pick<KubernetesClient, 'reviewAccess'> | undefined;
  readonly alwaysAllowPaths: readonly string[];
  readonly allowedTtlMs: number;
  readonly deniedTtlMs: number;
  readonly clock: Clock;
}

const ALLOWED: Access = { allowed: true, reason: '' };
const DENIED: Access = { allowed: false, reason: '' };
const TIMEOUT_MS = 10_000;

/** Tells who may ask for what: administrators for all, everybody for some paths, others as the API server says. */
export class Authorizer {
  readonly #options: AuthorizerOptions;
  readonly #isOpen: (path: string) => boolean;
  readonly #cache: ExpiringCache<Access>;

  /** @throws InvalidInputError for a path that cannot be matched. */
  constructor(options: AuthorizerOptions) {
    this.#options = options;
    this.#isOpen = pathMatcher(options.alwaysAllowPaths);
    this.#cache = new ExpiringCache(options.clock);
  }

  /** @throws when the API server cannot be asked. */
  async mayAsk(scope: Scope, identity: Identity, path: string, verb: string): Promise<Access> {
    if (identity.groups.includes('system:masters') || this.#isOpen(path)) return ALLOWED;
    if (!this.#options.client) return DENIED;
    const key = JSON.stringify([identity, path, verb]);
    const known = this.#cache.get(key);
    if (known) return known;
    const access = await this.#review(scope, identity, path, verb);
    const { allowedTtlMs, deniedTtlMs } = this.#options;
    this.#cache.set(key, access, access.allowed ? allowedTtlMs : deniedTtlMs);
    return access;
  }

  async #review(scope: Scope, identity: Identity, path: string, verb: string): Promise<Access> {
    using within = scope.withDeadline(TIMEOUT_MS, 'the review of an access');
    const status = await this.#options.client?.reviewAccess(within, {
      ...identity,
      nonResourceAttributes: { path, verb },
    });
    return status ? { allowed: status.allowed, reason: status.reason } : DENIED;
  }
}

/** Paths exactly, or by prefix where they end in `*`; a leading slash may be left out. */
function pathMatcher(paths: readonly string[]): (path: string) => boolean {
  const trimmed = paths.map((path) => path.replace(/^\//, ''));
  for (const path of trimmed) {
    if (path.slice(0, -1).includes('*'))
      throw new InvalidInputError(`only trailing * allowed in ${JSON.stringify(path)}`);
  }
  const exact = new Set(trimmed.filter((path) => !path.endsWith('*')));
  const prefixes = trimmed.filter((path) => path.endsWith('*')).map((path) => path.slice(0, -1));
  return (path) => {
    const name = path.replace(/^\//, '');
    return exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
  };
}
