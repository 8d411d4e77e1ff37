import assert from 'node:assert/strict';
import { scenario } from './world/scenario.ts';
import { expose, initialise } from './world/steps.ts';
import { stays, waitFor } from './world/wait-for.ts';
import type { World } from './world/world.ts';

scenario('a node goes when its machine is destroyed and it is not ready', async (world) => {
  await world.startController();
  await initialise(world);
  await expose(world);
  await world.cloud.destroyMachine('node-2');
  await stays('a ready node stays, whatever the cloud says', () => world.node('node-2'), 2000);

  await world.setReady('node-2', false);
  await waitFor('the dead node is gone', () => assertNodes(world, ['node-1', 'node-3']));
  await waitFor('an event told it', async () => {
    assert.ok((await world.reasons('Node node-2')).includes('DeletingNode'));
  });
  await waitFor('its machine is no member', () => {
    for (const { members } of world.cloud.rules()) assert.deepEqual(members, ['node-1', 'node-3']);
  });
});

scenario('a node that is not ready stays while its machine is there', async (world) => {
  await world.startController();
  await initialise(world);
  await world.setReady('node-2', false);
  await stays('the node stays', () => assertNodes(world, ['node-1', 'node-2', 'node-3']), 3000);
});

scenario('no node goes when the keys see no machine of this cluster at all', async (world) => {
  const first = await world.startController();
  await initialise(world);
  await first.stop();
  await world.setReady('node-2', false);
  const stranger = world.writeCloudConfig(world.cloud.strangerConfig(), 'stranger');
  const second = await world.startController({ cloudConfig: stranger });
  await stays('every node stays', () => assertNodes(world, ['node-1', 'node-2', 'node-3']), 5000);
  assert.ok(
    world.cloud.simulator.callLog.entries.some(({ account }) => account === 'stranger'),
    'it did not even look',
  );
  await waitFor('somebody is told why', async () => {
    const events = await world.events('Node node-2');
    assert.ok(
      events.some(({ type }) => type === 'Warning'),
      second.tail(),
    );
  });
});

async function assertNodes(world: World, names: readonly string[]): Promise<void> {
  const nodes = await world.nodes();
  assert.deepEqual(nodes.map(({ name }) => name).sort(), names);
}
