import assert from 'node:assert/strict';
import { scenario } from './world/scenario.ts';
import { waitFor } from './world/wait-for.ts';
import type { World } from './world/world.ts';

const UNINITIALIZED = 'node.cloudprovider.kubernetes.io/uninitialized';
const PROVIDED = 'alpha.kubernetes.io/provided-node-ip';

async function failure(world: World, name: string, text: RegExp): Promise<void> {
  await waitFor(`an event on ${name} tells ${text}`, async () => {
    const messages = (await world.events(`Node ${name}`)).map(({ message }) => message);
    assert.ok(messages.some((message) => text.test(message)));
  });
  assert.ok((await world.node(name)).taints.includes(UNINITIALIZED), `${name} lost its taint`);
}

async function initialised(world: World, name: string): Promise<void> {
  await waitFor(`${name} is initialised`, async () => {
    const { addresses, taints } = await world.node(name);
    assert.ok(!taints.includes(UNINITIALIZED));
    assert.ok(addresses.includes(`InternalIP ${world.cloud.machine(name).address}`));
  });
}

scenario('nodes wait while their machine starts, or has no network card, and say so', async (world) => {
  const { nics } = world.cloud.change('node-1', { nics: [] });
  world.cloud.change('node-2', { state: 'Starting' });
  await world.startController();
  for (const name of ['node-1', 'node-2']) await world.join(name);
  await failure(world, 'node-1', /virtual machine node-1 has no network card/);
  await failure(world, 'node-2', /virtual machine node-2 is starting/);
  world.cloud.change('node-1', { nics });
  world.cloud.change('node-2', { state: 'Running' });
  for (const name of ['node-1', 'node-2']) await initialised(world, name);
});

scenario('a display name tells the machine, and the address of the kubelet decides between two', async (world) => {
  for (const name of ['node-1', 'node-2']) world.cloud.change(name, { displayname: 'worker' });
  await world.startController();
  await world.join('worker');
  const candidates = ['node-1', 'node-2'].map((name) => `${name} \\(${world.cloud.machine(name).id}, .*\\)`);
  await failure(world, 'worker', new RegExp(`several virtual machines match node worker: ${candidates.join(', ')}`));
  const { id, address } = world.cloud.machine('node-2');
  await world.client.patch('/api/v1/nodes/worker', { metadata: { annotations: { [PROVIDED]: address } } });
  await waitFor('the node is that of the machine with its address', async () => {
    assert.equal((await world.node('worker')).providerId, `external-cloudstack://${id}`);
  });
});

scenario('an address that the machine does not have is told once, and addresses follow the machine', async (world) => {
  const config = `${world.cloud.config()}node-external-addresses = static-nat\n`;
  const flags = ['--node-status-update-frequency=500ms'];
  await world.startController({ flags, cloudConfig: world.writeCloudConfig(config) });
  await world.join('node-1');
  await initialised(world, 'node-1');
  const external = world.cloud.staticNat('node-1');
  await waitFor('the address of the static NAT is the external one', async () => {
    assert.ok((await world.node('node-1')).addresses.includes(`ExternalIP ${external}`));
  });
  await world.client.patch('/api/v1/nodes/node-1', { metadata: { annotations: { [PROVIDED]: '172.30.0.4' } } });
  await waitFor('an event names both addresses', async () => {
    const event = (await world.events('Node node-1')).find(({ reason }) => reason === 'MisconfiguredInternalIP');
    assert.match(event?.message ?? '', new RegExp(`172\\.30\\.0\\.4.*${world.cloud.machine('node-1').address}`));
  });
  await new Promise((resolve) => setTimeout(resolve, 2000));
  assert.equal(await world.count('Node node-1', 'MisconfiguredInternalIP'), 1);
});
