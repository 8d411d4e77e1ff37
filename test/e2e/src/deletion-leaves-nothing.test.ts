import assert from 'node:assert/strict';
import { scenario } from './world/scenario.ts';
import { expose, initialise, WEB } from './world/steps.ts';
import { waitFor } from './world/wait-for.ts';
import type { World } from './world/world.ts';

scenario('a deleted Service leaves nothing behind, and its address is free again', async (world) => {
  await world.startController();
  await initialise(world);
  await expose(world);
  const other = await expose(world, { name: 'other', ports: [{ name: 'dns', port: 53 }] });
  const kept = world.cloud.rules().filter((rule) => rule.address === other.address);

  await deleteAndWait(world, 'web');
  assert.deepEqual(world.cloud.addresses(), [other.address]);
  assert.deepEqual(world.cloud.rules(), kept, 'another Service lost something');
  assert.deepEqual(world.cloud.firewall(), [`${other.address} tcp 53-53 0.0.0.0/0`]);
});

scenario('an address that a user had taken is given back to nobody', async (world) => {
  const address = world.cloud.takeAddress();
  await world.startController();
  await initialise(world);
  await expose(world, { ...WEB, loadBalancerIp: address });

  await deleteAndWait(world, 'web');
  assert.deepEqual(world.cloud.addresses(), [address]);
  assert.deepEqual(world.cloud.rules(), []);
  assert.deepEqual(world.cloud.firewall(), []);
  assert.ok(!world.cloud.writes().some((call) => call.startsWith('disassociateIpAddress')));
});

scenario(
  'a Service that no longer wants a load balancer loses it, and stays as its user wrote it (case 65)',
  async (world) => {
    await world.startController();
    await initialise(world);
    const ofUser = {
      'example.com/mine': 'yes',
      'service.beta.kubernetes.io/cloudstack-load-balancer-proxy-protocol': 'true',
    };
    const { annotations: before } = await expose(world, { ...WEB, annotations: ofUser });
    assert.ok(Object.keys(before).length > 2, 'the controller noted nothing');
    await world.patchService('web', { spec: { type: 'ClusterIP' } });
    await waitFor('nothing is left', async () => {
      assert.deepEqual([world.cloud.addresses(), world.cloud.rules(), world.cloud.firewall()], [[], [], []]);
      const { finalizers, ingress, annotations } = await world.service('web');
      assert.deepEqual({ finalizers, ingress, annotations }, { finalizers: [], ingress: [], annotations: ofUser });
    });
  },
);

scenario('a Service deleted while nobody looked is cleaned up, and nothing is made first (case 66)', async (world) => {
  const first = await world.startController();
  await initialise(world);
  await expose(world);
  await first.stop();
  await world.deleteService('web');
  await world.removeNode('node-3');
  world.cloud.addMachine('node-4');
  await world.join('node-4');
  const before = world.cloud.writes().length;

  await world.startController();
  await waitFor('the Service is gone', async () => assert.equal(await world.findService('web'), undefined));
  assert.deepEqual([world.cloud.addresses(), world.cloud.rules(), world.cloud.firewall()], [[], [], []]);
  const commands = world.cloud.writes().map((call) => call.split(' ')[0] ?? '');
  assert.deepEqual(
    commands.slice(before).filter((command) => !/^(delete|disassociate)/.test(command)),
    [],
  );
});

async function deleteAndWait(world: World, name: string): Promise<void> {
  await world.deleteService(name);
  await waitFor(`Service ${name} is gone`, async () => assert.equal(await world.findService(name), undefined));
}
