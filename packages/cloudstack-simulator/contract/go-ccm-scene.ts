import type { World } from '../src/scene/world.ts';

const ISOLATED = '1fdd56f1-5e17-42f7-a20e-167d1bb3fbd1';
const VPC = '34328131-307b-43d9-be5b-e78d249f1bf0';
const TIER = '3f20af63-20ee-4527-8149-4646f6ddbd8c';
const ACL = '61028bcd-f829-4371-9236-824cc585a6f8';

/** The nodes of both clusters, by id. */
const NODES: Readonly<Record<string, readonly [name: string, network: string, address: string]>> = {
  '628e65a4-bafa-48be-8685-72857054f70f': ['ccm-node-1', 'ccm-net', '10.1.1.147'],
  '60279489-923f-40c1-8fda-e3f9c2132695': ['ccm-node-2', 'ccm-net', '10.1.1.233'],
  'b02f48cd-9f58-420a-b42d-dfce2a879ac1': ['ccm-node-3', 'ccm-net', '10.1.1.107'],
  'f594abab-27e6-40aa-a531-2aa449b3e0ad': ['ccm-vpc-node-1', 'ccm-tier', '10.6.1.131'],
  '09e7816d-1106-4fc3-8fd9-292adf28574b': ['ccm-vpc-node-2', 'ccm-tier', '10.6.1.81'],
  'e886f5ee-1b28-4a71-acfe-af4d5151c81b': ['ccm-vpc-node-3', 'ccm-tier', '10.6.1.243'],
};

/** What the Go controller met: an account that may read the version, an isolated network and a VPC tier with nodes. */
export function goControllerScene(world: World): void {
  buildGoControllerScene(world, {});
}

/** @param addresses ids of public addresses that must have them, by address. */
export function buildGoControllerScene(world: World, addresses: Readonly<Record<string, string>>): void {
  const { state } = world.backend;
  state.settings = { ...state.settings, guestDomainSuffix: 'cs.example' };
  world.domain({ id: 'd71f7d7c-1620-40aa-904f-b3da14940871', name: 'tenants' });
  world.account({
    id: 'c77d26c5-c6d1-4498-bf11-5c3e8d434667',
    userId: '354477b2-3463-4957-a790-0034e086ffd5',
    name: 'ccm',
    domain: 'ROOT/tenants',
    rules: [{ command: 'listManagementServersMetrics', allow: true }],
  });
  const zone = { id: 'b0159552-ebcf-4abb-9f17-fe2e0ec321f8', name: 'zone-a' };
  world.zone({ ...zone, publicRange: ['203.0.113.29', '203.0.113.31'] });
  for (let number = 32; number <= 120; number++) {
    const [address, id] = [`203.0.113.${number}`, addresses[`203.0.113.${number}`]];
    world.publicAddress({ address, zone: zone.name, ...(id !== undefined && { id }) });
  }
  state.serviceOfferings.add({
    id: '5029bb8a-4acd-4a2a-ba6b-4c52aff2f8b1',
    name: '1C-1G',
    displaytext: '1 core 1 GB',
    cpuNumber: 1,
    cpuSpeed: 500,
    memory: 1024,
    created: world.backend.clock.now(),
  });
  addNetworks(world);
  for (const [id, [name, network, ipAddress]] of Object.entries(NODES)) {
    world.virtualMachine({ id, name, owner: 'ccm', networks: [network], offering: '1C-1G', ipAddress });
  }
}

function addNetworks(world: World): void {
  world.network({ id: ISOLATED, name: 'ccm-net', displaytext: 'ccm', owner: 'ccm', cidr: '10.1.1.0/24' });
  world.vpc({ id: VPC, name: 'ccm-vpc', owner: 'ccm', cidr: '10.6.0.0/16' });
  world.aclList({ id: ACL, name: 'ccm-acl', description: 'x', vpc: 'ccm-vpc' });
  const tier = { name: 'ccm-tier', displaytext: 't', owner: 'ccm', cidr: '10.6.1.0/24' };
  world.network({ id: TIER, ...tier, vpc: 'ccm-vpc', acl: 'ccm-acl' });
}
