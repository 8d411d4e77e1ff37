import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { TestCluster, until, type World } from '../testing/cluster.ts';
import { runServiceController } from '../testing/service-controllers.ts';

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.start();
});
after(() => cluster[Symbol.asyncDispose]());

const passes = async (world: World) => (await world.metric('service_controller_nodesync_latency_seconds_count')) ?? 0;

/** Does something to the nodes, and waits until that was passed on. */
async function passOn(world: World, change: () => Promise<unknown>): Promise<void> {
  const before = await passes(world);
  await change();
  await until(async () => (await passes(world)) > before, 'the change was passed on');
}

const served = (world: World, name: string) =>
  until(async () => (await world.service(name))?.status.loadBalancer.ingress.length === 1, `${name} is served`);

describe('A change of the nodes', () => {
  test('costs nothing where no Service has a load balancer (W1, W2)', async () => {
    await using world = await cluster.world();
    await world.createService('inner', { spec: { type: 'ClusterIP' } });
    await world.createService('ports', { spec: { type: 'NodePort' } });
    await runServiceController(world);
    await passOn(world, () => world.createNode('n1'));
    assert.deepEqual(world.cloud.take(), []);
  });

  test('that leaves the members as they were costs nothing (W4, W16)', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await runServiceController(world);
    await world.createService('web', { spec: { externalTrafficPolicy: 'Local' } });
    await served(world, 'web');
    world.cloud.take();
    const excluded = { 'node.kubernetes.io/exclude-from-external-load-balancers': '' };
    await passOn(world, () => world.createNode('n2', { labels: excluded }));
    assert.deepEqual(world.cloud.take(), []);
  });

  test('reaches load balancers when only a provider ID is set, or a node is replaced (W15, W17)', async () => {
    await using world = await cluster.world();
    for (const name of ['n1', 'n2']) await world.createNode(name);
    await runServiceController(world);
    await world.createService('web');
    await served(world, 'web');
    world.cloud.take();
    await world.patchNode('n1', { spec: { providerID: 'fake://1' } });
    await until(() => world.cloud.calls.includes('updateMembers default/web n1 n2'), 'the ID is passed on');
    await world.plane.client.delete('/api/v1/nodes/n2');
    await world.createNode('n3');
    await until(() => world.cloud.balancers.get('default/web')?.join() === 'n1,n3', 'n3 is there instead of n2');
  });

  test('is not given a second time to a Service that was synced with it meanwhile (W18)', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await runServiceController(world);
    for (const name of ['a', 'b']) await world.createService(name);
    for (const name of ['a', 'b']) await served(world, name);
    world.cloud.take();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    world.cloud.scripts.updateMembers = (_context, { name }) => (name === 'a' ? released : undefined);
    world.cloud.scripts.ensure = async () => {
      await world.createNode('n3');
      await until(() => world.nodes.lister.get('n3') !== undefined, 'n3 is seen');
      delete world.cloud.scripts.ensure;
    };
    await world.createNode('n2');
    await until(() => world.cloud.calls.includes('updateMembers default/b n1 n2'), 'b has n2');
    await world.patchService('b', { metadata: { annotations: { a: 'b' } } });
    await until(() => world.cloud.calls.includes('updateMembers default/b n1 n2 n3'), 'b has n3');
    release();
    await until(() => world.cloud.balancers.get('default/a')?.join() === 'n1,n2,n3', 'a has all');
    const forB = world.cloud.calls.filter((call) => call.endsWith('default/b n1 n2 n3'));
    assert.deepEqual(forB, ['updateMembers default/b n1 n2 n3']);
  });
});

describe('A Service', () => {
  test('whose status meets a conflict is tried again, with an event (S7)', async () => {
    await using world = await cluster.world();
    await world.createService('web');
    const { services } = world.client;
    const patchStatus = services.patchStatus.bind(services);
    let conflicts = 0;
    services.patchStatus = (scope, name, patch) => {
      const isStatus = JSON.stringify(patch.body).includes('loadBalancer');
      if (!isStatus || patch.type === 'json' || ++conflicts > 1) return patchStatus(scope, name, patch);
      // A patch that names a version which is gone: the API server itself answers 409.
      const body = { ...patch.body, metadata: { resourceVersion: '1' } };
      return patchStatus(scope, name, { type: 'merge', body });
    };
    await runServiceController(world);
    const failed = 'Error syncing load balancer: failed to update load balancer status: ';
    await until(() => world.events.some((event) => event.includes(failed)), 'the conflict is told');
    assert.match(world.events.find((event) => event.includes(failed)) ?? '', /the object has been modified/);
  });

  test('is removed by what it was last, when it goes without a finalizer (S10)', async () => {
    await using world = await cluster.world();
    const asked: string[] = [];
    world.cloud.scripts.delete = (_context, { loadBalancerIp }) => void asked.push(loadBalancerIp);
    await runServiceController(world);
    await world.createService('web', { spec: { loadBalancerIP: '192.168.1.1' } });
    await served(world, 'web');
    await world.patchService('web', { spec: { loadBalancerIP: '192.168.1.11' } });
    await until(() => world.cloud.calls.length === 2, 'the change is taken in');
    await world.patchService('web', { metadata: { finalizers: null } });
    await world.deleteService('web');
    await until(() => asked.length === 1, 'it is removed');
    assert.deepEqual(asked, ['192.168.1.11']);
  });
});
