import {
  boolFlag,
  durationFlag,
  flag,
  float32Flag,
  int32Flag,
  stringFlag,
  stringListFlag,
  type FlagGroup,
} from '@cloudstack-ccm/base';

import { CONTROLLER_ALIASES, CONTROLLER_NAMES } from './controller-names.ts';
import { describeGates, featureGatesType } from './feature-gates.ts';
import { loggingFlags } from './logging-flags.ts';
import { authenticationFlags, authorizationFlags, secureServingFlags, webhookServingFlags } from './serving-flags.ts';
import { versionFlag } from './version-flag.ts';

const NO_EFFECT = 'Accepted for compatibility; it has no effect here.';
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export const debuggingFlags = {
  contentionProfiling: boolFlag('contention-profiling', false, `Enable block profiling. ${NO_EFFECT}`),
  profiling: boolFlag('profiling', true, 'Serve /debug/flags/v, where the log verbosity can be changed.'),
};

export const leaderMigrationFlags = {
  enableLeaderMigration: boolFlag(
    'enable-leader-migration',
    false,
    `Whether to enable controller leader migration. ${NO_EFFECT}`,
  ),
  leaderMigrationConfig: stringFlag(
    'leader-migration-config',
    '',
    `Path to the config file for controller leader migration. ${NO_EFFECT}`,
  ),
};

export const genericFlags = {
  allocateNodeCidrs: boolFlag('allocate-node-cidrs', false, `Should CIDRs for pods be allocated. ${NO_EFFECT}`),
  allowUntaggedCloud: boolFlag('allow-untagged-cloud', false, 'Allow a cloud without cluster ID to start.', {
    deprecated: 'This flag is deprecated and will be removed in a future release. A cluster ID is not needed here.',
  }),
  cidrAllocatorType: stringFlag('cidr-allocator-type', 'RangeAllocator', `Type of CIDR allocator. ${NO_EFFECT}`),
  cloudConfig: stringFlag('cloud-config', '', 'The path to the cloud provider configuration file.'),
  cloudProvider: stringFlag('cloud-provider', '', 'The provider for cloud services. Must not be empty.'),
  clusterCidr: stringFlag('cluster-cidr', '', `CIDR range for pods, for cloud routes. ${NO_EFFECT}`),
  clusterName: stringFlag('cluster-name', 'kubernetes', 'The instance prefix for the cluster.'),
  configureCloudRoutes: boolFlag(
    'configure-cloud-routes',
    true,
    'Should routes be configured in the cloud. CloudStack supports none, so this only changes what the log says.',
  ),
  controllerStartInterval: durationFlag(
    'controller-start-interval',
    0,
    'Pause between starting one controller and the next; the real pause is up to twice as long, at random.',
  ),
  controllers: stringListFlag(
    'controllers',
    ['*'],
    `A list of controllers to enable. '*' enables all on-by-default controllers, 'foo' enables the controller named ` +
      `'foo', '-foo' disables the controller named 'foo'.\nAll controllers: ${CONTROLLER_NAMES.join(', ')}\n` +
      `Aliases: ${Object.keys(CONTROLLER_ALIASES).join(', ')}`,
  ),
  externalCloudVolumePlugin: stringFlag('external-cloud-volume-plugin', '', `Volume plugin. ${NO_EFFECT}`),
  featureGates: flag(
    featureGatesType,
    'feature-gates',
    {},
    `A set of key=value pairs that describe feature gates for alpha/experimental features. Options are:\n${describeGates()}`,
  ),
  kubeApiBurst: int32Flag(
    'kube-api-burst',
    400,
    'Burst to use while talking with the Kubernetes API server. The framework has 30.',
  ),
  kubeApiContentType: stringFlag(
    'kube-api-content-type',
    'application/vnd.kubernetes.protobuf',
    'Content type of requests sent to the API server. Accepted for compatibility; requests are always JSON.',
  ),
  kubeApiQps: float32Flag(
    'kube-api-qps',
    200,
    'Requests per second to use while talking with the Kubernetes API server; negative for no limit. The framework has 20, ' +
      'with which a thousand new Services take minutes; the API server protects itself by priority and fairness.',
  ),
  leaderElect: boolFlag(
    'leader-elect',
    true,
    'Start a leader election client and gain leadership before the main loop. Enable this when running replicated.',
  ),
  leaderElectLeaseDuration: durationFlag(
    'leader-elect-lease-duration',
    15 * SECOND,
    'How long replicas that do not lead wait, after they saw a renewal, before they try to take over.',
  ),
  leaderElectRenewDeadline: durationFlag(
    'leader-elect-renew-deadline',
    10 * SECOND,
    'How long the leader tries to renew its lease before it stops leading. Must be shorter than the lease duration.',
  ),
  leaderElectResourceLock: stringFlag(
    'leader-elect-resource-lock',
    'leases',
    "The type of resource object that is used for locking. Supported: 'leases'.",
  ),
  leaderElectResourceName: stringFlag(
    'leader-elect-resource-name',
    'cloud-controller-manager',
    'The name of the resource object that is used for locking.',
  ),
  leaderElectResourceNamespace: stringFlag(
    'leader-elect-resource-namespace',
    'kube-system',
    'The namespace of the resource object that is used for locking.',
  ),
  leaderElectRetryPeriod: durationFlag(
    'leader-elect-retry-period',
    2 * SECOND,
    'How long to wait between tries to take or to renew the lease.',
  ),
  minResyncPeriod: durationFlag(
    'min-resync-period',
    12 * HOUR,
    'All objects are looked at again after a time between this and twice this.',
  ),
  nodeMonitorPeriod: durationFlag(
    'node-monitor-period',
    5 * SECOND,
    'Pause between two passes that look for the machines of nodes that are not ready.',
  ),
  nodeSyncPeriod: durationFlag('node-sync-period', 0, 'No effect.', {
    deprecated: 'This flag is deprecated and has no effect.',
  }),
  routeReconciliationPeriod: durationFlag(
    'route-reconciliation-period',
    10 * SECOND,
    `The period for reconciling routes. ${NO_EFFECT}`,
  ),
  useServiceAccountCredentials: boolFlag(
    'use-service-account-credentials',
    false,
    'Use individual service account credentials for each controller. ' +
      'Accepted for compatibility; all controllers use one identity here.',
  ),
};

