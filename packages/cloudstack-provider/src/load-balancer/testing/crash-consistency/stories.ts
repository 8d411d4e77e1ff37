import type { Decorator } from '@cloudstack-ccm/cloudstack-client';
import { LB, port } from '../service.ts';
import { annotate, change, edit, ensure, madeAndRegretted, nodes, remove, type Story } from './story.ts';
import type { World } from './world.ts';

const NODES = ['node-1', 'node-2', 'node-3'];
const TIER = 'a tier of a VPC';
const FIREWALL_TIER = 'a tier of a VPC with the Firewall service';
const USERS = '203.0.113.50';
const RANGE = '192.0.2.0/24';

const hideFree: Decorator = (next) => (scope, call) =>
  call.command === 'listPublicIpAddresses' && call.params['state'] === 'Free' ? Promise.resolve({}) : next(scope, call);

async function usersAddress(world: World): Promise<void> {
  await world.associateByHand(USERS);
  world.web.edit({ loadBalancerIp: USERS });
}

/** Two Services on one address of the user, on different ports. */
async function shared(world: World): Promise<void> {
  await usersAddress(world);
  world.api.edit({ loadBalancerIp: USERS, ports: [port('443:31443')] });
}

/** The same on an address that is taken for the first of them. */
function sharedOurs({ web, api }: World): void {
  web.edit({ loadBalancerIp: '203.0.113.30' });
  api.edit({ loadBalancerIp: '203.0.113.30', ports: [port('443:31443')] });
}

/** What another controller leaves: a rule with all nodes, its address and opening. */
function left(name: string, protocol: string, annotations: Readonly<Record<string, string>> = {}) {
  return async ({ cloud, web }: World): Promise<void> => {
    const { address } = await cloud.handMade(name, { protocol, members: NODES, address: '203.0.113.40' });
    web.edit({ ingress: [{ ip: address }] });
    web.annotate(annotations);
  };
}

async function leftByLeaseweb({ cloud, web, network }: World): Promise<void> {
  const name = 'K8s_svc_kubernetes_default_web-tcp-80';
  const { address, addressId } = await cloud.handMade(name, { members: NODES, address: '203.0.113.40' });
  web.edit({ ingress: [{ ip: address }] });
  web.annotate({ id: addressId, 'network-id': network, address });
}

const ranged = edit({ loadBalancerSourceRanges: [RANGE] });
const twoPorts = edit({ ports: [port('80:31080'), port('443:31443')] });
const sticky = annotate({ 'stickiness-method-name': 'SourceBased', 'stickiness-method-param': 'tablesize=200k' });

