import { messageOf, systemClock, type Logger, type Metrics, type Scope } from '@cloudstack-ccm/base';
import { platform, type BuildInfo, type Options, type Reviewers } from '@cloudstack-ccm/cloud-controllers';
import {
  inClusterConfig,
  KubernetesClient,
  loadKubeconfig,
  StatusError,
  type ClusterConfig,
} from '@cloudstack-ccm/kubernetes';

export interface ClientOptions {
  readonly options: Options;
  readonly build: BuildInfo;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Reviews are asked for by whoever reads the endpoint, so they get a budget of their own. */
const REVIEW_LIMITS = { qps: 200, burst: 400 };

/** The client of the cluster that this program works for. @throws KubeconfigError */
export async function mainClient(given: ClientOptions): Promise<KubernetesClient> {
  const { options, env, log } = given;
  const { kubeconfig, master } = options.misc;
  const { kubeApiQps: qps, kubeApiBurst: burst } = options.generic;
  return clientOf(given, await loadKubeconfig({ kubeconfig, master, env, log }), { qps, burst });
}

/** Who is asked about those who read the endpoint: a kubeconfig of its own, else the cluster the pod is in, else nobody. */
export async function reviewers(given: ClientOptions): Promise<Reviewers> {
  const { authentication, authorization } = given.options;
  return {
    authentication: await reviewer(given, 'authentication', authentication.authenticationKubeconfig),
    authorization: await reviewer(given, 'authorization', authorization.authorizationKubeconfig),
  };
}

async function reviewer(given: ClientOptions, what: string, kubeconfig: string): Promise<KubernetesClient | undefined> {
  const { env, log } = given;
  if (kubeconfig !== '') return clientOf(given, await loadKubeconfig({ kubeconfig, env, log }), REVIEW_LIMITS);
  try {
    return clientOf(given, await inClusterConfig({ env, clock: systemClock }), REVIEW_LIMITS);
  } catch (thrown) {
    log.warn(`No --${what}-kubeconfig was given, and this is no pod: nobody is asked for ${what}`, {
      err: messageOf(thrown),
    });
    return undefined;
  }
}

function clientOf(
  { build, log, metrics }: ClientOptions,
  config: ClusterConfig,
  limits: { readonly qps: number; readonly burst: number },
): KubernetesClient {
  const commit = build.commit.slice(0, 7) || 'unknown';
  const userAgent = `cloudstack-ccm/${build.version} (${platform()}) kubernetes/${commit}`;
  return new KubernetesClient({ config, userAgent, log, metrics, ...limits });
}

/** The UID of `kube-system` stands for the cluster; undefined when it must not be read. */
export async function clusterUid(scope: Scope, client: KubernetesClient): Promise<string | undefined> {
  try {
    return (await client.namespaces.get(scope, { name: 'kube-system' })).metadata.uid;
  } catch (thrown) {
    if (thrown instanceof StatusError && (thrown.isForbidden || thrown.isNotFound)) return undefined;
    throw thrown;
  }
}
