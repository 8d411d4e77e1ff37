import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { TestCluster, until } from '../testing/cluster.ts';
import { serviceController } from '../testing/service-controllers.ts';

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.start();
});
after(() => cluster[Symbol.asyncDispose]());

test('a label of a node is a change of members to the Service that chooses by it, and to no other', async () => {
  await using world = await cluster.world();
  await world.createNode('n1');
  await world.createNode('n2');
  for (const name of ['web', 'other']) await world.createService(name);
  world.cloud.nodeFilters.set('default/web', ({ labels }) => labels['pool'] === 'edge');
  const { cloud } = world;
  const controller = serviceController(world, { workers: 1 });
  await world.follow();
  const running = controller.run(world.scope).catch(() => undefined);
  await until(() => cloud.balancers.size === 2, 'both Services have load balancers');
  cloud.take();

  const { client: api } = world.plane;
  await api.patch('/api/v1/nodes/n1', { metadata: { labels: { colour: 'red' } } });
  await api.patch('/api/v1/nodes/n2', { metadata: { labels: { pool: 'edge' } } });
  await until(() => cloud.calls.length > 0, 'the members were looked at again');
  assert.deepEqual(cloud.take(), ['updateMembers default/web n1 n2']);
  world.scope.cancel();
  await running;
});
