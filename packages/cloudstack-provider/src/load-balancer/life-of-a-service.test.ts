import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { completed } from '@cloudstack-ccm/cloudstack-client';
import { Scope } from '@cloudstack-ccm/base';
import type { World } from '@cloudstack-ccm/cloudstack-simulator';
import { isolatedScene, projectScene, type Cloud } from './testing/cloud.ts';
import { port, TestService } from './testing/service.ts';
import { withCloud } from './testing/with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

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

for (const [where, scene] of Object.entries(WORLDS)) {
  for (const version of ['4.14', '4.18', '4.20', '4.22', '4.23']) {
    if (where.includes('Firewall') && version !== '4.23') continue;
    describe(`the life of a Service in ${where}, on CloudStack ${version}`, () => {
      const cloud = withCloud({ version, scene, ...(where.includes('project') && { project: 'team' }) });

      it('ends with nothing left, at each step all is as asked and a second pass writes nothing', async () => {
        const service = new TestService({ ports: [port('80:31080')] });
        const kept = await takenByUser(cloud());
        const steps: readonly (readonly [string, () => void, readonly number[], readonly string[]])[] = [
          ['is created', () => undefined, [80], NODES],
          ['grows', () => service.edit({ ports: [port('80:31080'), port('443:31443')] }), [80, 443], NODES],
          ['restricts sources', () => service.edit({ loadBalancerSourceRanges: ['192.0.2.0/24'] }), [80, 443], NODES],
          ['asks for PROXY', () => service.annotate({ 'proxy-protocol': 'true' }), [80, 443], NODES],
          [
            'gets another node port',
            () => service.edit({ ports: [port('80:32000'), port('443:31443')] }),
            [80, 443],
            NODES,
          ],
          ['loses a node', () => undefined, [80, 443], NODES.slice(1)],
          ['moves', () => service.edit({ loadBalancerIp: kept }), [80, 443], NODES],
          ['shrinks', () => service.edit({ ports: [port('443:31443')] }), [443], NODES],
        ];
        for (const [step, change, ports, nodes] of steps) {
          change();
          const status = await cloud()
            .controller()
            .ensure(service, cloud().nodes(...nodes));
          const [address = ''] = status.ingress.map(({ ip }) => ip ?? '');
          assert.deepEqual(
            portsOf(cloud()),
            ports.map((one) => `${address}:${one} [${nodes.join()}]`),
            step,
          );
          assertOpen(cloud(), { address, ports, restricted: service.view.loadBalancerSourceRanges }, step);
          const before = cloud().lastWrite;
          service.edit({ ingress: status.ingress });
          await cloud()
            .controller()
            .ensure(service, cloud().nodes(...nodes));
          assert.deepEqual(cloud().writesSince(before), [], step);
        }
        await cloud().controller().delete(service);
        assert.deepEqual([cloud().rules(), cloud().firewall(), items(cloud())], [[], [], []]);
        assert.deepEqual(cloud().addresses(), [kept], 'the address of the user was not his any more, or one leaked');
        assert.equal(await cloud().controller().get(service), undefined);
      });
    });
  }
}

/** Where there is a firewall it opens just these ports for just these sources, otherwise the ACL list does. */
function assertOpen(
  cloud: Cloud,
  asked: { readonly address: string; readonly ports: readonly number[]; readonly restricted: readonly string[] },
  step: string,
): void {
  const sources = asked.restricted.length > 0 ? asked.restricted.join() : '0.0.0.0/0';
  const firewall = asked.ports.map((one) => `${asked.address} tcp ${one}-${one} ${sources}`).toSorted();
  const network = cloud.simulator.state.networks.find(({ name }) => name.startsWith('net-'));
  const byAcl = network?.aclListId !== undefined;
  assert.deepEqual(cloud.firewall(), byAcl ? [] : firewall, step);
  assert.deepEqual(
    items(cloud)
      .map(({ startPort, cidrs }) => `${startPort} ${cidrs.join()}`)
      .toSorted(),
    byAcl ? asked.ports.map((one) => `${one} ${sources}`).toSorted() : [],
    step,
  );
}

async function takenByUser(cloud: Cloud): Promise<string> {
  using scope = Scope.root();
  const network = cloud.simulator.state.networks.find(({ name }) => name.startsWith('net-'));
  assert.ok(network);
  const { vpcId, id } = network;
  const where = vpcId === undefined ? { networkId: id } : { vpcId };
  return (await completed(scope, cloud.client.associateIpAddress(scope, where))).ipAddress;
}

function portsOf(cloud: Cloud): readonly string[] {
  return cloud
    .rules()
    .map((rule) => rule.replace(/^\S+ (\S+) .*(\[.*\]).*$/, '$1 $2'))
    .toSorted((one, other) => Number(/:(\d+)/.exec(one)?.[1]) - Number(/:(\d+)/.exec(other)?.[1]));
}

function items(cloud: Cloud) {
  const { aclItems, aclLists } = cloud.simulator.state;
  return [...aclItems.values()].filter((item) => aclLists.get(item.listId)?.isDefault === false);
}
