import { hostname } from 'node:os';

import { systemClock, type Logger, type Metrics } from '@cloudstack-ccm/base';
import type { CommandLine } from '@cloudstack-ccm/cloud-controllers';
import { createCloudStackCloud, loadCloudConfig, type CloudStackCloud } from '@cloudstack-ccm/cloudstack-provider';
import type { KubernetesClient } from '@cloudstack-ccm/kubernetes';

import { clusterUid } from './clients.ts';
import { CloudError } from './errors.ts';
import { cloudStackFlags } from './flags.ts';

/** `cloudstack` is what manifests of a fork say. */
const NAMES = new Set(['external-cloudstack', 'cloudstack']);

export interface CloudOptions {
  readonly commandLine: CommandLine;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly client: KubernetesClient;
  readonly mayWrite: () => boolean;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** The cloud that `--cloud-provider` names. @throws CloudError when its configuration cannot be used. */
export async function openCloud({ commandLine, env, client, ...rest }: CloudOptions): Promise<CloudStackCloud> {
  const { cloudProvider, cloudConfig: configFile } = commandLine.options.generic;
  if (cloudProvider === 'external') throw new CloudError('Cloud provider is nil');
  if (!NAMES.has(cloudProvider)) throw CloudError.of(new Error(`unknown cloud provider "${cloudProvider}"`));
  const flags = commandLine.values(cloudStackFlags);
  const { allowUnknownKeys, servicesPerNetwork, allowSourceNat } = flags;
  const accessRules = flags.accessRules === 'none' ? 'none' : 'all';
  try {
    const { config, warnings } = await loadCloudConfig(configFile, {
      allowUnknown: allowUnknownKeys,
      environment: env,
    });
    for (const warning of warnings) rest.log.warn(warning);
    return createCloudStackCloud({
      ...rest,
      config,
      configFile,
      allowUnknownKeys,
      clock: systemClock,
      clusterUid: (scope) => clusterUid(scope, client),
      hostNames: hostNames(env),
      environment: env,
      loadBalancers: { servicesPerNetwork, allowSourceNat, accessRules },
    });
  } catch (thrown) {
    throw CloudError.of(thrown, cloudProvider);
  }
}

/** Names under which the machine that this process runs on may be known: a pod on the host's network has its name. */
function hostNames(env: CloudOptions['env']): readonly string[] {
  const names = [env['NODE_NAME'] ?? '', env['HOSTNAME'] ?? '', hostname()];
  return [...new Set(names.filter((name) => name !== ''))];
}
