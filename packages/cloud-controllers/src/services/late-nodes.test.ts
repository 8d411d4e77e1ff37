import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { FakeClock, type Clock } from '@cloudstack-ccm/base';

import { TestCluster, until, type World } from '../testing/cluster.ts';
import { runServiceController } from '../testing/service-controllers.ts';

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.start();
});
after(() => cluster[Symbol.asyncDispose]());

const run = (world: World, clock: Clock) => runServiceController(world, { clock });

const members = (world: World, name = 'web') => world.cloud.balancers.get(`default/${name}`)?.join(' ');
const calls = (world: World, call: string) => world.cloud.calls.filter((one) => one.startsWith(call)).length;
const address = async (world: World) => (await world.service('web'))?.status.loadBalancer.ingress.length === 1;

describe('Nodes that come late', () => {
  test('end the back-off of a Service that failed for want of them', async () => {
    await using world = await cluster.world();
    const clock = new FakeClock();
    await run(world, clock);
    world.cloud.scripts.ensure = () => {
      throw new Error('no node');
    };
    await world.createService('web');
    await until(() => calls(world, 'ensure') === 1, 'it has failed');
    await settle();
    await clock.advance(1_000_000);
    const before = calls(world, 'ensure');
    assert.ok(before >= 7 && before <= 10, `${before} tries in 1,000 s`);
    await world.createNode('n1');
    await until(() => calls(world, 'ensure') === before + 1, 'the node is tried at once');
    await settle();
    await clock.advance(5000);
    await until(() => calls(world, 'ensure') === before + 2, 'the next pause is the first one again');
  });

  test('become members as soon as their machines are found, without holding up the status', async () => {
    await using world = await cluster.world();
    const clock = new FakeClock();
    for (const name of ['n1', 'n2']) await world.createNode(name);
    world.cloud.late.add('n2');
    await run(world, clock);
    await world.createService('web');
    await until(() => address(world), 'the address is shown');
    assert.equal(members(world), 'n1');
    world.told();
    await clock.advance(7000);
    await until(() => calls(world, 'updateMembers') === 1, 'it is tried again');
    await settle();
    assert.deepEqual(world.told(), []);
    await clock.advance(5000);
    await settle();
    assert.equal(calls(world, 'updateMembers'), 1, 'the pause grows');
    world.cloud.late.clear();
    await clock.advance(9000);
    await until(() => members(world) === 'n1 n2', 'it is a member');
    await until(() => calls(world, 'ensure') === 2, 'the conditions are looked at');
    await clock.advance(3_600_000);
    await settle();
    assert.equal(calls(world, 'updateMembers'), 2);
    assert.equal(world.told().filter((event) => event.includes('UpdatedLoadBalancer')).length, 1);
  });

  test('are tried for all Services together, and often again when another one is late', async () => {
    await using world = await cluster.world();
    const clock = new FakeClock();
    await world.createNode('n1');
    world.cloud.late.add('n1').add('n2');
    await run(world, clock);
    for (const name of ['web', 'shop']) await world.createService(name);
    await until(() => world.cloud.balancers.size === 2, 'both are there');
    await settle();
    await clock.advance(3_600_000);
    await settle();
    const tries = calls(world, 'updateMembers');
    assert.ok(tries >= 20 && tries <= 40, `${tries} tries of two Services in an hour`);
    await world.createNode('n2');
    await until(() => calls(world, 'updateMembers') === tries + 2, 'the new node is given to both');
    await until(() => calls(world, 'ensure') === 4, 'which is told in their conditions');
    await settle();
    await clock.advance(6300);
    await until(() => calls(world, 'updateMembers') === tries + 4, 'both are tried after the first pause');
  });

  test('reach other Services while the update of one takes long', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await run(world, new FakeClock());
    for (const name of ['web', 'shop']) await world.createService(name);
    await until(() => members(world) === 'n1' && members(world, 'shop') === 'n1', 'both are there');
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    world.cloud.scripts.updateMembers = (_context, { name }) => (name === 'web' ? released : undefined);
    await world.createNode('n2');
    await until(() => members(world, 'shop') === 'n1 n2', 'the quick one has it');
    await world.createNode('n3');
    await until(() => members(world, 'shop') === 'n1 n2 n3', 'the quick one has the next as well');
    assert.equal(members(world), 'n1');
    release();
    await until(() => members(world) === 'n1 n2 n3', 'the slow one has both');
  });

  test('are called uninitialised to the cloud for as long as they are', async () => {
    await using world = await cluster.world();
    const taints = [{ key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' }];
    await world.createNode('n1', { taints });
    await world.createNode('n2');
    const seen: unknown[] = [];
    const ensure = world.cloud.loadBalancers.ensure;
    world.cloud.loadBalancers.ensure = (context, service, nodes) => {
      seen.push(nodes.flatMap(({ name, uninitialized }) => (uninitialized ? [name] : [])));
      return ensure(context, service, nodes);
    };
    await run(world, new FakeClock());
    await world.createService('web');
    await until(() => seen.length === 1, 'it is ensured');
    assert.deepEqual(seen, [['n1']]);
  });
});

/** Lets what is under way end: real requests take real time, and nothing that should not happen can be waited for. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 150));
}
