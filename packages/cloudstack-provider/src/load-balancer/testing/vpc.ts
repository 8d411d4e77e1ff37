import { completed, type CreateNetworkAclItem } from '@cloudstack-ccm/cloudstack-client';
import { Scope } from '@cloudstack-ccm/base';
import type { World } from '@cloudstack-ccm/cloudstack-simulator';
import type { Cloud } from './cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

interface VpcSceneOptions {
  readonly owner?: string;
  readonly acl?: string;
  /** Firewall rules instead of ACL items. */
  readonly firewall?: boolean;
}

/** A VPC with a tier of three machines, and an ACL list of its own. */
export function vpcScene({ owner = 'k8s', acl = 'acl-custom', firewall = false }: VpcSceneOptions = {}) {
  return (world: World): void => {
    const services = ['SourceNat', 'Lb', 'Firewall', 'PortForwarding', 'StaticNat', 'Dhcp', 'Dns'];
    const offering = firewall ? { offering: 'with firewall' } : {};
    world.zone({ name: 'zone-a', publicRange: ['203.0.113.10', '203.0.113.60'] });
    world.account({ name: 'k8s' });
    if (owner !== 'k8s') world.project({ name: owner, owner: 'k8s' });
    world.vpcOffering({ name: 'with firewall', services });
    world.networkOffering({ name: 'with firewall', services, forVpc: true, conserveMode: false });
    world.vpc({ name: 'vpc-1', owner, cidr: '10.2.0.0/16', ...offering });
    world.aclList({ name: 'acl-custom', vpc: 'vpc-1' });
    const tier = { owner, vpc: 'vpc-1', ...offering };
    world.network({ ...tier, name: 'net-tier', cidr: '10.2.1.0/24', ...(acl !== 'none' && { acl }) });
    world.network({ ...tier, name: 'other-tier', cidr: '10.2.2.0/24', ...(acl !== 'none' && { acl }) });
    for (const name of NODES) world.virtualMachine({ name, owner, networks: ['net-tier'] });
    world.virtualMachine({ name: 'elsewhere', owner, networks: ['other-tier'] });
  };
}

/** An item of `acl-custom`, by hand: tcp from everywhere is let in, unless told otherwise. */
export async function addItem(cloud: Cloud, item: Partial<CreateNetworkAclItem>): Promise<void> {
  using scope = Scope.root();
  const list = cloud.simulator.state.aclLists.find((one) => one.name === 'acl-custom');
  const defaults = { protocol: 'tcp', cidrList: ['0.0.0.0/0'], trafficType: 'Ingress', action: 'Allow' } as const;
  await completed(scope, cloud.client.createNetworkAclItem(scope, { aclId: list?.id ?? '', ...defaults, ...item }));
}

/** The items of lists that may be changed, in words. */
export function items(cloud: Cloud): readonly string[] {
  return [...cloud.simulator.state.aclItems.values()]
    .filter((item) => cloud.simulator.state.aclLists.get(item.listId)?.isDefault === false)
    .map(({ trafficType, action, protocol, startPort, cidrs, reason = '' }) => {
      return `${trafficType} ${action} ${protocol} ${startPort} ${cidrs.join()} ${reason}`.trim();
    });
}
