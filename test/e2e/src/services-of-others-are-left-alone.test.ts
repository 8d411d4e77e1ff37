import assert from 'node:assert/strict';
import { scenario } from './world/scenario.ts';
import { expose, initialise, WEB } from './world/steps.ts';
import { waitFor } from './world/wait-for.ts';

scenario('a Service with a class of its own belongs to somebody else (case 64)', async (world) => {
  await world.startController();
  await world.createService({ ...WEB, name: 'theirs', loadBalancerClass: 'example.com/my-own-lb' });
  await initialise(world);
  const { address } = await expose(world);
  const { finalizers, ingress, annotations } = await world.service('theirs');
  assert.deepEqual({ finalizers, ingress, annotations }, { finalizers: [], ingress: [], annotations: {} });
  assert.deepEqual(await world.reasons('Service theirs'), []);
  assert.deepEqual(world.cloud.addresses(), [address], 'an address was taken for it');

  await world.deleteService('theirs');
  await waitFor('it is gone', async () => assert.equal(await world.findService('theirs'), undefined));
});

scenario(
  'without the service controller nodes are initialised and Services are not looked at (case 64)',
  async (world) => {
    const controller = await world.startController({ flags: ['--controllers=*,-service'] });
    await world.createService(WEB);
    await initialise(world);
    assert.match(controller.output, /\\?"service\\?" is disabled/);
    const asked = world.cloud.simulator.callLog.entries.map(({ command }) => command);
    assert.deepEqual(
      asked.filter((command) => /LoadBalancer|IpAddress|Firewall/.test(command)),
      [],
    );
    const { finalizers, ingress } = await world.service('web');
    assert.deepEqual({ finalizers, ingress }, { finalizers: [], ingress: [] });
  },
);
