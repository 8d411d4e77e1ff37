export type {
  Cloud,
  DeletionLimits,
  InstanceMetadata,
  Instances,
  LoadBalancerIngress,
  LoadBalancers,
  LoadBalancerStatus,
  NodeAddress,
  NodeAddressType,
  NodeView,
  Notice,
  ReadyNodes,
  RetryAfter,
  ServiceContext,
  ServicePort,
  ServiceProtocol,
  ServiceView,
  Sighting,
  Sightings,
} from './cloud.ts';
export { CleanupError, ManagerError, MissingProviderIdError, ServingError, SyncError } from './errors.ts';
export { CONFIRM_DELETION } from './lifecycle/held-deletions.ts';
export { Manager, type ManagerOptions } from './manager/manager.ts';
export type { ManagerState } from './manager/manager-state.ts';
export type { Reviewers } from './manager/serving.ts';
export { platform, versionText, withReportedVersion, type BuildInfo } from './options/build-info.ts';
export { helpText, usageText } from './options/help.ts';
export { readCommandLine, type CommandLine, type Options } from './options/options.ts';
export { validateLogging, validateOptions } from './options/validate.ts';
