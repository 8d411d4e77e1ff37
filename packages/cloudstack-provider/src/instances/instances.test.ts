import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InstanceMetadata } from '@cloudstack-ccm/cloud-controllers';
import type { World } from '@cloudstack-ccm/cloudstack-simulator';
import { node, TestCloud } from '../testing/test-cloud.ts';

const metadata = async (cloud: TestCloud, ...args: Parameters<typeof node>): Promise<InstanceMetadata | undefined> =>
  cloud.cloud.instances.metadata(cloud.scope, node(...args));

/** One machine in a zone and with an offering of these names. */
function sceneOf(zone: string, offering = 'Medium Instance', name = 'node-1'): (world: World) => void {
  return (world) => {
    world.zone({ name: zone });
    world.account({ name: 'k8s' });
    if (offering !== 'Medium Instance') world.serviceOffering({ name: offering, cpuNumber: 2, memory: 4096 });
    world.network({ name: 'net-iso', owner: 'k8s', cidr: '10.1.1.0/24', zone });
    world.virtualMachine({ name, owner: 'k8s', networks: ['net-iso'], offering, ipAddress: '10.1.1.11' });
  };
}

test('describes the machine of a node', async () => {
  await using cloud = await TestCloud.start({ scene: sceneOf('zone-a', '4C-8G') });
  assert.deepEqual(await metadata(cloud, 'node-1'), {
    providerId: `external-cloudstack://${cloud.machineId('node-1')}`,
    instanceType: '4C8G',
    zone: 'zone-a',
    region: 'zone-a',
    addresses: [{ type: 'InternalIP', address: '10.1.1.11' }],
    additionalLabels: {},
    notices: [],
  });
});

test('finds machines whose names have capitals, by node names in lower case and with a domain', async () => {
  await using cloud = await TestCloud.start({
    scene: (world) => {
      sceneOf('zone-a', 'Medium Instance', 'CKS-Prod-Control-1')(world);
      world.virtualMachine({ name: 'CKS-Prod-Node-1', owner: 'k8s', networks: ['net-iso'] });
    },
  });
  const control = await metadata(cloud, 'cks-prod-control-1');
  const worker = await metadata(cloud, 'cks-prod-node-1.cluster.example.test');
  assert.equal(control?.providerId, `external-cloudstack://${cloud.machineId('CKS-Prod-Control-1')}`);
  assert.equal(worker?.providerId, `external-cloudstack://${cloud.machineId('CKS-Prod-Node-1')}`);
});

test('reads every form of provider ID, and names node and ID of one that holds none', async () => {
  await using cloud = await TestCloud.start();
  const forms = ['cloudstack:///', 'external-cloudstack://', '', 'cloudstack://region/'];
  for (const form of forms) {
    const found = await metadata(cloud, 'worker', form + cloud.machineId('node-2').toUpperCase());
    assert.equal(found?.providerId, `external-cloudstack://${cloud.machineId('node-2')}`);
  }
  await assert.rejects(metadata(cloud, 'worker', 'cloudstack:///not/an/id'), {
    name: 'NodeUnresolvedError',
    message: 'provider ID cloudstack:///not/an/id of node worker holds no machine id',
  });
});

test('initialises a node of another system by name, and says once that it is left alone', async () => {
  await using cloud = await TestCloud.start({ scene: sceneOf('zone-a', 'Medium Instance', 'cs-ccm-e2e-worker') });
  const args = ['cs-ccm-e2e-worker', 'kind://docker/cs-ccm-e2e/cs-ccm-e2e-worker'] as const;
  const found = await metadata(cloud, ...args);
  assert.deepEqual(found?.addresses, [{ type: 'InternalIP', address: '10.1.1.11' }]);
  cloud.change('cs-ccm-e2e-worker', { state: 'Expunging', removed: Date.now() });
  assert.equal(await metadata(cloud, ...args), undefined, 'nothing to say, and no error in each pass');
  const { byNode } = await cloud.cloud.instances.look(cloud.scope, [node(...args)], []);
  assert.deepEqual(byNode.get('cs-ccm-e2e-worker'), { state: 'foreign' });
  assert.equal(cloud.lines.filter(({ message }) => /belongs to another system/.test(message)).length, 1);
});

