import assert from 'node:assert/strict';
import { scenario } from './world/scenario.ts';
import { initialise, isInitialised } from './world/steps.ts';
import { stays, waitFor } from './world/wait-for.ts';
import type { World } from './world/world.ts';

/** The releases of CloudStack that differ in what they tell of machines and accounts. */
const RELEASES = ['4.14', '4.18', '4.20', '4.22', '4.23'];

const SHUTDOWN = 'node.cloudprovider.kubernetes.io/shutdown';

for (const version of RELEASES) {
  scenario(
    `CloudStack ${version}: nodes are initialised, dead ones go, live ones stay, and other keys delete nothing`,
    async (world) => {
      const first = await world.startController();
      await initialise(world);
      for (const name of ['node-1', 'node-2', 'node-3']) {
        const { labels, addresses, providerId } = await world.node(name);
        const { id, address } = world.cloud.machine(name);
        assert.equal(providerId, `external-cloudstack://${id}`);
        assert.equal(labels['topology.kubernetes.io/zone'], 'zone-1');
        assert.equal(labels['node.kubernetes.io/instance-type'], 'MediumInstance');
        assert.ok(addresses.includes(`InternalIP ${address}`));
      }
      await world.cloud.destroyMachine('node-3');
      world.cloud.setState('node-2', 'Stopped');
      for (const name of ['node-2', 'node-3']) await world.setReady(name, false);
      await waitFor('the node of the destroyed machine is gone', () => assertNodes(world, ['node-1', 'node-2']));
      await waitFor('the node of the stopped one is tainted', async () => {
        assert.ok((await world.node('node-2')).taints.includes(SHUTDOWN));
      });
      world.cloud.setState('node-2', 'Running');
      await world.setReady('node-2', true);
      await waitFor('the taint is gone', async () => {
        assert.ok(!(await world.node('node-2')).taints.includes(SHUTDOWN));
      });
      await first.stop();

      const cloudConfig = world.writeCloudConfig(world.cloud.strangerConfig({ machines: ['node-1'] }), 'stranger');
      for (const name of ['node-1', 'node-2']) await world.setReady(name, false);
      const second = await world.startController({ cloudConfig });
      await waitFor('deletion is held', () => assert.match(second.output, /Deletion of 2 of 2 nodes is held/));
      await stays('both nodes stay', () => assertNodes(world, ['node-1', 'node-2']), 1500);
      assert.ok((await world.nodes()).every(({ taints }) => !taints.includes(SHUTDOWN)));
      await second.stop();

      const third = await world.startController();
      world.cloud.addMachine('node-4');
      await world.join('node-4');
      await waitFor('a new node is initialised', () => isInitialised(world, 'node-4'));
      await stays('the living nodes stay', () => assertNodes(world, ['node-1', 'node-2', 'node-4']), 1500);
      assert.doesNotMatch(third.output, /is held/);
    },
    { version, clusters: ['kube-apiserver'] },
  );
}

async function assertNodes(world: World, names: readonly string[]): Promise<void> {
  assert.deepEqual((await world.nodes()).map(({ name }) => name).sort(), names);
}
