import assert from 'node:assert/strict';
import { scenario } from './world/scenario.ts';
import { expose, initialise, WEB } from './world/steps.ts';
import { stays, waitFor } from './world/wait-for.ts';

const WRONG = 'this-is-a-secret-key-that-nobody-may-see';

scenario('a wrong secret key is told clearly, harms no node and is printed nowhere', async (world) => {
  const first = await world.startController();
  await initialise(world);
  const { address } = await expose(world);
  await first.stop();
  const before = [world.cloud.rules(), world.cloud.firewall()];

  for (const name of ['node-1', 'node-2', 'node-3']) await world.setReady(name, false);
  const cloudConfig = world.writeCloudConfig(world.cloud.config({ secretKey: WRONG }), 'wrong');
  const second = await world.startController({ cloudConfig });
  await world.createService({ ...WEB, name: 'new' });
  await waitFor('an event on the Service says that the credentials are refused', async () => {
    const told = (await world.events('Service new')).filter(({ type }) => type === 'Warning');
    assert.ok(
      told.some(({ message }) => message.includes('401')),
      JSON.stringify(told),
    );
  });
  await stays('every node stays', async () => assert.equal((await world.nodes()).length, 3), 5000);
  assert.deepEqual((await world.service('web')).ingress, [address]);
  assert.deepEqual([world.cloud.rules(), world.cloud.firewall()], before);
  const ready = await second.probe('/readyz?verbose');
  assert.equal(ready.status, 500);

  const metrics = await second.probe('/metrics');
  const everything = [second.output, JSON.stringify(await world.events()), ready.body, metrics.body].join('\n');
  assert.ok(!everything.includes(WRONG), 'the secret key was printed');
  assert.match(second.output, /credentials|API key|secret key|401/i);
});