export const nodeControllerFlags = {
  concurrentNodeStatusUpdates: int32Flag(
    'concurrent-node-status-updates',
    0,
    'How many nodes get their addresses updated at a time; 0 for the value of --concurrent-node-syncs.',
  ),
  concurrentNodeSyncs: int32Flag('concurrent-node-syncs', 1, 'How many nodes are initialised at a time.'),
};

export const serviceControllerFlags = {
  concurrentServiceSyncs: int32Flag(
    'concurrent-service-syncs',
    50,
    'How many Services are worked on at a time, those that wait their turn in the cloud not counted. The Go framework ' +
      'has 1; here the cloud itself limits what hinders each other, so that a slow Service holds up only its neighbours.',
  ),
};

export const webhookFlags = {
  webhooks: stringListFlag('webhooks', [], 'A list of webhooks to enable. There are none to name.'),
};

export const miscFlags = {
  kubeconfig: stringFlag('kubeconfig', '', 'Path to a kubeconfig file; empty for the service account of the pod.'),
  master: stringFlag('master', '', 'The address of the Kubernetes API server (overrides any value in kubeconfig).'),
  nodeStatusUpdateFrequency: durationFlag(
    'node-status-update-frequency',
    5 * MINUTE,
    'How often the addresses of all nodes are compared with the cloud.',
  ),
};

export const globalFlags = {
  help: boolFlag('help', false, 'help for cloud-controller-manager', { shorthand: 'h' }),
  version: versionFlag,
  ...loggingFlags,
};

export const deletionGuardFlags = {
  holdCount: int32Flag(
    'node-deletion-hold-count',
    3,
    'Node deletion is held when more nodes than this, and more than --node-deletion-hold-percent of all nodes, lose ' +
      'their machines at once.',
  ),
  holdPercent: int32Flag('node-deletion-hold-percent', 20, 'See --node-deletion-hold-count.'),
  holdWindow: durationFlag(
    'node-deletion-hold-window',
    MINUTE,
    'Nodes that were deleted within this time still count as lost at once.',
  ),
};

/** All flags in the order in which the help shows them. */
export const FLAG_GROUPS: readonly FlagGroup[] = [
  { title: 'Debugging', flags: debuggingFlags },
  { title: 'Leader-migration', flags: leaderMigrationFlags },
  { title: 'Generic', flags: genericFlags },
  { title: 'Cloud-node-controller', flags: nodeControllerFlags },
  { title: 'Service-lb-controller', flags: serviceControllerFlags },
  { title: 'Webhook', flags: webhookFlags },
  { title: 'Webhook serving', flags: webhookServingFlags },
  { title: 'Secure serving', flags: secureServingFlags },
  { title: 'Authentication', flags: authenticationFlags },
  { title: 'Authorization', flags: authorizationFlags },
  { title: 'Misc', flags: miscFlags },
  { title: 'Global', flags: globalFlags },
  { title: 'Node deletion guard', flags: deletionGuardFlags },
];
