import assert from 'node:assert/strict';
import { scenario } from './world/scenario.ts';
import { initialise, isInitialised } from './world/steps.ts';
import { stays, waitFor } from './world/wait-for.ts';
import type { World } from './world/world.ts';

const SHUTDOWN = 'node.cloudprovider.kubernetes.io/shutdown';
const UNINITIALIZED = 'node.cloudprovider.kubernetes.io/uninitialized';
const OFTEN = ['--node-status-update-frequency=500ms'];

scenario(
  'a node that is not ready is judged by its machine, and one that is ready is not (Y1 to Y8, Y12 to Y16, Y19)',
  async (world) => {
    await world.startController();
    const names = ['false-gone', 'unknown-gone', 'false-here', 'unknown-here', 'ready-gone', 'stopped-gone'];
    for (const name of [...names, 'ready-stopped', 'false-stopped', 'by-name']) world.cloud.addMachine(name);
    await initialise(world, [...names, 'ready-stopped', 'false-stopped', 'node-1']);
    await world.join('by-name', { uninitialized: false, ready: false });
    for (const name of ['ready-stopped', 'false-stopped', 'stopped-gone', 'by-name']) {
      world.cloud.setState(name, 'Stopped');
    }
    await world.setReady('stopped-gone', 'Unknown');
    await waitFor('a node whose machine is stopped is tainted', () => assertTainted(world, 'stopped-gone'));
    for (const name of ['false-gone', 'unknown-gone', 'ready-gone', 'stopped-gone']) {
      await world.cloud.destroyMachine(name);
    }
    for (const name of ['false-gone', 'false-here', 'false-stopped']) await world.setReady(name, false);
    for (const name of ['unknown-gone', 'unknown-here']) await world.setReady(name, 'Unknown');

    const left = ['by-name', 'false-here', 'false-stopped', 'node-1', 'ready-gone', 'ready-stopped', 'unknown-here'];
    await waitFor('the dead nodes are gone', () => assertNodes(world, left));
    for (const name of ['false-stopped', 'by-name']) {
      await waitFor(`${name} is tainted`, () => assertTainted(world, name));
    }
    assert.equal((await world.node('by-name')).providerId, '');
    await stays(
      'no other node goes or is tainted',
      async () => {
        await assertNodes(world, left);
        const tainted = (await world.nodes()).filter(({ taints }) => taints.includes(SHUTDOWN));
        assert.deepEqual(tainted.map(({ name }) => name).sort(), ['by-name', 'false-stopped']);
      },
      2000,
    );
    for (const name of ['false-gone', 'unknown-gone', 'stopped-gone']) {
      const told = (await world.events(`Node ${name}`)).find(({ reason }) => reason === 'DeletingNode');
      assert.equal(told?.apiVersion, 'v1', `the deletion of ${name} is not told of a Node`);
    }
    await world.setReady('false-stopped', true);
    await waitFor('a node that is ready again loses the taint', async () => {
      assert.ok(!(await world.node('false-stopped')).taints.includes(SHUTDOWN));
    });
  },
);

scenario('an error of the cloud keeps every node as it is (Y2, Y10)', async (world) => {
  const controller = await world.startController();
  await initialise(world);
  await world.join('by-name', { uninitialized: false, ready: false });
  await world.cloud.destroyMachine('node-3');
  const broken = world.cloud.simulator.faults.add({
    command: 'listVirtualMachines',
    action: { kind: 'api-error', code: 530, text: 'Internal error executing command' },
  });
  await world.setReady('node-3', false);
  const told = controller.output.length;
  await waitFor('the error is logged', () => {
    assert.match(controller.output.slice(told), /Internal error executing command/);
  });
  await stays(
    'nothing goes and nothing is tainted',
    async () => {
      await assertNodes(world, ['by-name', 'node-1', 'node-2', 'node-3']);
      assert.ok((await world.nodes()).every(({ taints }) => !taints.includes(SHUTDOWN)));
    },
    2000,
  );
  world.cloud.simulator.faults.remove(broken);
  // Nobody can tell the machine of a node without provider ID that is gone from one that was renamed.
  await waitFor('then the dead node goes', () => assertNodes(world, ['by-name', 'node-1', 'node-2']));
});

scenario(
  'labels and addresses of initialised nodes follow the machine, and those of others wait (L1 to L4, A2, A5, A7)',
  async (world) => {
    await world.startController({ flags: OFTEN });
    await initialise(world);
    const { labels, addresses } = await world.node('node-1');
    const stable = { 'topology.kubernetes.io/zone': 'elsewhere', 'topology.kubernetes.io/region': null };
    await world.client.patch('/api/v1/nodes/node-1', { metadata: { labels: stable } });
    await waitFor('the stable labels are those of the machine again', async () => {
      assert.deepEqual((await world.node('node-1')).labels, labels);
    });
    const nat = world.cloud.staticNat('node-1');
    await waitFor('the new address is there', async () => {
      assert.deepEqual(new Set((await world.node('node-1')).addresses), new Set([...addresses, `ExternalIP ${nat}`]));
    });
    await world.join('nowhere');
    const { resourceVersion } = await world.node('node-2');
    const asked = world.cloud.calls('listVirtualMachines').length;
    await waitFor('three more rounds', () => assert.ok(world.cloud.calls('listVirtualMachines').length >= asked + 3));
    assert.equal((await world.node('node-2')).resourceVersion, resourceVersion, 'what is right was written again');
    const waiting = await world.node('nowhere');
    assert.ok(waiting.taints.includes(UNINITIALIZED));
    assert.deepEqual(waiting.addresses, ['Hostname nowhere']);
    world.cloud.addMachine('nowhere');
    await waitFor('it is initialised with its machine', () => isInitialised(world, 'nowhere'));
  },
);

async function assertNodes(world: World, names: readonly string[]): Promise<void> {
  assert.deepEqual((await world.nodes()).map(({ name }) => name).sort(), names);
}

async function assertTainted(world: World, name: string): Promise<void> {
  assert.ok((await world.node(name)).taints.includes(SHUTDOWN));
}
