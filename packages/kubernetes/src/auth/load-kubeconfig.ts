import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Clock, type Logger, messageOf, silentLogger, systemClock } from '@cloudstack-ccm/base';
import { KubeconfigError } from '../errors.ts';
import type { ClusterConfig } from './cluster-config.ts';
import { inClusterConfig } from './in-cluster.ts';
import {
  type Kubeconfig,
  type KubeconfigCluster,
  type KubeconfigUser,
  mergeKubeconfigs,
  readKubeconfig,
} from './kubeconfig-file.ts';
import { FileToken, fixedToken, type TokenSource } from './token-source.ts';

export interface LoadKubeconfigOptions {
  /** A kubeconfig's path, as `--kubeconfig` gives it. */
  readonly kubeconfig?: string;
  /** The API server's URL, as `--master` gives it: it replaces the kubeconfig's. */
  readonly master?: string;
  /** Default: the kubeconfig's current context. */
  readonly context?: string;
  /** Default: the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly log?: Logger;
  readonly clock?: Clock;
  /** Default: where kubelet puts a pod's service account. */
  readonly serviceAccountFolder?: string;
}

type Filled = LoadKubeconfigOptions & Required<Pick<LoadKubeconfigOptions, 'env' | 'log' | 'clock'>>;

const NOTHING_CONFIGURED =
  'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable';

/**
 * Finds the API server and the credentials: flags first, then the pod's service account, then `KUBECONFIG`,
 * `~/.kube/config` and `KUBERNETES_MASTER`.
 * @throws KubeconfigError
 */
export async function loadKubeconfig(options: LoadKubeconfigOptions = {}): Promise<ClusterConfig> {
  const filled = { env: process.env, log: silentLogger, clock: systemClock, ...options };
  const { kubeconfig = '', master = '' } = options;
  if (kubeconfig !== '') return useContext(await readKubeconfig(kubeconfig), filled, kubeconfig);
  if (master !== '') return serverOnly(master, '--master');
  return (await fromPod(filled)) ?? (await fromDefaultFiles(filled)) ?? fromMasterVariable(filled);
}

async function fromPod({ env, log, clock, serviceAccountFolder }: Filled): Promise<ClusterConfig | undefined> {
  log.warn('Neither --kubeconfig nor --master was specified.  Using the inClusterConfig.  This might not work.');
  try {
    return await inClusterConfig({ env, clock, ...(serviceAccountFolder !== undefined && { serviceAccountFolder }) });
  } catch (thrown) {
    log.warn(`error creating inClusterConfig, falling back to default config: ${messageOf(thrown)}`);
    return undefined;
  }
}

async function fromDefaultFiles(options: Filled): Promise<ClusterConfig | undefined> {
  const { KUBECONFIG = '', HOME = homedir() } = options.env;
  const listed = KUBECONFIG.split(delimiter).filter((path) => path !== '');
  const paths = await existing(listed.length > 0 ? listed : [join(HOME, '.kube', 'config')]);
  if (paths.length === 0) return undefined;
  const files = await Promise.all(paths.map((path) => readKubeconfig(path)));
  return useContext(mergeKubeconfigs(files), options, paths.join(delimiter));
}

function fromMasterVariable({ env }: Filled): ClusterConfig {
  const master = env['KUBERNETES_MASTER'] ?? '';
  if (master === '') throw new KubeconfigError(NOTHING_CONFIGURED);
  return serverOnly(master, 'KUBERNETES_MASTER');
}

/** As kubectl does, files of KUBECONFIG that do not exist are passed over. */
async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      try {
        await access(path);
        return [path];
      } catch {
        return [];
      }
    }),
  );
  return found.flat();
}

function serverOnly(server: string, origin: string): ClusterConfig {
  const tls = { ca: undefined, insecureSkipVerify: false, serverName: undefined, clientCertificate: undefined };
  return { server: absoluteUrl(server, false), tls, token: undefined, namespace: 'default', origin };
}

function useContext(config: Kubeconfig, options: Filled, origin: string): ClusterConfig {
  const name = options.context ?? config.currentContext;
  const context = config.contexts.get(name);
  if (!context) {
    if (name !== '') throw new KubeconfigError(`context was not found for specified context: ${name} (in ${origin})`);
    if (options.master !== undefined && options.master !== '') return serverOnly(options.master, '--master');
    throw new KubeconfigError(NOTHING_CONFIGURED);
  }
  const cluster = entry(config.clusters, 'cluster', context.cluster, origin);
  // A context may name no user: then nothing but the connection authenticates.
  const user = context.user === '' ? { unsupported: [] } : entry(config.users, 'user', context.user, origin);
  return assemble({ cluster, user, namespace: context.namespace || 'default', origin, options });
}

function entry<V extends { readonly unsupported: readonly string[] }>(
  entries: ReadonlyMap<string, V>,
  what: string,
  name: string,
  origin: string,
): V {
  const found = entries.get(name);
  if (!found) throw new KubeconfigError(`invalid configuration: ${what} "${name}" does not exist in ${origin}`);
  if (found.unsupported.length > 0) {
    throw new KubeconfigError(
      `${what} "${name}" in ${origin} uses ${found.unsupported.join(', ')}, which this program does not support: ` +
        'use a client certificate, a token or a tokenFile, and a direct connection',
    );
  }
  return found;
}

interface Parts {
  readonly cluster: KubeconfigCluster;
  readonly user: KubeconfigUser;
  readonly namespace: string;
  readonly origin: string;
  readonly options: Filled;
}

function assemble({ cluster, user, namespace, origin, options }: Parts): ClusterConfig {
  const { certificate, key } = user;
  if ((certificate === undefined) !== (key === undefined)) {
    throw new KubeconfigError(`a user in ${origin} has only one of client-certificate and client-key: both are needed`);
  }
  const server = (options.master ?? '') || cluster.server;
  if (server === '') throw new KubeconfigError(`invalid configuration: no server found for the cluster in ${origin}`);
  const secured = cluster.ca !== undefined || cluster.insecureSkipVerify || certificate !== undefined;
  return {
    server: absoluteUrl(server, secured),
    tls: {
      ca: cluster.ca,
      insecureSkipVerify: cluster.insecureSkipVerify,
      serverName: cluster.serverName,
      clientCertificate: certificate && key && { certificate, key },
    },
    token: tokenOf(user, options.clock),
    namespace,
    origin,
  };
}

/** A token file wins over a token, as in client-go. */
function tokenOf({ token, tokenFile }: KubeconfigUser, clock: Clock): TokenSource | undefined {
  if (tokenFile !== undefined) return new FileToken(tokenFile, clock);
  return token && fixedToken(token);
}

/** `host:port` alone means HTTPS if anything about TLS is configured, else HTTP: client-go's rule. */
function absoluteUrl(server: string, secured: boolean): string {
  const url = /^https?:\/\//.test(server) ? server : `${secured ? 'https' : 'http'}://${server}`;
  if (!URL.canParse(url)) throw new KubeconfigError(`the API server's address ${JSON.stringify(server)} is no URL`);
  return url.replace(/\/+$/, '');
}
