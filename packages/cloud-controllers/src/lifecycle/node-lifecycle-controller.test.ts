import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import type { Sighting } from '../cloud.ts';
import { SHUTDOWN_TAINT } from '../nodes/well-known.ts';
import { TestCluster, until, type World } from '../testing/cluster.ts';
import { NodeLifecycleController } from './node-lifecycle-controller.ts';

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.start();
});
after(() => cluster[Symbol.asyncDispose]());

const LIMITS = { count: 3, percent: 20, windowMs: 60_000 };

const controllerOf = (world: World, periodMs = 60_000): NodeLifecycleController =>
  new NodeLifecycleController({
    ...world.common,
    client: world.client.nodes,
    informer: world.nodes,
    instances: world.cloud.instances,
    limits: () => LIMITS,
    periodMs,
  });

/** Nodes `n1`… of which the given ones are not ready and have machines in the given states; `w` is ready. */
async function scene(world: World, states: Readonly<Record<string, Sighting['state']>>): Promise<void> {
  await world.createNode('w', { ready: 'True' });
  for (const [name, state] of Object.entries(states)) {
    await world.createNode(name, { ready: 'False' });
    world.cloud.sightings.set(name, state);
  }
}

async function passes(world: World, count: number): Promise<NodeLifecycleController> {
  const controller = controllerOf(world);
  await world.follow();
  for (let pass = 0; pass < count; pass++) await controller.pass(world.scope);
  return controller;
}

const taintsOf = async (world: World, name: string) => (await world.node(name))?.spec.taints;
const exists = async (world: World, name: string): Promise<boolean> => (await world.node(name)) !== undefined;

describe('A node that is not ready', () => {
  test('goes in the second pass that does not find its machine (Y1, Y13, Y16)', async () => {
    await using world = await cluster.world();
    await scene(world, { n1: 'absent' });
    const controller = await passes(world, 1);
    assert.equal(await exists(world, 'n1'), true);
    assert.deepEqual(world.told(), []);
    await controller.pass(world.scope);
    assert.equal(await exists(world, 'n1'), false);
    assert.deepEqual(world.told(), [
      'Normal DeletingNode n1: Deleting node n1 because it does not exist in the cloud provider',
    ]);
    assert.equal(await world.metric('node_lifecycle_controller_deletions_total{proof="absent"}'), 1);
  });

  test('goes also when nothing is heard of it, by the condition Unknown or none (Y4)', async () => {
    await using world = await cluster.world();
    await world.createNode('w', { ready: 'True' });
    await world.createNode('n1', { ready: 'Unknown' });
    await world.createNode('n2');
    for (const name of ['n1', 'n2']) world.cloud.sightings.set(name, 'absent');
    await passes(world, 2);
    assert.equal(await exists(world, 'n1'), false);
    assert.equal(await exists(world, 'n2'), false);
  });

  test('goes at once when its machine is seen to be destroyed (Y12, Y15)', async () => {
    await using world = await cluster.world();
    await scene(world, { n1: 'gone' });
    await passes(world, 1);
    assert.equal(await exists(world, 'n1'), false);
  });

  test('stays when the cloud cannot tell, or cannot be asked (Y2, Y10)', async () => {
    await using world = await cluster.world();
    await scene(world, { n1: 'unknown' });
    const controller = await passes(world, 2);
    world.cloud.lookError = new Error('HTTP 401');
    await controller.pass(world.scope);
    await controller.pass(world.scope);
    assert.equal(await exists(world, 'n1'), true);
    assert.deepEqual(world.told(), []);
    assert.equal(await world.metric('node_lifecycle_controller_suspect_nodes{state="unknown"}'), 1);
  });

  test('stays as it is while its machine runs (Y3, Y5)', async () => {
    await using world = await cluster.world();
    await scene(world, { n1: 'running' });
    await passes(world, 2);
    assert.deepEqual(await taintsOf(world, 'n1'), []);
    assert.equal(await world.requests('PATCH'), 0);
  });

  test('is tainted once when its machine is shut down, and gets no provider ID (Y7, Y8)', async () => {
    await using world = await cluster.world();
    await scene(world, { n1: 'stopped' });
    const controller = await passes(world, 1);
    const node = await world.node('n1');
    assert.deepEqual(node?.spec.taints, [SHUTDOWN_TAINT]);
    assert.equal(node.spec.providerID, '');
    await until(
      () => world.nodes.lister.get('n1')?.spec.taints.some(({ key }) => key === SHUTDOWN_TAINT.key) ?? false,
      'the taint is seen',
    );
    await controller.pass(world.scope);
    assert.equal(await world.requests('PATCH'), 1);
  });

  test('is neither deleted nor tainted when it belongs to another system', async () => {
    await using world = await cluster.world();
    await scene(world, { n1: 'foreign' });
    await passes(world, 3);
    assert.equal(await exists(world, 'n1'), true);
    assert.deepEqual(world.told(), []);
    assert.equal(await world.requests('PATCH'), 0);
  });

  test('stays when it has become ready since it was last seen', async () => {
    await using world = await cluster.world();
    await scene(world, { n1: 'gone', n2: 'stopped' });
    const controller = controllerOf(world);
    await world.follow();
    const { look } = world.cloud.instances;
    world.cloud.instances.look = async (...args) => {
      for (const name of ['n1', 'n2']) {
        await world.setStatus(name, { conditions: [{ type: 'Ready', status: 'True', reason: 'Back' }] });
      }
      return look(...args);
    };
    await controller.pass(world.scope);
    assert.equal(await exists(world, 'n1'), true);
    assert.deepEqual(await taintsOf(world, 'n2'), []);
    assert.deepEqual(world.told(), []);
  });

  test('stays when it was made anew under its name', async () => {
    await using world = await cluster.world();
    await scene(world, { n1: 'gone' });
    const controller = controllerOf(world);
    await world.follow();
    const { look } = world.cloud.instances;
    world.cloud.instances.look = async (...args) => {
      await world.plane.client.delete('/api/v1/nodes/n1');
      await world.createNode('n1', { ready: 'False' });
      return look(...args);
    };
    await controller.pass(world.scope);
    assert.equal(await exists(world, 'n1'), true);
  });

  test('is told when it cannot be deleted, and tried again (Y20)', async () => {
    await using world = await cluster.world();
    await scene(world, { n1: 'gone' });
    world.leading = false;
    const controller = await passes(world, 1);
    assert.deepEqual(world.told(), [
      'Normal DeletingNode n1: Deleting node n1 because it does not exist in the cloud provider',
      'Warning DeletingNodeFailed n1: Failed deleting node n1: Node n1 was not written: another replica may lead by now',
    ]);
    world.leading = true;
    await controller.pass(world.scope);
    assert.equal(await exists(world, 'n1'), false);
  });
});

