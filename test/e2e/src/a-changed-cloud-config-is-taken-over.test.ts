import assert from 'node:assert/strict';
import { scenario } from './world/scenario.ts';
import { initialise } from './world/steps.ts';
import { waitFor } from './world/wait-for.ts';
import type { World } from './world/world.ts';

const LEASE = 'Lease cloud-controller-manager';

/** A cloud-config whose keys stand in files beside it, as one Secret with three keys is mounted. */
function writeKeysInFiles(world: World, text: string): string {
  const value = (key: string): string => new RegExp(`^${key} = (.*)$`, 'm').exec(text)?.[1] ?? '';
  world.writeCloudConfig(`${value('api-key')}\n`, 'api-key');
  world.writeCloudConfig(value('secret-key'), 'secret-key');
  const url = `api-url = ${value('api-url')}`;
  return world.writeCloudConfig(`[Global]\n${url}\napi-key-file = api-key\nsecret-key-file = secret-key\n`);
}

scenario('keys in files are taken over when they change, and refused when they do not work', async (world) => {
  await world.startController({ cloudConfig: writeKeysInFiles(world, world.cloud.config()) });
  await world.join('node-1');
  await waitFor('the node is initialised with keys from files', async () => {
    assert.notEqual((await world.node('node-1')).providerId, '');
  });
  writeKeysInFiles(world, world.cloud.config({ secretKey: 'a-key-that-is-wrong' }));
  await waitFor('an event in kube-system tells that the keys were refused', async () => {
    const event = (await world.events(LEASE)).find(({ reason }) => reason === 'CloudConfigRefused');
    assert.equal(event?.namespace, 'kube-system');
    assert.match(event.message, /^Kept the old cloud-config: .*401/);
  });
  await world.join('node-2');
  await waitFor('the old keys still work', async () => {
    assert.notEqual((await world.node('node-2')).providerId, '');
  });
  writeKeysInFiles(world, world.cloud.strangerConfig());
  await waitFor('an event tells that other keys are in use', async () => {
    assert.ok((await world.reasons(LEASE)).includes('CloudConfigReloaded'));
  });
  assert.equal(await world.count(LEASE, 'CloudConfigRefused'), 1, 'a problem that lasts is told once');
  await world.join('node-3');
  await waitFor('the other account does not see the machine', async () => {
    assert.ok((await world.reasons('Node node-3')).includes('InitializationFailed'));
  });
});

scenario('limits of the deletion guard in cloud-config hold a deletion, and let go when they change', async (world) => {
  const strict = 'node-deletion-hold-count = 0\nnode-deletion-hold-percent = 0\n';
  const cloudConfig = world.writeCloudConfig(world.cloud.config() + strict);
  await world.startController({ cloudConfig });
  await initialise(world);
  await world.cloud.destroyMachine('node-3');
  await world.setReady('node-3', false);
  await waitFor('an event tells that the deletion is held', async () => {
    assert.ok((await world.reasons('Node node-3')).includes('DeletionHeld'));
  });
  world.writeCloudConfig(world.cloud.config());
  await waitFor('the node goes once the limits are the usual ones', async () => {
    assert.deepEqual((await world.nodes()).map(({ name }) => name).toSorted(), ['node-1', 'node-2']);
  });
});
