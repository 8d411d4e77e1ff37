import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestCloud, type Fields } from '../testing/client.ts';

const INTERNAL = 'DefaultIsolatedNetworkOfferingForVpcNetworksWithInternalLB';

async function start(): Promise<{ cloud: TestCloud; wanted: Readonly<Record<string, string>>; tier: string }> {
  const cloud = await TestCloud.start({
    scene: (world) => {
      world.zone({ name: 'zone-a' });
      world.account({ name: 'k8s' });
      world.account({ name: 'other' });
      world.vpc({ name: 'vpc-a', owner: 'k8s', cidr: '10.2.0.0/16' });
      const vpc = { owner: 'k8s', vpc: 'vpc-a' };
      world.network({ name: 'public', cidr: '10.2.1.0/24', ...vpc });
      world.network({ name: 'inner', cidr: '10.2.2.0/24', offering: INTERNAL, ...vpc });
      world.virtualMachine({ name: 'node-1', owner: 'k8s', networks: ['inner'] });
    },
  });
  const tier = cloud.id('networks', 'inner');
  const ports = { sourceport: '80', instanceport: '8080' };
  const place = { networkid: tier, sourceipaddressnetworkid: tier };
  return { cloud, tier, wanted: { name: 'api', scheme: 'Internal', algorithm: 'roundrobin', ...ports, ...place } };
}

async function make(cloud: TestCloud, wanted: Readonly<Record<string, string>>): Promise<Fields> {
  return (await cloud.result(cloud.user, 'createLoadBalancer', wanted))['loadbalancer'] as Fields;
}