describe('A node that is ready', () => {
  test('stays whatever the cloud says of its machine, and the cloud is not even asked (Y6, Y14)', async () => {
    await using world = await cluster.world();
    await world.createNode('n1', { ready: 'True' });
    world.cloud.sightings.set('n1', 'gone');
    await passes(world, 2);
    assert.equal(await exists(world, 'n1'), true);
    assert.deepEqual(world.cloud.take(), []);
  });

  test('loses its shutdown taint and keeps others (Y19)', async () => {
    await using world = await cluster.world();
    const other = { key: 'dedicated', effect: 'NoSchedule' };
    await world.createNode('n1', { ready: 'True', taints: [SHUTDOWN_TAINT, other] });
    await passes(world, 1);
    assert.deepEqual(await taintsOf(world, 'n1'), [other]);
  });
});

describe('Deletion is held', () => {
  test('without a witness, told once, and shown in metric and note until it clears (case 12 e)', async () => {
    await using world = await cluster.world();
    for (const name of ['n1', 'n2']) {
      await world.createNode(name, { ready: 'False' });
      world.cloud.sightings.set(name, 'absent');
    }
    const controller = await passes(world, 4);
    const [event = '', ...more] = world.told();
    assert.match(event, /^Warning DeletionHeld n1: Deletion of 2 of 2 nodes is held \(n1, n2\): .*credentials/);
    assert.deepEqual(more, []);
    assert.equal(await world.metric('node_lifecycle_controller_held_deletions{reason="no-witness"}'), 2);
    assert.match(controller.note() ?? '', /Deletion of 2 of 2 nodes is held/);

    world.cloud.sightings.clear();
    await controller.pass(world.scope);
    assert.equal(controller.note(), undefined);
    assert.equal(await world.metric('node_lifecycle_controller_held_deletions{reason="no-witness"}'), 0);
    assert.equal(await exists(world, 'n1'), true);
  });

  test('when too many would go at once (case 13, variant)', async () => {
    await using world = await cluster.world();
    await scene(world, { n1: 'absent', n2: 'absent', n3: 'absent', n4: 'absent' });
    const controller = await passes(world, 3);
    const [event = '', ...more] = world.told();
    assert.match(
      event,
      /^Warning DeletionHeld n1: Deletion of 4 of 5 nodes is held .* more than 3 nodes and more than 20 %/,
    );
    assert.deepEqual(more, []);
    for (const name of ['n1', 'n2', 'n3', 'n4']) assert.equal(await exists(world, name), true);
    assert.match(controller.note() ?? '', /at once/);
  });

  test('until a person confirms on the only node that its machine is gone (case 12 f)', async () => {
    await using world = await cluster.world();
    await world.createNode('n1', { ready: 'False' });
    world.cloud.sightings.set('n1', 'absent');
    const controller = await passes(world, 2);
    assert.equal(await exists(world, 'n1'), true);
    await world.patchNode('n1', { metadata: { annotations: { 'cloudstack.apache.org/confirm-deletion': 'true' } } });
    await until(
      () => world.nodes.lister.get('n1')?.metadata.annotations['cloudstack.apache.org/confirm-deletion'] === 'true',
      'the annotation is seen',
    );
    await controller.pass(world.scope);
    assert.equal(await exists(world, 'n1'), false);
    assert.equal(await world.metric('node_lifecycle_controller_deletions_total{proof="confirmed"}'), 1);
  });

  test('and a pass that fails leaves the hold as it is', async () => {
    await using world = await cluster.world();
    await world.createNode('n1', { ready: 'False' });
    world.cloud.sightings.set('n1', 'absent');
    const controller = await passes(world, 2);
    world.cloud.lookError = new Error('HTTP 503');
    await controller.pass(world.scope);
    assert.notEqual(controller.note(), undefined);
  });
});

test('A running controller looks again and again', async () => {
  await using world = await cluster.world();
  await scene(world, { n1: 'absent' });
  const controller = controllerOf(world, 20);
  await world.follow();
  const running = controller.run(world.scope);
  await until(async () => !(await exists(world, 'n1')), 'n1 is deleted');
  controller.drain();
  await running;
});

test('A drain wakes a controller that pauses, and one that was drained does not start', async () => {
  await using world = await cluster.world();
  await scene(world, { n1: 'running' });
  const controller = controllerOf(world);
  await world.follow();
  let ended = false;
  const running = controller.run(world.scope).then(() => (ended = true));
  await until(() => world.cloud.calls.length > 0, 'it has looked');
  controller.drain();
  await until(() => ended, 'it has ended long before its pause');
  await running;
  const drained = controllerOf(world);
  drained.drain();
  await drained.run(world.scope);
  assert.deepEqual(world.cloud.take(), ['look n1']);
});
