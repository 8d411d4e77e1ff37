import { InvalidInputError } from '@cloudstack-ccm/base';

/** Where the releases differ in what they do. What they merely have or lack says `since` on the parameter or field. */
export interface VersionProfile {
  /** For example `4.20`. */
  readonly name: string;
  /** What `cloudstackversion` says. */
  readonly version: string;
  /** createLoadBalancerRule with `cidrlist`: refused up to 4.17, stored since. */
  readonly ruleCidrList: 'refused' | 'stored';
  /** updateLoadBalancerRule knows `cidrlist`, and applies a changed protocol at once. */
  readonly updateCidrList: boolean;
  /** The code for a command outside the caller's role. */
  readonly roleDenial: 401 | 432;
  /** Most objects name `domainpath`. */
  readonly domainPath: boolean;
  /** Jobs name `account`, `domainid` and `domainpath`. */
  readonly jobOwner: boolean;
  /** Pending jobs name `managementserverid`. */
  readonly jobServer: boolean;
  /** Root is not counted by the rate limit. */
  readonly rootUnthrottled: boolean;
  /** The virtual router refuses udp load balancing. */
  readonly routerRefusesUdp: boolean;
  /** Firewall rules on VPC addresses, if the VPC offering has the service. */
  readonly vpcFirewall: boolean;
  /** VPC offerings may be in conserve mode. */
  readonly vpcConserveMode: boolean;
  /** The virtual router ends TLS. */
  readonly routerSsl: boolean;
  /** createLoadBalancerRule refuses a network that is not the address's own. */
  readonly refusesOtherNetwork: boolean;
  /** The state that the result of associateIpAddress shows. */
  readonly associatedState: 'Allocating' | 'Allocated';
  /** listNetworks names the providers of services. */
  readonly serviceProviders: boolean;
  /** Several key pairs for one user. */
  readonly severalKeys: boolean;
}

const OLDEST: VersionProfile = {
  name: '4.14',
  version: '4.14.1.0',
  ruleCidrList: 'refused',
  updateCidrList: false,
  roleDenial: 401,
  domainPath: false,
  jobOwner: false,
  jobServer: false,
  rootUnthrottled: false,
  routerRefusesUdp: true,
  vpcFirewall: false,
  vpcConserveMode: false,
  routerSsl: false,
  refusesOtherNetwork: false,
  associatedState: 'Allocating',
  serviceProviders: false,
  severalKeys: false,
};

/** What each release changed, oldest first. A profile is everything up to and including its own line. */
const CHANGES: readonly Partial<VersionProfile>[] = [
  { name: '4.15', version: '4.15.2.0' },
  { name: '4.16', version: '4.16.1.0' },
  { name: '4.17', version: '4.17.2.0', associatedState: 'Allocated', serviceProviders: true },
  { name: '4.18', version: '4.18.2.0', ruleCidrList: 'stored', roleDenial: 432, rootUnthrottled: true },
  { name: '4.19', version: '4.19.3.0', jobServer: true },
  { name: '4.20', version: '4.20.0.0', jobOwner: true },
  { name: '4.21', version: '4.21.0.0', domainPath: true },
  { name: '4.22', version: '4.22.0.0', updateCidrList: true, routerSsl: true },
  { name: '4.22.1', version: '4.22.1.0', refusesOtherNetwork: true },
  { name: '4.23', version: '4.23.0.0', vpcFirewall: true, vpcConserveMode: true, severalKeys: true },
];

/** All profiles, oldest first. */
export const versionProfiles: readonly VersionProfile[] = profiles();

function profiles(): VersionProfile[] {
  const all = [OLDEST];
  for (const change of CHANGES) all.push({ ...OLDEST, ...all.at(-1), ...change });
  return all;
}

/** @throws InvalidInputError for a version without a profile. */
export function versionProfile(name?: string): VersionProfile {
  const profile = name === undefined ? versionProfiles.at(-1) : versionProfiles.find((one) => one.name === name);
  if (profile) return profile;
  const known = versionProfiles.map((one) => one.name).join(', ');
  throw new InvalidInputError(`There is no profile for CloudStack ${name}. Take one of ${known}.`);
}

/** True if something that came with release `since` is there. Absent means it has always been. */
export function supports(profile: VersionProfile, since: string | undefined): boolean {
  return since === undefined || compareVersions(profile.version, since) >= 0;
}

function compareVersions(left: string, right: string): number {
  // Parts may end in words: 4.20.0.0-SNAPSHOT.
  const numbers = (version: string): number[] => version.split('.').map((part) => Number.parseInt(part, 10) || 0);
  const [a, b] = [numbers(left), numbers(right)];
  for (let part = 0; part < Math.max(a.length, b.length); part++) {
    const difference = (a[part] ?? 0) - (b[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
