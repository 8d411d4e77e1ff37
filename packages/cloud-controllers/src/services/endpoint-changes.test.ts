import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { ReadyNodes } from '../cloud.ts';
import { TestCluster, until, type World } from '../testing/cluster.ts';
import { serviceController } from '../testing/service-controllers.ts';

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.start();
});
after(() => cluster[Symbol.asyncDispose]());

const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';

async function setEndpoints(world: World, service: string, ...nodes: readonly string[]): Promise<void> {
  const { client } = world.plane;
  const endpoints = nodes.map((nodeName) => ({ nodeName, addresses: ['10.244.0.1'] }));
  if (await client.get(`${SLICES}/${service}`)) await client.patch(`${SLICES}/${service}`, { endpoints });
  else {
    const metadata = { name: service, labels: { 'kubernetes.io/service-name': service } };
    const kind = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' };
    await client.create(SLICES, { ...kind, metadata, addressType: 'IPv4', endpoints });
  }
}

test('a change of its endpoints is a change of members to the Service that asks for it, and to no other', async () => {
  await using world = await cluster.world();
  await world.createNode('n1');
  await world.createNode('n2');
  for (const name of ['web', 'other']) {
    await setEndpoints(world, name, 'n1');
    await world.createService(name);
  }
  world.cloud.endpointFollowers.add('default/web');
  const seen: (ReadyNodes | undefined)[] = [];
  for (const call of ['ensure', 'updateMembers'] as const) {
    world.cloud.scripts[call] = (_context, service) => {
      if (service.name === 'web') seen.push(service.readyNodes);
      else assert.equal(service.readyNodes, undefined);
    };
  }
  const { cloud } = world;
  const controller = serviceController(world, { workers: 1 });
  await world.follow();
  const running = controller.run(world.scope).catch(() => undefined);
  await until(() => cloud.balancers.size === 2, 'both Services have load balancers');
  cloud.take();

  await setEndpoints(world, 'other', 'n2');
  await setEndpoints(world, 'web', 'n2');
  await until(() => seen.length === 2, 'the members were looked at again');
  assert.deepEqual(seen, [
    { kind: 'known', names: new Set(['n1']) },
    { kind: 'known', names: new Set(['n2']) },
  ]);
  assert.deepEqual(cloud.take(), ['updateMembers default/web n1 n2']);
  world.scope.cancel();
  await running;
});
