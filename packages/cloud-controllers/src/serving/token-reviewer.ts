import { createHash } from 'node:crypto';

import type { Clock, Scope, Secret } from '@cloudstack-ccm/base';
import type { KubernetesClient, TokenReviewStatus } from '@cloudstack-ccm/kubernetes';

import { ExpiringCache } from './expiring-cache.ts';
import type { Identity } from './identity.ts';

const TIMEOUT_MS = 10_000;

/** Asks the API server who a bearer token belongs to, and remembers the answer for a while. */
export class TokenReviewer {
  readonly #client: Pick<KubernetesClient, 'reviewToken'>;
  readonly #ttlMs: number;
  readonly #cache: ExpiringCache<Promise<TokenReviewStatus>>;

  constructor(client: Pick<KubernetesClient, 'reviewToken'>, ttlMs: number, clock: Clock) {
    this.#client = client;
    this.#ttlMs = ttlMs;
    this.#cache = new ExpiringCache(clock);
  }

  /** @returns undefined when the token is nobody's. @throws when the API server cannot be asked. */
  async identify(scope: Scope, token: Secret): Promise<Identity | undefined> {
    const { authenticated, user } = await this.#review(scope, token);
    if (!authenticated) return undefined;
    return { user: user.username, uid: user.uid, groups: user.groups, extra: user.extra };
  }

  /** Requests with one token that come at once share one review; failures are remembered too. */
  #review(scope: Scope, token: Secret): Promise<TokenReviewStatus> {
    const key = createHash('sha256').update(token.reveal()).digest('base64');
    const known = this.#cache.get(key);
    if (known) return known;
    const review = this.#ask(scope, token);
    this.#cache.set(key, review, this.#ttlMs);
    return review;
  }

  async #ask(scope: Scope, token: Secret): Promise<TokenReviewStatus> {
    using within = scope.withDeadline(TIMEOUT_MS, 'the review of a bearer token');
    return await this.#client.reviewToken(within, token);
  }
}
