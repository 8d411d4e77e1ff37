import assert from 'node:assert/strict';
import { scenario } from './world/scenario.ts';
import { expose, initialise } from './world/steps.ts';
import { stays, waitFor } from './world/wait-for.ts';
import type { World } from './world/world.ts';

const UNINITIALIZED = 'node.cloudprovider.kubernetes.io/uninitialized';
const SHUTDOWN = 'node.cloudprovider.kubernetes.io/shutdown';

scenario(
  'nodes whose machines have names in capitals, and that have a domain, are found (case 9)',
  async (world) => {
    await world.startController();
    const labels = { 'node.kubernetes.io/exclude-from-external-load-balancers': '' };
    await world.join('cks-prod-control-1', { labels });
    await initialise(world, ['cks-prod-node-1.cluster.example.test']);
    await initialised(world, 'cks-prod-control-1', 'CKS-Prod-Control-1');
    await initialised(world, 'cks-prod-node-1.cluster.example.test', 'CKS-Prod-Node-1');
    await expose(world);
    for (const { members } of world.cloud.rules()) assert.deepEqual(members, ['CKS-Prod-Node-1']);
  },
  { machines: ['CKS-Prod-Control-1', 'CKS-Prod-Node-1'] },
);

scenario('provider IDs that somebody else set are read in every form, and none is changed (case 10)', async (world) => {
  const [one, two, three] = ['node-1', 'node-2', 'node-3'].map((name) => world.cloud.machine(name).id);
  const ids = new Map([
    ['capi', `cloudstack:///${one}`],
    ['go', `external-cloudstack://${two}`],
    ['bare', `${three}`],
    ['odd', 'cloudstack:///not/an/id'],
  ]);
  for (const [name, providerId] of ids) {
    await world.join(name, { providerId, uninitialized: false, ready: false });
  }
  const controller = await world.startController();
  await stays('all nodes stay as they are', () => assertProviderIds(world, ids), 3000);
  assert.match(controller.output, /provider ID cloudstack:\/\/\/not\/an\/id of node odd holds no machine id/);
});

scenario('a node of another system is initialised by name, and then never touched (case 11)', async (world) => {
  const controller = await world.startController();
  const providerId = 'kind://docker/e2e/node-2';
  await world.join('node-1');
  await world.join('node-2', { providerId });
  await waitFor('the taint is gone', async () => {
    const { taints, labels, addresses } = await world.node('node-2');
    assert.ok(!taints.includes(UNINITIALIZED));
    assert.equal(labels['topology.kubernetes.io/zone'], 'zone-1');
    assert.ok(addresses.includes(`InternalIP ${world.cloud.machine('node-2').address}`));
  });
  await world.setReady('node-2', false);
  await world.cloud.destroyMachine('node-2');
  await stays('the node stays as it is', () => assertProviderIds(world, new Map([['node-2', providerId]])), 3000);
  assert.ok(!(await world.node('node-2')).taints.includes(SHUTDOWN));
  const lines = controller.output.split('\n').filter((line) => line.includes('is neither deleted nor tainted'));
  assert.equal(lines.length, 1, 'it is said in each pass');
});

scenario(
  'when half of the machines go out of sight at once no node goes, and all goes on when they are back (case 13)',
  async (world) => {
    const names = Array.from({ length: 10 }, (_, index) => `node-${index + 1}`);
    const controller = await world.startController();
    await initialise(world, names);
    for (const name of names) await world.setReady(name, false);
    const back = world.cloud.hide(names.slice(0, 5));
    await waitFor('deletion is held', async () => {
      const held = (await world.events()).find(({ reason }) => reason === 'DeletionHeld');
      assert.match(held?.message ?? '', /Deletion of \d of 10 nodes is held/);
    });
    await stays('no node goes', async () => assert.equal((await world.nodes()).length, 10), 3000);
    const metrics = await controller.probe('/metrics', world.cluster.adminToken);
    assert.match(metrics.body, /held_deletions\{reason="too-many"\} 5\n/);
    back();
    await waitFor('nothing is held', () => assert.match(controller.output, /Deletion of nodes is no longer held/));
    assert.equal((await world.nodes()).length, 10);
  },
  { machines: Array.from({ length: 10 }, (_, index) => `node-${index + 1}`) },
);

scenario(
  'a node whose machine is stopped is tainted until it runs again, and stays a member (case 14)',
  async (world) => {
    await world.startController();
    await initialise(world);
    await expose(world);
    world.cloud.setState('node-2', 'Stopped');
    await world.setReady('node-2', false);
    await waitFor('the node is tainted', async () => assert.ok((await world.node('node-2')).taints.includes(SHUTDOWN)));
    for (const { members } of world.cloud.rules()) assert.equal(members.length, 3);
    world.cloud.setState('node-2', 'Running');
    await world.setReady('node-2', true);
    await waitFor('the taint is gone', async () => assert.ok(!(await world.node('node-2')).taints.includes(SHUTDOWN)));
    for (const { members } of world.cloud.rules()) assert.equal(members.length, 3);
  },
);

scenario(
  'a node whose kubelet has another address waits, and is told both; the region is the configured one (cases 18, 19)',
  async (world) => {
    const cloudConfig = world.writeCloudConfig(`${world.cloud.config()}region = eu-west\n`);
    await world.startController({ cloudConfig });
    const provided = 'alpha.kubernetes.io/provided-node-ip';
    await world.join('node-2', { annotations: { [provided]: '172.30.0.4' } });
    const { address } = world.cloud.machine('node-2');
    await waitFor('an event on the node names both addresses', async () => {
      const messages = (await world.events('Node node-2')).map(({ message }) => message);
      assert.ok(messages.some((message) => message.includes('172.30.0.4') && message.includes(address)));
    });
    assert.ok((await world.node('node-2')).taints.includes(UNINITIALIZED));
    await world.client.patch('/api/v1/nodes/node-2', { metadata: { annotations: { [provided]: address } } });
    await initialised(world, 'node-2', 'node-2');
    const { labels } = await world.node('node-2');
    for (const key of ['topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region']) {
      assert.equal(labels[key], 'eu-west');
    }
  },
);

async function initialised(world: World, node: string, machine: string): Promise<void> {
  await waitFor(`${node} is initialised`, async () => {
    const { taints, providerId } = await world.node(node);
    assert.ok(!taints.includes(UNINITIALIZED));
    assert.equal(providerId, `external-cloudstack://${world.cloud.machine(machine).id}`);
  });
}

async function assertProviderIds(world: World, ids: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, providerId] of ids) assert.equal((await world.node(name)).providerId, providerId);
}
