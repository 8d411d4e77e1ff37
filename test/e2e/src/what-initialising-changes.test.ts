import assert from 'node:assert/strict';
import type { ControllerProcess } from './world/controller-process.ts';
import { scenario } from './world/scenario.ts';
import { initialise, isInitialised } from './world/steps.ts';
import { stays, waitFor } from './world/wait-for.ts';
import type { World } from './world/world.ts';

const UNINITIALIZED = 'node.cloudprovider.kubernetes.io/uninitialized';
const PROVIDED = 'alpha.kubernetes.io/provided-node-ip';
const DELAYS = [
  'node_controller_cloud_provider_taint_removal_delay_seconds',
  'node_controller_initial_node_sync_delay_seconds',
];

scenario(
  'initialising adds what is missing and keeps all that others wrote (N2, N3, N5, N6, N11, N13, N15, N16, N18, N19, N24)',
  async (world) => {
    const prefixes = ['topology.kubernetes.io/', 'topology.k8s.io/', 'kubernetes.io/', 'k8s.io/', 'my.custom.label/'];
    const tags = [...prefixes.map((prefix) => `${prefix}foo`), 'my.custom.label/bar', 'app.k8snio/bar', 'k8snio/bar'];
    for (const key of tags) world.cloud.tag('node-1', key, key.endsWith('bar') ? 'foo' : 'bar');
    const lines = [...prefixes, 'app.k8snio/', 'k8snio/'].join(',');
    const cloudConfig = world.writeCloudConfig(`${world.cloud.config()}node-tag-label-prefixes = ${lines}\n`);
    const controller = await world.startController({ cloudConfig });
    const own = { 'my.custom.label/foo': 'fizz', 'topology.kubernetes.io/zone': 'somewhere' };
    await world.join('node-1', { labels: own, taints: ['example.org/drained'] });
    const { conditions } = await world.node('node-1');
    const preset = `cloudstack:///${world.cloud.machine('node-2').id}`;
    await world.join('node-2', { providerId: preset });
    for (const name of ['node-1', 'node-2']) await waitFor(`${name} is initialised`, () => isInitialised(world, name));

    const node = await world.node('node-1');
    assert.equal(node.providerId, `external-cloudstack://${world.cloud.machine('node-1').id}`);
    // kube-apiserver's own is for a kubelet that says it is ready.
    assert.deepEqual(node.taints, ['example.org/drained', 'node.kubernetes.io/not-ready']);
    assert.deepEqual(node.conditions, conditions);
    assert.equal(node.labels['topology.kubernetes.io/zone'], 'zone-1');
    assert.equal(node.labels['my.custom.label/foo'], 'fizz', 'a label that somebody wrote was replaced');
    for (const key of ['my.custom.label/bar', 'app.k8snio/bar', 'k8snio/bar']) assert.equal(node.labels[key], 'foo');
    for (const prefix of prefixes.slice(0, 4)) assert.equal(node.labels[`${prefix}foo`], undefined, prefix);
    assert.equal((await world.node('node-2')).providerId, preset);
    await assertTold(world, controller, ['node-1', 'node-2']);
  },
);

scenario(
  'a node without the taint keeps its provider ID empty, and one that nobody can describe stays as it is (N4, N7, N14)',
  async (world) => {
    await world.join('node-1', { uninitialized: false });
    await world.join('elsewhere', { providerId: 'kind://docker/e2e/elsewhere' });
    await world.startController();
    const elsewhere = await world.node('elsewhere');
    await initialise(world, ['node-2']);
    await stays('neither is touched', async () => assertUntouched(world, elsewhere), 2000);
    assert.deepEqual(await world.reasons('Node elsewhere'), [], 'it counts as a failure');
  },
);

async function assertUntouched(world: World, elsewhere: Awaited<ReturnType<World['node']>>): Promise<void> {
  assert.equal((await world.node('node-1')).providerId, '');
  assert.deepEqual(await world.node('elsewhere'), elsewhere);
}

