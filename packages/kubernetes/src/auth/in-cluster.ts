import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '@cloudstack-ccm/base';
import { KubeconfigError } from '../errors.ts';
import type { ClusterConfig } from './cluster-config.ts';
import { FileToken } from './token-source.ts';

/** Where kubelet puts a pod's service account. */
const SERVICE_ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface InClusterOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Default: where kubelet puts it. */
  readonly serviceAccountFolder?: string;
}

/** The configuration of a process that runs in a pod. @throws KubeconfigError when it does not. */
export async function inClusterConfig(options: InClusterOptions): Promise<ClusterConfig> {
  const { env, clock, serviceAccountFolder: folder = SERVICE_ACCOUNT_FOLDER } = options;
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '' } = env;
  if (host === '' || port === '') {
    throw new KubeconfigError(
      'unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined',
    );
  }
  const token = new FileToken(join(folder, 'token'), clock);
  await token.current();
  const ca = join(folder, 'ca.crt');
  return {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    tls: {
      ca: (await readable(ca)) ? { file: ca } : undefined,
      insecureSkipVerify: false,
      serverName: undefined,
      clientCertificate: undefined,
    },
    token,
    namespace: (await textOf(join(folder, 'namespace')))?.trim() ?? 'default',
    origin: 'in-cluster',
  };
}

async function readable(path: string): Promise<boolean> {
  return (await textOf(path)) !== undefined;
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
