import { formatGoDuration } from '@cloudstack-ccm/base';

import { canonicalControllers } from './controller-names.ts';
import { addressWorkers, type Options } from './options.ts';

/** The one key of the answer of `/configz`. */
const CONFIGZ_KEY = 'cloudcontrollermanager.config.k8s.io';

/** The effective configuration in the form of the Go type CloudControllerManagerConfiguration. */
export function configz(options: Options): Readonly<Record<string, unknown>> {
  return {
    [CONFIGZ_KEY]: {
      kind: 'CloudControllerManagerConfiguration',
      apiVersion: `${CONFIGZ_KEY}/v1alpha1`,
      Generic: generic(options),
      KubeCloudShared: shared(options.generic),
      NodeController: {
        ConcurrentNodeSyncs: options.nodeController.concurrentNodeSyncs,
        ConcurrentNodeStatusUpdates: addressWorkers(options),
      },
      ServiceController: { ConcurrentServiceSyncs: options.serviceController.concurrentServiceSyncs },
      NodeStatusUpdateFrequency: formatGoDuration(options.misc.nodeStatusUpdateFrequency),
      Webhook: { Webhooks: options.webhook.webhooks.length > 0 ? options.webhook.webhooks : null },
    },
  };
}

function generic({ generic: flags, debugging, leaderMigration }: Options): Readonly<Record<string, unknown>> {
  return {
    Port: 0,
    Address: '0.0.0.0',
    MinResyncPeriod: formatGoDuration(flags.minResyncPeriod),
    ClientConnection: {
      kubeconfig: '',
      acceptContentTypes: '',
      contentType: flags.kubeApiContentType,
      qps: flags.kubeApiQps,
      burst: flags.kubeApiBurst,
    },
    ControllerStartInterval: formatGoDuration(flags.controllerStartInterval),
    LeaderElection: leaderElection(flags),
    Controllers: canonicalControllers(flags.controllers),
    Debugging: {
      enableProfiling: debugging.profiling,
      enableContentionProfiling: debugging.contentionProfiling,
    },
    LeaderMigrationEnabled: leaderMigration.enableLeaderMigration,
    LeaderMigration: { leaderName: '', resourceLock: '', controllerLeaders: null },
  };
}

function leaderElection(flags: Options['generic']): Readonly<Record<string, unknown>> {
  return {
    leaderElect: flags.leaderElect,
    leaseDuration: formatGoDuration(flags.leaderElectLeaseDuration),
    renewDeadline: formatGoDuration(flags.leaderElectRenewDeadline),
    retryPeriod: formatGoDuration(flags.leaderElectRetryPeriod),
    resourceLock: flags.leaderElectResourceLock,
    resourceName: flags.leaderElectResourceName,
    resourceNamespace: flags.leaderElectResourceNamespace,
  };
}

function shared(flags: Options['generic']): Readonly<Record<string, unknown>> {
  return {
    CloudProvider: { Name: flags.cloudProvider, CloudConfigFile: flags.cloudConfig },
    ExternalCloudVolumePlugin: flags.externalCloudVolumePlugin,
    UseServiceAccountCredentials: flags.useServiceAccountCredentials,
    AllowUntaggedCloud: flags.allowUntaggedCloud,
    RouteReconciliationPeriod: formatGoDuration(flags.routeReconciliationPeriod),
    NodeMonitorPeriod: formatGoDuration(flags.nodeMonitorPeriod),
    ClusterName: flags.clusterName,
    ClusterCIDR: flags.clusterCidr,
    AllocateNodeCIDRs: flags.allocateNodeCidrs,
    CIDRAllocatorType: flags.cidrAllocatorType,
    ConfigureCloudRoutes: flags.configureCloudRoutes,
    NodeSyncPeriod: formatGoDuration(flags.nodeSyncPeriod),
  };
}
