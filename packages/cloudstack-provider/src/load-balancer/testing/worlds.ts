import type { World } from '@cloudstack-ccm/cloudstack-simulator';
import type { Cloud, CloudOptions } from './cloud.ts';
import { isolatedScene, projectScene } from './cloud.ts';
import { withCloud } from './with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

const VERSIONS = ['4.14', '4.18', '4.20', '4.22', '4.23'] as const;

/** Each kind of network in which Services live. */
const WORLDS = {
  'an isolated network': isolatedScene,
  'an isolated network of a project': projectScene,
  'a tier of a VPC': (world: World) => tier(world, {}),
  'a tier of a VPC with the Firewall service': (world: World) => tier(world, { offering: 'with firewall' }),
} as const;

function tier(world: World, offering: { readonly offering?: string }): void {
  const services = ['SourceNat', 'Lb', 'Firewall', 'PortForwarding', 'StaticNat', 'Dhcp', 'Dns'];
  world.zone({ name: 'zone-a', publicRange: ['203.0.113.10', '203.0.113.60'] });
  world.account({ name: 'k8s' });
  world.vpcOffering({ name: 'with firewall', services });
  world.networkOffering({ name: 'with firewall', services, forVpc: true, conserveMode: false });
  world.vpc({ name: 'vpc-1', owner: 'k8s', cidr: '10.2.0.0/16', ...offering });
  world.aclList({ name: 'acl-custom', vpc: 'vpc-1' });
  const acl = offering.offering === undefined ? { acl: 'acl-custom' } : {};
  world.network({ name: 'net-tier', owner: 'k8s', vpc: 'vpc-1', cidr: '10.2.1.0/24', ...offering, ...acl });
  for (const name of NODES) world.virtualMachine({ name, owner: 'k8s', networks: ['net-tier'] });
}

export type Version = (typeof VERSIONS)[number];

export interface Place {
  readonly where: keyof typeof WORLDS;
  readonly version: Version;
  /** What opens ports: a firewall, or a network ACL list. */
  readonly access: 'firewall' | 'acl';
  readonly options: CloudOptions;
}

/** Every kind of network on every release that has it. */
export const PLACES: readonly Place[] = VERSIONS.flatMap((version) => [
  place('an isolated network', version),
  place('an isolated network of a project', version, 'team'),
  place('a tier of a VPC', version),
  ...(version === '4.23' ? [place('a tier of a VPC with the Firewall service', version)] : []),
]);

function place(where: keyof typeof WORLDS, version: Version, project?: string): Place {
  const access = where === 'a tier of a VPC' ? 'acl' : 'firewall';
  return {
    where,
    version,
    access,
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