scenario(
  'an error leaves a node as it is, taint included, until the cause is gone (N8, N9, N10, N17, N20, N21, G5)',
  async (world) => {
    const broken = world.cloud.simulator.faults.add({
      command: 'listVirtualMachines',
      action: { kind: 'api-error', code: 530, text: 'Internal error executing command' },
    });
    const secondary = world.cloud.addSecondaryAddress('node-3', '10.1.1.200');
    const config = `${world.cloud.config()}node-secondary-addresses = true\n`;
    await world.startController({ cloudConfig: world.writeCloudConfig(config) });
    const wrong = { 'node-1': 'invalid-ip', 'node-2': '10.0.0.2', 'node-3': secondary, nowhere: '10.0.0.3' };
    for (const [name, ip] of Object.entries(wrong)) await world.join(name, { annotations: { [PROVIDED]: ip } });
    const before = await world.nodes();
    for (const name of Object.keys(wrong)) await assertFailed(world, name, /Internal error executing command/);
    assert.deepEqual(await world.nodes(), before);

    world.cloud.simulator.faults.remove(broken);
    await assertFailed(world, 'node-1', /provided node ip for node "node-1" is not valid: .*invalid-ip/);
    await assertFailed(world, 'node-2', /provided node ip for node "node-2" is not valid: .*10\.0\.0\.2/);
    await assertFailed(world, 'nowhere', /no virtual machine/);
    await waitFor('the node whose address is right is initialised', () => isInitialised(world, 'node-3'));
    const { address } = world.cloud.machine('node-3');
    await waitFor('its addresses begin with the one the kubelet uses', async () => {
      const { addresses } = await world.node('node-3');
      assert.equal(addresses[0], `InternalIP ${secondary}`);
      assert.ok(!addresses.includes(`InternalIP ${address}`), 'the other InternalIP stayed');
    });
    const others = (nodes: typeof before) => nodes.filter(({ name }) => name !== 'node-3');
    assert.deepEqual(others(await world.nodes()), others(before));
  },
);

scenario(
  'a node that others change or delete while the cloud is asked is read again, and told once (N22, N23)',
  async (world) => {
    const controller = await world.startController();
    const slow = world.cloud.simulator.faults.add({
      command: 'listVirtualMachines',
      action: { kind: 'latency', ms: 1500 },
    });
    const asked = world.cloud.calls('listVirtualMachines').length;
    for (const name of ['node-1', 'node-2']) await world.join(name);
    await new Promise((resolve) => setTimeout(resolve, 700));
    const { resourceVersion } = await world.node('node-1');
    const drained = { key: 'example.org/drained', effect: 'NoSchedule' };
    const taints = [{ key: UNINITIALIZED, value: 'true', effect: 'NoSchedule' }, drained];
    await world.client.patch('/api/v1/nodes/node-1', { metadata: { resourceVersion }, spec: { taints } });
    await world.removeNode('node-2');
    assert.equal(world.cloud.calls('listVirtualMachines').length, asked, 'the cloud had answered before');

    await waitFor('the node is initialised', () => isInitialised(world, 'node-1'));
    world.cloud.simulator.faults.remove(slow);
    assert.deepEqual((await world.node('node-1')).taints, ['example.org/drained'], 'a taint of somebody else is lost');
    await assertTold(world, controller, ['node-1']);
    await waitFor('the node that left is forgotten', async () => assert.equal((await world.nodes()).length, 1));
    assert.deepEqual(await world.reasons('Node node-2'), [], 'that a node left counts as a failure');
  },
);

/** One event and one observation of both delays for each node. */
async function assertTold(world: World, controller: ControllerProcess, names: readonly string[]): Promise<void> {
  await waitFor('each node is told once that it is ready for use', async () => {
    for (const name of names) {
      const told = await world.events(`Node ${name}`);
      const synced = told.map(({ type, reason, message, count }) => ({ type, reason, message, count }));
      const message = 'Node synced successfully';
      assert.deepEqual(synced, [{ type: 'Normal', reason: 'Synced', message, count: 1 }]);
    }
  });
  const { body } = await controller.probe('/metrics', world.cluster.adminToken);
  for (const delay of DELAYS) assert.match(body, new RegExp(`^${delay}_count ${names.length}$`, 'm'));
}

async function assertFailed(world: World, name: string, text: RegExp): Promise<void> {
  await waitFor(`an event on ${name} tells ${text}`, async () => {
    const told = (await world.events(`Node ${name}`)).filter(({ reason }) => reason === 'InitializationFailed');
    assert.ok(
      told.some(({ message }) => text.test(message)),
      JSON.stringify(told),
    );
  });
}
