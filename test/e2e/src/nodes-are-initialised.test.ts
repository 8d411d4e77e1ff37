import assert from 'node:assert/strict';
import { scenario } from './world/scenario.ts';
import { waitFor } from './world/wait-for.ts';

const UNINITIALIZED = 'node.cloudprovider.kubernetes.io/uninitialized';
const NAMES = ['node-1', 'node-2', 'node-3'];

scenario(
  'new nodes get the provider IDs, labels and addresses of their machines, and lose the taint',
  async (world) => {
    await world.startController();
    for (const name of NAMES) await world.join(name, { labels: { 'example.org/team': 'shop' } });
    await waitFor('all nodes are initialised', async () => {
      for (const node of await world.nodes()) {
        assert.ok(!node.taints.includes(UNINITIALIZED), `${node.name} has the taint`);
        assert.ok(node.addresses.length > 1, `${node.name} has no address`);
      }
    });
    for (const name of NAMES) {
      const { id, address } = world.cloud.machine(name);
      const node = await world.node(name);
      assert.equal(node.providerId, `external-cloudstack://${id}`);
      assert.deepEqual(node.addresses, [`InternalIP ${address}`, `Hostname ${name}`]);
      assert.deepEqual(node.labels, {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/instance-type': 'MediumInstance',
        'beta.kubernetes.io/os': 'linux',
        'example.org/team': 'shop',
        'failure-domain.beta.kubernetes.io/region': 'zone-1',
        'failure-domain.beta.kubernetes.io/zone': 'zone-1',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': 'MediumInstance',
        'topology.kubernetes.io/region': 'zone-1',
        'topology.kubernetes.io/zone': 'zone-1',
      });
      assert.equal(node.images, 50, 'what the kubelet reported was lost');
      await waitFor(`an event tells that ${name} is initialised`, async () => {
        assert.deepEqual(await world.reasons(`Node ${name}`), ['Synced']);
      });
    }
    assert.deepEqual(world.cloud.writes(), [], 'the cloud was changed');
  },
);

scenario('a node without a machine stays uninitialised, and gets initialised when its machine comes', async (world) => {
  await world.startController();
  await world.join('node-1');
  await world.join('late');
  await waitFor('the node with a machine is initialised', async () => {
    assert.ok(!(await world.node('node-1')).taints.includes(UNINITIALIZED));
  });
  assert.ok((await world.node('late')).taints.includes(UNINITIALIZED));
  world.cloud.addMachine('late');
  await waitFor('the late node is initialised', async () => {
    const node = await world.node('late');
    assert.ok(!node.taints.includes(UNINITIALIZED));
    assert.equal(node.providerId, `external-cloudstack://${world.cloud.machine('late').id}`);
  });
});
