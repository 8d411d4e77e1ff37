import type { Clock, Logger, Metrics, Scope, Verbosity } from '@cloudstack-ccm/base';
import type { KubernetesClient } from '@cloudstack-ccm/kubernetes';

import { configz } from '../options/configz.ts';
import type { Options } from '../options/options.ts';
import { AuthenticationConfig } from '../serving/authentication-config.ts';
import { Authenticator } from '../serving/authentication.ts';
import { Authorizer } from '../serving/authorization.ts';
import { CertificateStore } from '../serving/certificates.ts';
import type { HealthChecks } from '../serving/health.ts';
import { HttpsEndpoint } from '../serving/https-endpoint.ts';
import { servedPaths } from '../serving/paths.ts';
import { TokenReviewer } from '../serving/token-reviewer.ts';

/** The API servers that are asked who somebody is and what they may; undefined for none. */
export interface Reviewers {
  readonly authentication: KubernetesClient | undefined;
  readonly authorization: KubernetesClient | undefined;
}

export interface ServingOptions {
  readonly options: Options;
  readonly reviewers: Reviewers;
  readonly health: HealthChecks;
  readonly live: HealthChecks;
  readonly ready: HealthChecks;
  readonly verbosity: Verbosity;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/**
 * Binds the port and serves; undefined when `--secure-port` is 0. The port answers before the API server has been
 * asked for the authentication configuration, so that probes do not depend on it.
 * @throws ServingError
 */
export async function startServing(scope: Scope, serving: ServingOptions): Promise<HttpsEndpoint | undefined> {
  const { options, reviewers, log, clock } = serving;
  const { secureServing: flags, authentication: auth } = options;
  if (flags.securePort === 0) return undefined;
  const config = new AuthenticationConfig(auth, log);
  const { authentication } = reviewers;
  const endpoint = await HttpsEndpoint.start(scope, {
    flags,
    certificates: new CertificateStore(flags, clock.now()),
    authentication: config,
    authenticator: new Authenticator({
      config,
      tokens: authentication && new TokenReviewer(authentication, auth.tokenCacheTtl, clock),
      log,
    }),
    authorizer: authorizer(serving),
    paths: servedPaths({
      ...serving,
      configuration: configz(options),
      profiling: options.debugging.profiling,
    }),
    log,
  });
  log.info(`Serving securely on ${flags.bindAddress}:${endpoint.port}`);
  await config.start(scope, authentication);
  return endpoint;
}

function authorizer({ options, reviewers, clock }: ServingOptions): Authorizer {
  const { alwaysAllowPaths, authorizedTtl, unauthorizedTtl } = options.authorization;
  return new Authorizer({
    client: reviewers.authorization,
    alwaysAllowPaths,
    allowedTtlMs: authorizedTtl,
    deniedTtlMs: unauthorizedTtl,
    clock,
  });
}