/** Each is short: what matters is that every call of every kind of change is among them. */
export const STORIES: readonly Story[] = [
  { name: 'made in an isolated network', steps: [ensure()] },
  { name: 'made on 4.14', version: '4.14', steps: [ensure(), remove()] },
  { name: 'made in a tier', where: TIER, steps: [ensure(), remove()] },
  { name: 'made in a tier with Firewall', where: FIREWALL_TIER, version: '4.23', steps: [ensure(), remove()] },
  { name: 'made in a project', where: 'an isolated network of a project', steps: [ensure(), remove()] },
  {
    name: 'on a shared address, the first goes first',
    prepare: shared,
    steps: [ensure(), ensure('api'), remove(), remove('api')],
  },
  {
    name: 'on a shared address, the last goes first',
    prepare: shared,
    steps: [ensure(), ensure('api'), remove('api'), remove()],
  },
  {
    name: 'on a shared address of ours',
    prepare: sharedOurs,
    steps: [ensure(), ensure('api'), remove(), remove('api')],
  },
  { name: 'with a requested free address', steps: [edit({ loadBalancerIp: '203.0.113.30' }), remove()] },
  { name: 'with the user’s address', prepare: usersAddress, steps: [ensure(), remove()] },
  {
    name: 'leaves the user’s address',
    prepare: usersAddress,
    steps: [ensure(), edit({ loadBalancerIp: '' }), remove()],
  },
  { name: 'moves to a requested address', steps: [ensure(), edit({ loadBalancerIp: '203.0.113.32' }), remove()] },
  { name: 'keeps its address', steps: [annotate({ 'keep-ip': 'true' }), remove()] },
  {
    name: 'changes its mind about keeping',
    steps: [annotate({ 'keep-ip': 'true' }), annotate({ 'keep-ip': 'false' }), remove()],
  },
  { name: 'takes an address though none is shown free', decorators: [hideFree], steps: [ensure(), remove()] },
  { name: 'with the PROXY protocol', steps: [annotate({ 'proxy-protocol': 'true' }), remove()] },
  {
    name: 'with TCP, and UDP that can not be served',
    steps: [edit({ ports: [port('80:31080'), port('53/UDP:31053')] }), remove()],
  },
  { name: 'with several ports', steps: [twoPorts, remove()] },
  { name: 'with source ranges', steps: [ranged, remove()] },
  { name: 'grows and shrinks', steps: [ensure(), twoPorts, edit({ ports: [port('80:31080')] })] },
  { name: 'changes a port', steps: [ensure(), edit({ ports: [port('8080:31080')] })] },
  { name: 'changes a node port', steps: [ensure(), edit({ ports: [port('80:32000')] })] },
  { name: 'PROXY for one port of two', steps: [twoPorts, annotate({ 'proxy-protocol': '443' }), remove()] },
  { name: 'deleted while it is made', steps: [madeAndRegretted] },
  { name: 'deleted while it is made in a tier', where: TIER, steps: [madeAndRegretted] },
  {
    name: 'PROXY on and off',
    steps: [ensure(), annotate({ 'proxy-protocol': 'true' }), annotate({ 'proxy-protocol': null })],
  },
  {
    name: 'PROXY on and off, on 4.20',
    version: '4.20',
    steps: [ensure(), annotate({ 'proxy-protocol': 'true' }), annotate({ 'proxy-protocol': null })],
  },
  {
    name: 'changes its algorithm',
    steps: [ensure(), edit({ sessionAffinity: 'ClientIP' }), annotate({ algorithm: 'leastconn' })],
  },
  {
    name: 'stickiness comes, changes and goes',
    steps: [
      ensure(),
      sticky,
      annotate({ 'stickiness-method-param': 'tablesize=100k' }),
      annotate({ 'stickiness-method-name': null, 'stickiness-method-param': null }),
    ],
  },
  {
    name: 'source CIDRs change in place',
    steps: [ensure(), annotate({ 'source-cidrs': RANGE }), annotate({ 'source-cidrs': null })],
  },
  {
    name: 'source CIDRs change on 4.20',
    version: '4.20',
    steps: [ensure(), annotate({ 'source-cidrs': RANGE }), annotate({ 'source-cidrs': null })],
  },
  { name: 'ranges are narrowed and emptied', steps: [ensure(), ranged, edit({ loadBalancerSourceRanges: [] })] },
  { name: 'ranges change in a tier', where: TIER, steps: [ensure(), ranged, edit({ loadBalancerSourceRanges: [] })] },
  {
    name: 'ranges change in a tier with Firewall',
    where: FIREWALL_TIER,
    version: '4.23',
    steps: [ensure(), ranged, remove()],
  },
  {
    name: 'grows in a tier on 4.18',
    where: TIER,
    version: '4.18',
    steps: [ensure(), twoPorts, edit({ ports: [port('443:31443')] })],
  },
  { name: 'moves in a tier', where: TIER, steps: [ensure(), edit({ loadBalancerIp: '203.0.113.32' })] },
  {
    name: 'nodes come and go',
    steps: [change((world) => void (world.nodes = ['node-1'])), nodes(...NODES), nodes('node-2')],
  },
  {
    name: 'a node is replaced',
    steps: [change((world) => void (world.nodes = ['node-1', 'node-2'])), nodes('node-1', 'node-3')],
  },
  {
    name: 'left by Go v1.1, changed and removed',
    prepare: left(`${LB}-80`, 'TCP'),
    steps: [ensure(), ranged, remove()],
  },
  {
    name: 'left by Go v1.2, changed and removed',
    prepare: left(`${LB}-tcp-80`, 'tcp'),
    steps: [ensure(), twoPorts, remove()],
  },
  {
    name: 'left by Go main, changed and removed',
    prepare: left(`${LB}-tcp-80`, 'tcp', { 'ip-associated-by-controller': 'true' }),
    steps: [ensure(), ranged, remove()],
  },
  {
    name: 'left by the Leaseweb fork, changed and removed',
    prepare: leftByLeaseweb,
    steps: [ensure(), twoPorts, remove()],
  },
  { name: 'no load balancer any more, and one again', steps: [ensure(), remove(), ensure()] },
  { name: 'somebody removes the tags', steps: [ensure(), change((world) => world.loseTags()), remove()] },
  {
    name: 'the name of the cluster changes',
    steps: [ensure(), change(({ web }) => void (web.clusterName = 'renamed')), remove()],
  },
];
