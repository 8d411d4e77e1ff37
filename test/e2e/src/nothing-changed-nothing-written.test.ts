import assert from 'node:assert/strict';
import { scenario } from './world/scenario.ts';
import { expose, initialise, WEB } from './world/steps.ts';
import { stays, waitFor } from './world/wait-for.ts';

scenario(
  'a second pass over unchanged Services changes nothing, in the cloud or in a status (cases 33, 67)',
  async (world) => {
    const first = await world.startController();
    await initialise(world);
    await expose(world, { ...WEB, sourceRanges: ['192.0.2.0/24', '198.51.100.0/24'] });
    await expose(world, { name: 'second', ports: [{ name: 'any', port: 8080 }], annotations: PROXY });
    const { ingress } = await expose(world, { ...WEB, name: 'named', annotations: HOSTNAME });
    assert.deepEqual(ingress, ['lb.example.com']);
    await first.stop();
    const writes = world.cloud.writes();
    assert.ok(writes.length > 0);
    const versions = await resourceVersions();

    // A new process works on every Service once.
    const second = await world.startController();
    await waitFor('it has looked at all Services', async () => {
      for (const name of ['web', 'second', 'named']) {
        assert.equal(await world.count(`Service ${name}`, 'EnsuredLoadBalancer'), 2);
      }
    });
    await stays('nothing is written', () => assert.deepEqual(world.cloud.writes(), writes), 1500);
    assert.deepEqual(await resourceVersions(), versions, 'a Service or node was written');
    assert.equal(second.exit, undefined);

    async function resourceVersions(): Promise<readonly unknown[]> {
      const lists = await Promise.all(['services', 'nodes'].map((kind) => world.client.get(`/api/v1/${kind}`)));
      return lists
        .flatMap((list) => (list as { items: { metadata: { name: string; resourceVersion: string } }[] }).items)
        .map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`);
    }
  },
);

const HOSTNAME = { 'service.beta.kubernetes.io/cloudstack-load-balancer-hostname': 'lb.example.com' };
const PROXY = { 'service.beta.kubernetes.io/cloudstack-load-balancer-proxy-protocol': 'true' };