test('turns zone and offering names that are no label values into ones that are, the same each time (case 16)', async () => {
  await using cloud = await TestCloud.start({ scene: sceneOf('North Zone (1)', 'Small (4 GB / 2 CPU)') });
  for (let pass = 0; pass < 2; pass++) {
    const found = await metadata(cloud, 'node-1');
    assert.equal(found?.zone, 'North_Zone__1');
    assert.equal(found.region, 'North_Zone__1');
    assert.equal(found.instanceType, 'Small4GB2CPU');
    assert.deepEqual(found.notices, []);
  }
});

test('tells on the node that a zone gives no label at all', async () => {
  await using cloud = await TestCloud.start({ scene: sceneOf('東京') });
  const found = await metadata(cloud, 'node-1');
  assert.equal(found?.zone, '');
  assert.equal(found.notices[0]?.reason, 'NameNotALabel');
  assert.match(found.notices[0].message, /zone "東京"/);
});

test('takes the configured region, else the zone (case 19)', async () => {
  await using cloud = await TestCloud.start({ config: 'region = eu-west\n' });
  const found = await metadata(cloud, 'node-1');
  assert.equal(found?.region, 'eu-west');
  assert.equal(found.zone, 'zone-a');
});

test('never takes the hypervisor for the host name, not even with an administrator’s keys (case 17)', async () => {
  await using cloud = await TestCloud.start({ account: 'admin' });
  const found = await metadata(cloud, 'node-1');
  assert.deepEqual(
    found?.addresses.map(({ type }) => type),
    ['InternalIP'],
  );
  assert.doesNotMatch(JSON.stringify(found), /host-zone-a/);
});

test('a machine without a network card, and one that starts, wait with a clear word (case 15)', async () => {
  await using cloud = await TestCloud.start();
  cloud.change('node-2', { nics: [] });
  const bare = await metadata(cloud, 'node-2');
  assert.match(bare?.pending ?? '', /virtual machine node-2 has no network card/);
  assert.deepEqual(bare?.addresses, [], 'those that the node has stay');
  assert.equal(bare?.notices[0]?.reason, 'NoAddress');
  cloud.change('node-3', { state: 'Starting' });
  const starting = await metadata(cloud, 'node-3');
  assert.match(starting?.pending ?? '', /virtual machine node-3 is starting/);
  assert.deepEqual(starting?.notices, [], 'a machine that is started anew is nothing to tell of');
  assert.equal(starting?.addresses.length, 1);
  assert.equal((await metadata(cloud, 'node-1'))?.pending, undefined);
});

test('takes the default network card, not the first (case 15)', async () => {
  await using cloud = await TestCloud.start({
    scene: (world) => {
      sceneOf('zone-a')(world);
      world.network({ name: 'net-2', owner: 'k8s', cidr: '10.9.9.0/24' });
      world.virtualMachine({ name: 'node-2', owner: 'k8s', networks: ['net-2', 'net-iso'] });
    },
  });
  const row = cloud.simulator.state.virtualMachines.get(cloud.machineId('node-2'));
  const nics = (row?.nics ?? []).map((nic) => ({ ...nic, isDefault: !nic.isDefault }));
  cloud.change('node-2', { nics });
  const found = await metadata(cloud, 'node-2');
  assert.match(found?.addresses[0]?.address ?? '', /^10\.1\.1\./);
});

test('a node without a machine is an error that tells what was looked for', async () => {
  await using cloud = await TestCloud.start();
  await assert.rejects(metadata(cloud, 'node-9.example.test'), {
    message: 'no virtual machine is named node-9.example.test or node-9 (node node-9.example.test)',
  });
  await assert.rejects(metadata(cloud, 'n', '00000000-0000-4000-8000-000000000000'), /visible to these credentials/);
});

test('asks for no more details than it needs, in whatever way it looks (case 20)', async () => {
  await using cloud = await TestCloud.start();
  const nodes = cloud.nodes('node-1', 'node-2', 'node-3');
  for (const { name, providerId } of [...nodes, ...nodes, ...nodes]) await metadata(cloud, name, providerId);
  await metadata(cloud, 'node-1');
  await cloud.cloud.instances.look(cloud.scope, nodes, []);
  const calls = cloud.simulator.callLog.entries.filter(({ command }) => command === 'listVirtualMachines');
  assert.ok(calls.length >= 7);
  for (const { parameters } of calls) assert.equal(parameters['details'], 'min,nics,servoff');
});

