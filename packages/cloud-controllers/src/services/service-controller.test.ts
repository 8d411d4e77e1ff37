import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { createLogger, KeyedLock } from '@cloudstack-ccm/base';

import { TestCluster, until, type World } from '../testing/cluster.ts';
import { runServiceController, serviceController } from '../testing/service-controllers.ts';

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.start();
});
after(() => cluster[Symbol.asyncDispose]());

const WEB = 'default/web';

const ingress = async (world: World) => (await world.service('web'))?.status.loadBalancer.ingress;

describe('A running controller', () => {
  const run = (world: World, workers = 1) => runServiceController(world, { workers });
  const members = (world: World, name = 'web') => world.cloud.balancers.get(`default/${name}`)?.join(' ');

  test('serves Services as they come, change and go', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await run(world);
    await world.createService('web');
    await until(() => members(world) === 'n1', 'the load balancer is there');
    await until(async () => (await ingress(world))?.length === 1, 'the status is there');
    world.cloud.take();
    await world.patchService('web', { spec: { loadBalancerIP: '203.0.113.9' } });
    await until(() => world.cloud.calls.includes('ensure default/web n1'), 'the change is seen');
    await world.deleteService('web');
    await until(async () => (await world.service('web')) === undefined, 'the Service is gone');
    assert.equal(world.cloud.balancers.size, 0);
  });

  test('syncs once for a Service whose annotations it wrote itself, and whose labels change', async () => {
    await using world = await cluster.world();
    await run(world);
    world.cloud.scripts.ensure = (context) => context.annotate({ made: '1' });
    await world.createService('web');
    await until(async () => (await ingress(world))?.length === 1, 'the status is there');
    await world.patchService('web', { metadata: { labels: { a: 'b' } } });
    await world.createService('other');
    await until(() => world.cloud.balancers.has('default/other'), 'another Service came after it');
    assert.equal(world.cloud.calls.filter((call) => call.startsWith('ensure default/web')).length, 1);
  });

  test('gives new nodes to all load balancers, and takes nodes that left (W3, W5, W10, W13)', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await run(world);
    for (const name of ['web', 'shop']) await world.createService(name);
    await world.createService('inner', { spec: { type: 'ClusterIP' } });
    await until(() => members(world) === 'n1' && members(world, 'shop') === 'n1', 'both are there');
    world.cloud.take();
    world.told();
    await world.createNode('n2');
    await until(() => members(world) === 'n1 n2' && members(world, 'shop') === 'n1 n2', 'n2 is a member');
    await world.plane.client.delete('/api/v1/nodes/n1');
    await until(() => members(world) === 'n2' && members(world, 'shop') === 'n2', 'n1 is none');
    const calls = world.cloud.take();
    assert.deepEqual([...new Set(calls.map((call) => call.split(' ')[0]))], ['updateMembers']);
    assert.equal(calls.length, 4);
    assert.equal(
      world.told().filter((event) => event.includes('UpdatedLoadBalancer web: Updated load balancer with new hosts'))
        .length,
      2,
    );
    assert.equal(await world.metric('service_controller_loadbalancer_sync_total'), 4);
    const passes = async () => (await world.metric('service_controller_nodesync_latency_seconds_count')) ?? 0;
    await until(async () => (await passes()) >= 2, 'both changes were passed on');
    const before = await passes();
    const labels = { 'node.kubernetes.io/exclude-from-external-load-balancers': '' };
    await world.createNode('n3', { labels });
    await until(async () => (await passes()) > before, 'a node that is no member was looked at');
    assert.deepEqual(world.cloud.take(), []);
  });

  test('does nothing when a node becomes ready or not, and takes one out that is excluded (W7, W9)', async () => {
    await using world = await cluster.world();
    for (const name of ['n1', 'n2']) await world.createNode(name, { ready: 'True' });
    await run(world);
    await world.createService('web');
    await until(() => members(world) === 'n1 n2', 'both are members');
    world.cloud.take();
    await world.setReady('n2', 'False');
    await world.patchNode('n2', {
      metadata: { labels: { 'node.kubernetes.io/exclude-from-external-load-balancers': '' } },
    });
    await until(() => members(world) === 'n1', 'n2 is out');
    assert.deepEqual(world.cloud.take(), ['updateMembers default/web n1']);
  });

  test('does not forget a sync that failed when only the nodes change until the next try', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await run(world);
    world.cloud.scripts.ensure = () => {
      throw new Error('no address left');
    };
    await world.createService('web');
    await until(() => world.cloud.calls.length === 1, 'it failed once');
    delete world.cloud.scripts.ensure;
    await world.createNode('n2');
    await until(() => members(world) === 'n1 n2', 'it is there');
    assert.deepEqual(world.cloud.take(), ['ensure default/web n1', 'ensure default/web n1 n2']);
  });

  test('turns to a full sync when the members cannot be updated (W6, W28)', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await run(world);
    await world.createService('web');
    await until(() => members(world) === 'n1', 'it is there');
    world.cloud.take();
    world.told();
    world.cloud.scripts.updateMembers = () => {
      throw new Error('no route');
    };
    await world.createNode('n2');
    await until(() => members(world) === 'n1 n2', 'n2 is a member all the same');
    assert.deepEqual(world.cloud.take(), [
      'updateMembers default/web n1 n2',
      'get default/web',
      'ensure default/web n1 n2',
    ]);
    assert.equal(
      world.told()[0],
      'Warning UpdateLoadBalancerFailed web: Error updating load balancer with new hosts [n1 n2] ' +
        '[node names limited, total number of nodes: 2], error: no route',
    );
    assert.equal(await world.metric('service_controller_nodesync_error_total'), 1);
  });

  test('takes it for no failure when there is nothing to update (W27)', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await run(world);
    await world.createService('web');
    await until(async () => (await ingress(world))?.length === 1, 'it is there');
    world.cloud.balancers.clear();
    world.told();
    world.cloud.take();
    world.cloud.scripts.updateMembers = () => {
      throw new Error('no such load balancer');
    };
    await world.createNode('n2');
    await until(() => world.cloud.calls.includes('get default/web'), 'the cloud was asked');
    await until(
      async () => ((await world.metric('service_controller_nodesync_latency_seconds_count')) ?? 0) >= 1,
      'the pass ended',
    );
    assert.deepEqual(world.told(), []);
    assert.equal(await world.metric('service_controller_nodesync_error_total'), 0);
  });

  test('never works twice at once on one load balancer, and ends with all nodes (case 25)', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await run(world, 4);
    let working = 0;
    let most = 0;
    const slow = async (): Promise<void> => {
      most = Math.max(most, ++working);
      await new Promise((resolve) => setTimeout(resolve, 100));
      working--;
    };
    world.cloud.scripts.ensure = slow;
    world.cloud.scripts.updateMembers = slow;
    await world.createService('web');
    await until(() => working === 1, 'it is being ensured');
    await world.createNode('n2');
    await world.patchService('web', { metadata: { annotations: { a: 'b' } } });
    await until(() => members(world) === 'n1 n2', 'n2 is a member');
    assert.equal(most, 1);
  });

  test('serves a Service at once while thirty of a slow network wait their turn', async () => {
    await using world = await cluster.world();
    await run(world, 2);
    const slowNetwork = new KeyedLock(2);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    world.cloud.scripts.ensure = async (context, { name }) => {
      if (!name.startsWith('slow')) return;
      const comeBack = context.stepAside();
      await slowNetwork.run(context.scope, 'slow', async () => {
        await released;
        await comeBack();
      });
    };
    const slow = Array.from({ length: 30 }, (_, index) => `slow-${index}`);
    await Promise.all(slow.map((name) => world.createService(name)));
    await until(() => world.cloud.calls.length === 30, 'all thirty have come to the cloud');
    await world.createService('quick');
    await until(() => members(world, 'quick') === '', 'the other one is served');
    assert.equal(world.cloud.balancers.size, 1);
    release();
    await until(() => world.cloud.balancers.size === 31, 'all are served in the end');
  });

  test('tries again after the pause that the cloud asks for, else with back-off, and says which', async () => {
    await using world = await cluster.world();
    const lines: string[] = [];
    const log = createLogger({ sink: ({ message }) => lines.push(message), verbosity: { level: 0 }, now: () => 0 });
    const controller = serviceController(world, { workers: 1, log });
    void controller.run(world.scope).catch(() => undefined);
    await world.follow();
    let tries = 0;
    world.cloud.scripts.ensure = (_context, { name }) => {
      if (name === 'busy') throw new Error('busy');
      if (++tries < 3) throw Object.assign(new Error('wait'), { retryAfterMs: 100 });
    };
    await world.createService('busy');
    await world.createService('web');
    await until(() => tries === 3, 'it was tried three times');
    const told = lines.filter((line) => line.startsWith('error processing'));
    const failed = 'failed to ensure load balancer';
    assert.equal(told[0], `error processing service default/busy (retrying with exponential backoff): ${failed}: busy`);
    assert.equal(told[1], `error processing service default/web (retrying in 100ms): ${failed}: wait`);
    assert.equal(told.length, 3);
  });

  test('ends with the work at hand when it is drained, and starts none', async () => {
    await using world = await cluster.world();
    const controller = serviceController(world, { workers: 1 });
    const running = controller.run(world.scope);
    await world.follow();
    let release = (): void => undefined;
    world.cloud.scripts.ensure = () => new Promise((resolve) => (release = resolve));
    await world.createService('web');
    await until(() => world.cloud.calls.length === 1, 'it is being ensured');
    await world.createService('late');
    await until(() => world.services.lister.get('default/late') !== undefined, 'another one waits');
    controller.drain();
    release();
    await running;
    assert.equal(world.cloud.balancers.has(WEB), true);
    assert.equal((await ingress(world))?.length, 1);
    assert.equal(world.cloud.balancers.has('default/late'), false);
  });
});
