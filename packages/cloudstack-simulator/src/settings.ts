/** Global settings of the management server, under the meaning they have there. */
export interface Settings {
  /** `default.page.size`: most items in one answer. */
  readonly defaultPageSize: number;
  /** `max.account.public.ips`; -1 is no limit, as in all that follow up to `maxAccountVpcs`. */
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
  /** `job.cancel.threshold.minutes`: what holds up a queue for longer is cancelled. */
  readonly jobCancelThresholdMinutes: number;
  /** `enforce.post.requests.and.timestamps` (4.21 and later). */
  readonly enforcePostAndTimestamps: boolean;
  /** `session.timeout`, in minutes. */
  readonly sessionTimeoutMinutes: number;
  /** `guest.domain.suffix`: what follows `cs<account number>` in the domain of a network without one of its own. */
  readonly guestDomainSuffix: string;
}

/** What a quota says when there is none. CloudStack takes any negative number so. */
export function isUnlimited(limit: number): boolean {
  return limit < 0;
}

/** Whether a quota leaves no room for one more. */
export function isReached(limit: number, current: number): boolean {
  return !isUnlimited(limit) && current >= limit;
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
  jobCancelThresholdMinutes: 60,
  enforcePostAndTimestamps: false,
  sessionTimeoutMinutes: 30,
  guestDomainSuffix: 'cloud.internal',
};

/** The settings by their names in CloudStack. */
export const SETTING_NAMES: Readonly<Record<string, keyof Settings>> = {
  'default.page.size': 'defaultPageSize',
  'max.account.public.ips': 'maxAccountPublicIps',
  'max.project.public.ips': 'maxProjectPublicIps',
  'max.account.user.vms': 'maxAccountVirtualMachines',
  'max.account.networks': 'maxAccountNetworks',
  'max.account.vpcs': 'maxAccountVpcs',
  'vpc.max.networks': 'maxTiersPerVpc',
  'api.throttling.enabled': 'throttlingEnabled',
  'api.throttling.interval': 'throttlingIntervalSeconds',
  'api.throttling.max': 'throttlingMax',
  'expunge.delay': 'expungeDelaySeconds',
  'allow.user.expunge.recover.vm': 'allowUserExpungeRecoverVm',
  'allow.user.view.destroyed.vm': 'allowUserViewDestroyedVm',
  'network.loadbalancer.haproxy.stats.port': 'haproxyStatsPort',
  'public.ip.address.quarantine.duration': 'quarantineMinutes',
  'job.expire.minutes': 'jobExpireMinutes',
  'job.cancel.threshold.minutes': 'jobCancelThresholdMinutes',
  'enforce.post.requests.and.timestamps': 'enforcePostAndTimestamps',
  'session.timeout': 'sessionTimeoutMinutes',
  'guest.domain.suffix': 'guestDomainSuffix',
};

/** The settings with one changed, by its name in CloudStack; undefined if there is none such or the value can't be. */
export function withSetting(settings: Settings, name: string, text: string): Settings | undefined {
  const field = SETTING_NAMES[name];
  if (field === undefined) return undefined;
  const value = parseLike(settings[field], text);
  return value === undefined ? undefined : { ...settings, [field]: value };
}

function parseLike(sample: Settings[keyof Settings], text: string): Settings[keyof Settings] | undefined {
  if (typeof sample === 'string') return text;
  if (typeof sample === 'number') return /^-?\d+$/.test(text) ? Number(text) : undefined;
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}