test('finds a machine by its display name where no host name fits, and only if it is the only one', async () => {
  await using cloud = await TestCloud.start();
  cloud.change('node-1', { displayname: 'Worker-A' });
  const found = await metadata(cloud, 'worker-a.example.test');
  assert.equal(found?.providerId, `external-cloudstack://${cloud.machineId('node-1')}`);
  cloud.change('node-2', { displayname: 'node-3' });
  const named = await metadata(cloud, 'node-3');
  assert.equal(named?.providerId, `external-cloudstack://${cloud.machineId('node-3')}`, 'a host name goes first');
  cloud.change('node-2', { displayname: 'worker-a' });
  await cloud.cloud.reconfigure(cloud.scope, cloud.config('k8s'));
  await assert.rejects(
    metadata(cloud, 'worker-a'),
    /several virtual machines match node worker-a: node-1 \(.*node-2 \(/,
  );
});

test('the address that the kubelet was told to use decides between namesakes', async () => {
  await using cloud = await TestCloud.start();
  cloud.change('node-1', { displayname: 'twin' });
  cloud.change('node-2', { displayname: 'twin' });
  const [nic] = cloud.simulator.state.virtualMachines.get(cloud.machineId('node-2'))?.nics ?? [];
  const annotations = { 'alpha.kubernetes.io/provided-node-ip': nic?.ipAddress ?? '' };
  const found = await cloud.cloud.instances.metadata(cloud.scope, { ...node('twin'), annotations });
  assert.equal(found?.providerId, `external-cloudstack://${cloud.machineId('node-2')}`);
  const elsewhere = { 'alpha.kubernetes.io/provided-node-ip': '172.30.0.4' };
  const asked = cloud.cloud.instances.metadata(cloud.scope, { ...node('twin'), annotations: elsewhere });
  await assert.rejects(asked, /several virtual machines match node twin/);
});

test('labels follow the tags, the affinity groups and, with a root administrator’s keys, the host', async () => {
  const config = 'node-tag-label-prefixes = example.org/\nnode-affinity-group-label = true\nnode-host-label = true\n';
  await using cloud = await TestCloud.start({ config });
  cloud.change('node-1', { affinityGroups: [{ id: 'group-1', name: 'spread workers' }] });
  const { state } = cloud.simulator;
  const { accountId } = state.virtualMachines.get(cloud.machineId('node-1')) ?? {};
  assert.ok(accountId);
  const resourceId = cloud.machineId('node-1');
  state.tags.add({ id: 'tag-1', key: 'example.org/rack', value: 'R 7', resourceType: 'UserVm', resourceId, accountId });
  const found = await metadata(cloud, 'node-1');
  assert.deepEqual(found?.additionalLabels, {
    'example.org/rack': 'R_7',
    'topology.cloudstack.apache.org/affinity-group': 'spread_workers',
  });
  await metadata(cloud, 'node-2');
  const warned = cloud.lines.filter(({ message }) => message.startsWith('node-host-label has no effect'));
  assert.equal(warned.length, 1, 'it is told, and once, that a user does not see the host');
  await cloud.cloud.reconfigure(cloud.scope, cloud.config('admin', config));
  const seen = await metadata(cloud, 'node-1');
  assert.match(seen?.additionalLabels['topology.cloudstack.apache.org/host'] ?? '', /^host-zone-a/);
});

test('addresses follow the options of cloud-config, also when they change', async () => {
  await using cloud = await TestCloud.start({
    config: 'node-networks = net-2\n',
    scene: (world) => {
      sceneOf('zone-a')(world);
      world.network({ name: 'net-2', owner: 'k8s', cidr: '10.9.9.0/24' });
      world.virtualMachine({ name: 'node-2', owner: 'k8s', networks: ['net-iso', 'net-2'] });
    },
  });
  const found = await metadata(cloud, 'node-2');
  assert.match(found?.addresses.map(({ address }) => address).join() ?? '', /^10\.9\.9\.\d+$/);
  await cloud.cloud.reconfigure(cloud.scope, cloud.config('k8s', 'node-networks-exclude = 10.9.9.0/24\n'));
  const changed = await metadata(cloud, 'node-2');
  assert.match(changed?.addresses.map(({ address }) => address).join() ?? '', /^10\.1\.1\.\d+$/);
});
