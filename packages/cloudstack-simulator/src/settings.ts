/** Global settings of the management server, under the meaning they have there. */
export interface Settings {
  /** `default.page.size`: most items in one answer. */
  readonly defaultPageSize: number;
  /** `max.account.public.ips` */
  readonly maxAccountPublicIps: number;
  /** `max.project.public.ips` */
  readonly maxProjectPublicIps: number;
  /** `max.account.user.vms` */
  readonly maxAccountVirtualMachines: number;
  /** `max.account.networks` */
  readonly maxAccountNetworks: number;
  /** `max.account.vpcs` */
  readonly maxAccountVpcs: number;
  /** `vpc.max.networks`: tiers in one VPC. */
  readonly maxTiersPerVpc: number;
  /** `api.throttling.enabled` */
  readonly throttlingEnabled: boolean;
  /** `api.throttling.interval`, in seconds. */
  readonly throttlingIntervalSeconds: number;
  /** `api.throttling.max`: calls in one interval. */
  readonly throttlingMax: number;
  /** `expunge.delay`, in seconds. */
  readonly expungeDelaySeconds: number;
  /** `allow.user.expunge.recover.vm` */
  readonly allowUserExpungeRecoverVm: boolean;
  /** `allow.user.view.destroyed.vm` */
  readonly allowUserViewDestroyedVm: boolean;
  /** `network.loadbalancer.haproxy.stats.port` */
  readonly haproxyStatsPort: number;
  /** `public.ip.address.quarantine.duration`, in minutes; 0 is off. */
  readonly quarantineMinutes: number;
  /** `job.expire.minutes`: finished jobs are forgotten after it. */
  readonly jobExpireMinutes: number;
  /** `enforce.post.requests.and.timestamps` (4.21 and later). */
  readonly enforcePostAndTimestamps: boolean;
  /** `session.timeout`, in minutes. */
  readonly sessionTimeoutMinutes: number;
  /** `guest.domain.suffix`: what follows `cs<account number>` in the domain of a network without one of its own. */
  readonly guestDomainSuffix: string;
}

/** CloudStack's own defaults. */
export const defaultSettings: Settings = {
  defaultPageSize: 500,
  maxAccountPublicIps: 20,
  maxProjectPublicIps: 20,
  maxAccountVirtualMachines: 20,
  maxAccountNetworks: 20,
  maxAccountVpcs: 20,
  maxTiersPerVpc: 3,
  throttlingEnabled: false,
  throttlingIntervalSeconds: 1,
  throttlingMax: 25,
  expungeDelaySeconds: 86_400,
  allowUserExpungeRecoverVm: false,
  allowUserViewDestroyedVm: false,
  haproxyStatsPort: 8081,
  quarantineMinutes: 0,
  jobExpireMinutes: 1440,
  enforcePostAndTimestamps: false,
  sessionTimeoutMinutes: 30,
  guestDomainSuffix: 'cloud.internal',
};
