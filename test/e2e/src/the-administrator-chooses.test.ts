import assert from 'node:assert/strict';
import { scenario } from './world/scenario.ts';
import { expose, initialise, WEB } from './world/steps.ts';
import { waitFor } from './world/wait-for.ts';

scenario('with --access-rules=none ports are opened and closed by somebody else', async (world) => {
  await world.startController({ flags: ['--access-rules=none'] });
  await initialise(world);
  const { address } = await expose(world);
  assert.deepEqual([world.cloud.rules().length, world.cloud.firewall(), world.cloud.addresses()], [2, [], [address]]);
  await world.deleteService('web');
  await waitFor('the Service is gone', async () => assert.equal(await world.findService('web'), undefined));
  assert.deepEqual([world.cloud.rules(), world.cloud.addresses()], [[], []]);
});

scenario('with --allow-source-nat-address=false no Service gets the source NAT address', async (world) => {
  const sourceNat = world.cloud.simulator.state.publicIps.find((ip) => ip.isSourceNat);
  assert.ok(sourceNat);
  const first = await world.startController({ flags: ['--allow-source-nat-address=false'] });
  await initialise(world);
  await world.createService({ ...WEB, loadBalancerIp: sourceNat.address });
  await waitFor('an event says why', async () => {
    const told = await world.events('Service web');
    assert.ok(told.some(({ type, message }) => type === 'Warning' && message.includes('is the source NAT address')));
  });
  assert.deepEqual([world.cloud.rules(), world.cloud.writes()], [[], []]);
  await first.stop();

  await world.startController();
  await waitFor('it gets that address where it may', async () => {
    assert.deepEqual((await world.service('web')).ingress, [sourceNat.address]);
  });
});
