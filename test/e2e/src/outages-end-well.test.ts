import assert from 'node:assert/strict';
import { scenario } from './world/scenario.ts';
import { expose, initialise, WEB } from './world/steps.ts';
import { stays, waitFor } from './world/wait-for.ts';

scenario('while CloudStack is down nothing is lost, and when it is back everything converges', async (world) => {
  const controller = await world.startController();
  await initialise(world);
  const web = await expose(world);

  await world.cloud.goDown();
  await world.join('node-4');
  await world.setReady('node-1', false);
  await world.createService({ ...WEB, name: 'born-in-the-dark' });
  await world.deleteService('web');
  await stays(
    'the nodes and the Service that is being deleted stay',
    async () => {
      assert.equal((await world.nodes()).length, 4);
      assert.equal((await world.service('web')).deleting, true);
    },
    3000,
  );
  await waitFor('its endpoint tells that it is alive and not ready', async () => {
    assert.equal((await controller.probe('/livez')).status, 200);
    assert.equal((await controller.probe('/readyz')).status, 500);
  });

  world.cloud.addMachine('node-4');
  await world.cloud.comeBack();
  await waitFor(
    'the new node is initialised, the new Service has an address and the old one is gone',
    async () => {
      assert.equal(
        (await world.node('node-4')).providerId,
        `external-cloudstack://${world.cloud.machine('node-4').id}`,
      );
      const [address] = (await world.service('born-in-the-dark')).ingress;
      assert.ok(address);
      assert.equal(await world.findService('web'), undefined);
      assert.deepEqual(world.cloud.addresses(), [address]);
      for (const { members } of world.cloud.rules())
        assert.deepEqual(members, ['node-1', 'node-2', 'node-3', 'node-4']);
    },
    45_000,
  );
  await waitFor('its endpoint tells that it is ready', async () => {
    assert.equal((await controller.probe('/readyz')).status, 200);
  });
  assert.ok(web.address);
});

scenario('a controller that starts while CloudStack is down waits, says so, and works later', async (world) => {
  await world.cloud.goDown();
  const controller = await world.startController();
  await world.join('node-1');
  await waitFor('its endpoint tells that it is alive and not ready', async () => {
    assert.equal((await controller.probe('/healthz')).status, 200);
    assert.equal((await controller.probe('/readyz')).status, 500);
  });
  await world.cloud.comeBack();
  await waitFor('the node is initialised', async () => assert.ok((await world.node('node-1')).providerId), 45_000);
});

scenario('a restart of the API server is survived: work goes on with what has changed meanwhile', async (world) => {
  await world.startController();
  await initialise(world);
  const web = await expose(world);
  await world.cluster.restartApiServer();
  await world.removeNode('node-1');
  const later = await expose(world, { name: 'later', ports: [{ name: 'any', port: 8080 }] });
  await waitFor('members follow the nodes again', () => {
    for (const { members } of world.cloud.rules()) assert.deepEqual(members, ['node-2', 'node-3']);
  });
  assert.deepEqual([...world.cloud.addresses()].sort(), [web.address, later.address].sort());
});