describe('an internal load balancer', () => {
  it('takes an address of its tier, and shows ports as numbers', async () => {
    const { cloud, wanted, tier } = await start();
    await using _ = cloud;
    const made = await make(cloud, wanted);
    const node = cloud.simulator.state.virtualMachines.get(cloud.id('virtualMachines', 'node-1'));
    assert.match(String(made['sourceipaddress']), /^10\.2\.2\.\d+$/);
    assert.notEqual(made['sourceipaddress'], node?.nics[0]?.ipAddress);
    assert.deepEqual(made['loadbalancerrule'], [{ sourceport: 80, instanceport: 8080, state: 'Add' }]);
    assert.deepEqual([made['sourceipaddressnetworkid'], made['networkid'], made['account']], [tier, tier, 'k8s']);
    assert.deepEqual([made['tags'], made['loadbalancerinstance'], made['publicipid']], [[], [], undefined]);
  });

  it('is listed by its own command only, to its owner, by each filter', async () => {
    const { cloud, wanted } = await start();
    await using _ = cloud;
    const made = await make(cloud, wanted);
    const { user } = cloud;
    const sourceipaddress = String(made['sourceipaddress']);
    assert.deepEqual(await user.list('listLoadBalancers', { sourceipaddress, name: 'api', keyword: 'ap' }), [made]);
    assert.deepEqual(await user.list('listLoadBalancers', { scheme: 'internal', id: String(made['id']) }), [made]);
    assert.deepEqual(await user.list('listLoadBalancers', { name: 'none' }), []);
    assert.deepEqual(await user.list('listLoadBalancers', { networkid: cloud.id('networks', 'public') }), []);
    assert.deepEqual(await user.list('listLoadBalancerRules'), []);
    assert.deepEqual(await cloud.as('other').list('listLoadBalancers'), []);
  });

  it('gets and loses members by the commands of ordinary rules, and tags', async () => {
    const { cloud, wanted } = await start();
    await using _ = cloud;
    const { user } = cloud;
    const id = String((await make(cloud, wanted))['id']);
    const member = { id, virtualmachineids: cloud.id('virtualMachines', 'node-1') };
    await cloud.result(user, 'assignToLoadBalancerRule', member);
    const tag = { resourcetype: 'LoadBalancer', resourceids: id, 'tags[0].key': 'k', 'tags[0].value': 'v' };
    await cloud.result(user, 'createTags', tag);
    const [shown] = await user.list('listLoadBalancers');
    const [instance] = (shown?.['loadbalancerinstance'] ?? []) as readonly Fields[];
    assert.deepEqual([instance?.['name'], instance?.['state']], ['node-1', 'Running']);
    assert.deepEqual(shown?.['loadbalancerrule'], [{ sourceport: 80, instanceport: 8080, state: 'Active' }]);
    assert.deepEqual(shown?.['tags'], [{ key: 'k', value: 'v' }]);
    assert.equal((await user.list('listLoadBalancerRuleInstances', { id })).length, 1);
    await cloud.result(user, 'removeFromLoadBalancerRule', member);
    assert.equal((await user.list('listLoadBalancerRuleInstances', { id })).length, 0);
  });

  it('shares an address with others, but no port of it', async () => {
    const { cloud, wanted } = await start();
    await using _ = cloud;
    const sourceipaddress = String((await make(cloud, wanted))['sourceipaddress']);
    const again = await cloud.user.refused('createLoadBalancer', { ...wanted, sourceipaddress });
    const number = cloud.simulator.state.loadBalancerRules.get(cloud.id('loadBalancerRules', 'api'))?.internalId;
    const text = `The range specified, 80-80, conflicts with rule ${number} which has 80-80`;
    assert.deepEqual(again, { code: 537, reason: 9999, text });
    const second = await make(cloud, { ...wanted, name: 'two', sourceipaddress, sourceport: '81' });
    assert.equal(second['sourceipaddress'], sourceipaddress);
  });

  it('is refused where it can not be', async () => {
    const { cloud, wanted } = await start();
    await using _ = cloud;
    const node = cloud.simulator.state.virtualMachines.get(cloud.id('virtualMachines', 'node-1'));
    const cases: readonly [Readonly<Record<string, string>>, number, RegExp][] = [
      [{ scheme: 'Public' }, 431, /^Invalid value for scheme\. Supported value is internal$/],
      [
        { networkid: cloud.id('networks', 'public') },
        431,
        /^Scheme Internal is not supported by the network offering /,
      ],
      [{ sourceport: '0' }, 431, /^Invalid value for source port: 0$/],
      [{ instanceport: '70000' }, 431, /^Invalid value for instance port: 70000$/],
      [{ algorithm: 'best' }, 431, /^Invalid algorithm: best$/],
      [{ sourceipaddress: '192.0.2.1' }, 431, /192\.0\.2\.1/],
      [{ sourceipaddress: node?.nics[0]?.ipAddress ?? '' }, 533, /^Requested ip address \S+ is already in use$/],
    ];
    for (const [change, code, text] of cases) {
      const refusal = await cloud.user.refused('createLoadBalancer', { ...wanted, ...change });
      assert.equal(refusal.code, code, JSON.stringify(change));
      assert.match(String(refusal.text), text);
    }
    assert.equal((await cloud.as('other').refused('createLoadBalancer', wanted)).code, 531);
    assert.deepEqual(await cloud.user.list('listLoadBalancers'), []);
  });

  it('is deleted by its owner, with its address', async () => {
    const { cloud, wanted } = await start();
    await using _ = cloud;
    const made = await make(cloud, wanted);
    const id = String(made['id']);
    assert.equal((await cloud.failure(cloud.as('other'), 'deleteLoadBalancer', { id })).code, 530);
    await cloud.result(cloud.user, 'deleteLoadBalancer', { id });
    assert.deepEqual(await cloud.user.list('listLoadBalancers'), []);
    assert.equal((await cloud.user.refused('deleteLoadBalancer', { id })).code, 431);
    assert.equal((await make(cloud, wanted))['sourceipaddress'], made['sourceipaddress']);
    const events = await cloud.user.list('listEvents', { type: 'LB.DELETE' });
    assert.equal(events.length, 1);
  });
});
