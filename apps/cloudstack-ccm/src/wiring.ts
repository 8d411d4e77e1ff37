import { hostname } from 'node:os';
import { createMetrics, messageOf, systemClock, type Logger, type Metrics, type Verbosity } from '@cloudstack-ccm/base';
import {
  Manager,
  platform,
  type BuildInfo,
  type Cloud,
  type Options,
  type Reviewers,
} from '@cloudstack-ccm/cloud-controllers';
import { createCloudStackCloud, loadCloudConfig } from '@cloudstack-ccm/cloudstack-provider';
import { KubernetesClient, loadKubeconfig } from '@cloudstack-ccm/kubernetes';
import { FatalError } from './errors.ts';

/** The name of the Go controller, and the one of the Leaseweb fork. */
const PROVIDERS = new Set(['external-cloudstack', 'cloudstack']);

export interface Parts {
  readonly options: Options;
  readonly build: BuildInfo;
  readonly log: Logger;
  readonly verbosity: Verbosity;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Puts the parts together: cluster, cloud and manager. Nothing is asked of either yet.
 * @throws KubeconfigError when no cluster is configured; FatalError when the cloud provider cannot be used as told.
 */
export async function wire(parts: Parts): Promise<Manager> {
  const metrics = createMetrics();
  const client = await clusterClient(parts, metrics);
  const reviewers = await reviewingClients(parts, metrics);
  let manager: Manager | undefined;
  const cloud = await openCloud(parts, metrics, client, () => manager?.mayWrite() ?? false);
  manager = new Manager({ ...parts, metrics, client, reviewers, cloud, clock: systemClock });
  return manager;
}

async function clusterClient({ options, build, log }: Parts, metrics: Metrics): Promise<KubernetesClient> {
  const { kubeconfig, master } = options.misc;
  const { kubeApiQps: qps, kubeApiBurst: burst } = options.generic;
  const config = await loadKubeconfig({ kubeconfig, master, log });
  return new KubernetesClient({ config, userAgent: userAgent(build), log, metrics, qps, burst });
}

/** Who asks on the serving port, and what they may, is asked of the cluster that this process runs in, as in Go. */
async function reviewingClients({ options, build, log }: Parts, metrics: Metrics): Promise<Reviewers> {
  const open = async (kubeconfig: string): Promise<KubernetesClient | undefined> => {
    if (kubeconfig === '' && process.env['KUBERNETES_SERVICE_HOST'] === undefined) return undefined;
    const config = await loadKubeconfig({ kubeconfig, log });
    return new KubernetesClient({ config, userAgent: userAgent(build), log, metrics, qps: 200, burst: 400 });
  };
  return {
    authentication: await open(options.authentication.authenticationKubeconfig),
    authorization: await open(options.authorization.authorizationKubeconfig),
  };
}

/** As Go writes it: `<binary>/<version> (<os>/<arch>) kubernetes/<commit>`. */
function userAgent({ version, commit }: BuildInfo): string {
  return `cloudstack-ccm/${version} (${platform()}) kubernetes/${commit.slice(0, 7) || 'unknown'}`;
}

async function openCloud(
  { options, log, environment }: Parts,
  metrics: Metrics,
  client: KubernetesClient,
  mayWrite: () => boolean,
): Promise<Cloud> {
  const { cloudProvider, cloudConfig } = options.generic;
  if (cloudProvider === 'external') throw new FatalError('Cloud provider is nil');
  if (!PROVIDERS.has(cloudProvider)) {
    throw new FatalError(`Cloud provider could not be initialized: unknown cloud provider "${cloudProvider}"`);
  }
  try {
    const { config, warnings } = await loadCloudConfig(cloudConfig);
    for (const warning of warnings) log.warn(warning);
    return createCloudStackCloud({
      config,
      clock: systemClock,
      log,
      metrics,
      mayWrite,
      clusterUid: async (scope) => (await client.namespaces.get(scope, { name: 'kube-system' })).metadata.uid,
      configFile: cloudConfig,
      hostNames: hostNames(environment),
      environment,
    });
  } catch (thrown) {
    const why = `could not init cloud provider "${cloudProvider}": ${messageOf(thrown)}`;
    throw new FatalError(`Cloud provider could not be initialized: ${why}`);
  }
}

/** Names under which the machine that this process runs on may be known: a pod on the host's network has its name. */
function hostNames(environment: Parts['environment']): string[] {
  const names = [environment['NODE_NAME'], environment['HOSTNAME'], hostname()];
  return [...new Set(names.filter((name) => name !== undefined && name !== ''))] as string[];
}
