import type { World } from '@cloudstack-ccm/cloudstack-simulator';
import type { Cloud, CloudOptions } from './cloud.ts';
import { isolatedScene, projectScene } from './cloud.ts';
import { withCloud } from './with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

const VERSIONS = ['4.14', '4.18', '4.20', '4.22', '4.23'] as const;

const SOURCE_LISTS = {
  '4.14': 'refused',
  '4.18': 'made anew',
  '4.20': 'made anew',
  '4.22': 'in place',
  '4.23': 'in place',
} as const satisfies Readonly<Record<Version, Place['sourceLists']>>;

const CHANGES_IN_PLACE: ReadonlySet<Version> = new Set(['4.22', '4.23']);

/** Where Services live. */
const KINDS = [
  'an isolated network',
  'an isolated network of a project',
  'a tier of a VPC',
  'a tier of a VPC with the Firewall service',
  'a tier of a VPC of a project',
  'a tier of a VPC of a project with the Firewall service',
] as const;

type Kind = (typeof KINDS)[number];

const WORLDS: Readonly<Record<Kind, (world: World) => void>> = {
  'an isolated network': isolatedScene,
  'an isolated network of a project': projectScene,
  'a tier of a VPC': (world: World) => tier(world, {}),
  'a tier of a VPC with the Firewall service': (world: World) => tier(world, { offering: 'with firewall' }),
  'a tier of a VPC of a project': (world: World) => tier(world, {}, 'team'),
  'a tier of a VPC of a project with the Firewall service': (world: World) =>
    tier(world, { offering: 'with firewall' }, 'team'),
};

function tier(world: World, offering: { readonly offering?: string }, owner = 'k8s'): void {
  const services = ['SourceNat', 'Lb', 'Firewall', 'PortForwarding', 'StaticNat', 'Dhcp', 'Dns'];
  world.zone({ name: 'zone-a', publicRange: ['203.0.113.10', '203.0.113.60'] });
  world.account({ name: 'k8s' });
  if (owner !== 'k8s') world.project({ name: owner, owner: 'k8s' });
  world.vpcOffering({ name: 'with firewall', services });
  world.networkOffering({ name: 'with firewall', services, forVpc: true, conserveMode: false });
  world.vpc({ name: 'vpc-1', owner, cidr: '10.2.0.0/16', ...offering });
  world.aclList({ name: 'acl-custom', vpc: 'vpc-1' });
  const acl = offering.offering === undefined ? { acl: 'acl-custom' } : {};
  world.network({ name: 'net-tier', owner, vpc: 'vpc-1', cidr: '10.2.1.0/24', ...offering, ...acl });
  for (const name of NODES) world.virtualMachine({ name, owner, networks: ['net-tier'] });
}

export type Version = (typeof VERSIONS)[number];

export interface Place {
  readonly where: Kind;
  readonly version: Version;
  /** What opens ports: a firewall, or a network ACL list. */
  readonly access: 'firewall' | 'acl';
  /** What becomes of the source list of a rule: it is not taken, changed by a rule made anew, or changed in place. */
  readonly sourceLists: 'refused' | 'made anew' | 'in place';
  /** Changes of a rule until its router speaks another protocol. */
  readonly protocolChange: readonly string[];
  /** Whom addresses are associated with. */
  readonly associates: 'networkid' | 'vpcid';
  /** Name of the project that everything belongs to. */
  readonly project: string | undefined;
  readonly options: CloudOptions;
}

/** Every kind of network on every release that has it. */
export const PLACES: readonly Place[] = VERSIONS.flatMap((version) =>
  KINDS.filter((where) => version === '4.23' || !where.includes('Firewall')).map((where) => place(where, version)),
);

function place(where: Kind, version: Version): Place {
  const project = where.includes('project') ? 'team' : undefined;
  return {
    where,
    version,
    access: where.includes('VPC') && !where.includes('Firewall') ? 'acl' : 'firewall',
    sourceLists: SOURCE_LISTS[version],
    protocolChange: Array<string>(CHANGES_IN_PLACE.has(version) ? 1 : 2).fill('updateLoadBalancerRule'),
    associates: where.includes('VPC') ? 'vpcid' : 'networkid',
    project,
    options: { version, scene: WORLDS[where], ...(project !== undefined && { project }) },
  };
}

/** A cloud of that place for the tests of a suite. */
export function inPlace({ options }: Place): () => Cloud {
  return withCloud(options);
}

/** Items of the ACL lists that may be changed, as `<port> <sources>`, sorted. */
export function openedByAcl(cloud: Cloud): readonly string[] {
  const { aclItems, aclLists } = cloud.simulator.state;
  return [...aclItems.values()]
    .filter((item) => aclLists.get(item.listId)?.isDefault === false)
    .map(({ startPort, cidrs }) => `${startPort} ${[...cidrs].sort().join()}`)
    .sort();
}

/** What is open, as `<port> <sources>`, sorted, by whatever opens it. */
export function opened(cloud: Cloud): readonly string[] {
  const byFirewall = cloud.firewall().map((rule) => rule.replace(/^\S+ \S+ (\d+)-\d+ /, '$1 '));
  return [...byFirewall, ...openedByAcl(cloud)].sort();
}
