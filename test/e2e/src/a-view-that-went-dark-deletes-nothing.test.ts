import assert from 'node:assert/strict';
import type { ControllerProcess } from './world/controller-process.ts';
import { scenario } from './world/scenario.ts';
import { expose, initialise } from './world/steps.ts';
import { stays, waitFor } from './world/wait-for.ts';
import type { World } from './world/world.ts';

const NAMES = ['node-1', 'node-2', 'node-3'];
const SHUTDOWN = 'node.cloudprovider.kubernetes.io/shutdown';
const HELD = 'node_lifecycle_controller_held_deletions{reason="no-witness"}';

/** A mounted Secret is looked at every ten seconds. */
const RELOAD_MS = 25_000;

scenario('keys of another account delete nothing, and all goes on with the right ones (case 73)', async (world) => {
  await sees(world, world.cloud.strangerConfig());
});

scenario(
  'a project-id that is left out deletes nothing, and all goes on when it is back (case 74)',
  async (world) => {
    await sees(world, world.cloud.config({ project: false }));
  },
  { inProject: true },
);

/** Plays what happens when the cloud-config is replaced by one that shows none of the cluster's machines. */
async function sees(world: World, wrong: string): Promise<void> {
  const right = world.cloud.config();
  const cloudConfig = world.writeCloudConfig(right);
  const controller = await world.startController({ cloudConfig, flags: ['--min-resync-period=5s'] });
  await initialise(world);
  await expose(world);
  const before = await picture(world);
  for (const name of NAMES) await world.setReady(name, false);

  world.writeCloudConfig(wrong);
  await waitFor('deletion is held for all nodes', () => assertHeld(world, controller), RELOAD_MS);
  const heard = world.cloud.writes().length;
  await stays('every node and rule stays as it is', async () => assert.deepEqual(await picture(world), before), 3000);
  assert.equal(world.cloud.writes().length, heard, 'it wrote in the dark');
  const held = (await world.events()).filter(({ reason }) => reason === 'DeletionHeld');
  assert.equal(
    held.reduce((sum, { count }) => sum + count, 0),
    1,
    'one event tells it, not one for each pass',
  );

  world.writeCloudConfig(right);
  await waitFor('nothing is held any more', () => assertNothingHeld(world, controller), RELOAD_MS);
  assert.deepEqual(await picture(world), before);
  await goesOn(world);
}

async function picture(world: World) {
  const nodes = await world.nodes();
  return {
    nodes: nodes.map(({ name, uid, providerId }) => ({ name, uid, providerId })),
    tainted: nodes.filter(({ taints }) => taints.includes(SHUTDOWN)),
    rules: world.cloud.rules(),
    firewall: world.cloud.firewall(),
    addresses: world.cloud.addresses(),
  };
}

async function assertHeld(world: World, controller: ControllerProcess): Promise<void> {
  const events = (await world.events()).filter(({ reason }) => reason === 'DeletionHeld');
  assert.equal(events.length, 1, 'event');
  assert.match(events[0]?.message ?? '', /credentials or the project may be wrong/);
  const metrics = await controller.probe('/metrics', world.cluster.adminToken);
  assert.ok(metrics.body.includes(`${HELD} 3\n`), 'metric');
  assert.match(controller.output, /^W.*Deletion of 3 of 3 nodes is held/m, 'log');
  const health = await controller.probe('/healthz?verbose', world.cluster.adminToken);
  assert.equal(health.status, 200, 'a hold is no reason to restart the controller');
  assert.match(health.body, /cloud-node-lifecycle-controller ok.*Deletion of 3 of 3 nodes is held/, 'health');
}

async function assertNothingHeld(world: World, controller: ControllerProcess): Promise<void> {
  const metrics = await controller.probe('/metrics', world.cluster.adminToken);
  assert.ok(metrics.body.includes(`${HELD} 0\n`), 'metric');
  assert.match(controller.output, /Deletion of nodes is no longer held/, 'log');
  const health = await controller.probe('/healthz?verbose', world.cluster.adminToken);
  assert.doesNotMatch(health.body, /is held/, 'health');
}

/** A dead node goes, a living one comes back, a new one is initialised. */
async function goesOn(world: World): Promise<void> {
  await world.setReady('node-1', true);
  await world.cloud.destroyMachine('node-3');
  await waitFor('the node of a dead machine goes', async () => {
    assert.deepEqual((await world.nodes()).map(({ name }) => name).sort(), ['node-1', 'node-2']);
  });
  world.cloud.addMachine('node-4');
  await initialise(world, ['node-4']);
}
