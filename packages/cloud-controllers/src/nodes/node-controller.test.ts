import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { FakeClock, systemClock, type Clock } from '@cloudstack-ccm/base';

import { TestCluster, until, type World } from '../testing/cluster.ts';
import { CLOUD_ADDRESSES, someMetadata, UNINITIALIZED } from '../testing/objects.ts';
import { NodeController } from './node-controller.ts';

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.start();
});
after(() => cluster[Symbol.asyncDispose]());

const controllerOf = (world: World, clock: Clock = systemClock): NodeController =>
  new NodeController({
    ...world.common,
    clock,
    client: world.client.nodes,
    informer: world.nodes,
    instances: world.cloud.instances,
    workers: 1,
    addressWorkers: 1,
    addressPeriodMs: 60_000,
    resyncMs: 3_600_000,
  });

/** Syncs `node0` once, as it stands in the API server. */
async function syncNode(world: World): Promise<void> {
  const controller = controllerOf(world);
  await world.follow();
  await controller.sync(world.scope, 'node0');
}

const TAINTED = { taints: [UNINITIALIZED] };
const hostname = { type: 'Hostname', address: 'overridden' };

describe('A node that joins', () => {
  test('gets provider ID, labels and addresses, and loses its taint (N1, N5, N15, N24)', async () => {
    await using world = await cluster.world();
    await world.createNode('node0', { ...TAINTED, addresses: [hostname], ready: 'False' });
    world.cloud.machines.set('node0', () =>
      someMetadata({ zone: 'zone-1', region: 'region-1', instanceType: 'large' }),
    );
    await syncNode(world);

    const node = await world.node('node0');
    assert.equal(node?.spec.providerID, 'fake://12345');
    assert.deepEqual(node.spec.taints, []);
    assert.deepEqual(node.status.addresses, CLOUD_ADDRESSES);
    assert.equal(node.status.conditions[0]?.status, 'False');
    assert.deepEqual(node.metadata.labels, {
      'beta.kubernetes.io/instance-type': 'large',
      'failure-domain.beta.kubernetes.io/region': 'region-1',
      'failure-domain.beta.kubernetes.io/zone': 'zone-1',
      'node.kubernetes.io/instance-type': 'large',
      'topology.kubernetes.io/region': 'region-1',
      'topology.kubernetes.io/zone': 'zone-1',
    });
    assert.deepEqual(world.told(), ['Normal Synced node0: Node synced successfully']);
    assert.equal(await world.metric('node_controller_cloud_provider_taint_removal_delay_seconds_count'), 1);
    assert.equal(await world.metric('node_controller_initial_node_sync_delay_seconds_count'), 1);
    assert.equal(await world.requests('PATCH'), 2);
  });

  test('keeps other taints, its host name and its own labels (N2, N6, N16, N18)', async () => {
    await using world = await cluster.world();
    const other = { key: 'dedicated', value: 'gpu', effect: 'NoExecute' };
    await world.createNode('node0', {
      taints: [UNINITIALIZED, other],
      addresses: [hostname],
      labels: { 'my.label/foo': 'fizz' },
    });
    world.cloud.machines.set('node0', () =>
      someMetadata({
        addresses: CLOUD_ADDRESSES.slice(1),
        additionalLabels: { 'my.label/foo': 'bar', 'my.label/bar': 'new', 'k8s.io/no': 'x' },
      }),
    );
    await syncNode(world);

    const node = await world.node('node0');
    assert.deepEqual(node?.spec.taints, [other]);
    assert.deepEqual(node.status.addresses, [...CLOUD_ADDRESSES.slice(1), hostname]);
    assert.deepEqual(node.metadata.labels, { 'my.label/foo': 'fizz', 'my.label/bar': 'new' });
  });

  test('keeps a provider ID that it has (N11, N13)', async () => {
    await using world = await cluster.world();
    await world.createNode('node0', { ...TAINTED, providerID: 'kind://docker/x/node0' });
    world.cloud.machines.set('node0', () => someMetadata({ providerId: '' }));
    await syncNode(world);
    const node = await world.node('node0');
    assert.equal(node?.spec.providerID, 'kind://docker/x/node0');
    assert.deepEqual(node.spec.taints, []);
  });

  test('gets the addresses in the order the kubelet wants (N8, N17)', async () => {
    await using world = await cluster.world();
    const annotations = { 'alpha.kubernetes.io/provided-node-ip': '10.0.0.1' };
    await world.createNode('node0', { ...TAINTED, annotations, addresses: [hostname] });
    world.cloud.machines.set('node0', () => someMetadata({ addresses: CLOUD_ADDRESSES.slice(1).toReversed() }));
    await syncNode(world);
    assert.deepEqual((await world.node('node0'))?.status.addresses, [...CLOUD_ADDRESSES.slice(1), hostname]);
  });

  test('stays as it is while the cloud says to leave it (N7)', async () => {
    await using world = await cluster.world();
    await world.createNode('node0', { ...TAINTED, providerID: 'fake://1' });
    world.cloud.machines.set('node0', () => undefined);
    await syncNode(world);
    assert.deepEqual(
      (await world.node('node0'))?.spec.taints.map(({ key }) => key),
      [UNINITIALIZED.key],
    );
    assert.equal(await world.requests('PATCH'), 0);
    assert.deepEqual(world.told(), []);
  });

  const refusals: Readonly<
    Record<string, { ip?: string; metadata: () => ReturnType<typeof someMetadata>; error: RegExp }>
  > = {
    'whose kubelet address is no address (N9)': {
      ip: 'invalid-ip',
      metadata: () => someMetadata(),
      error:
        /^failed to get node modifiers from cloud provider: provided node ip for node "node0" is not valid: failed to parse node IP "invalid-ip": could not parse "invalid-ip"/,
    },
    'whose kubelet address is not the machine’s (N10)': {
      ip: '172.30.0.4',
      metadata: () => someMetadata(),
      error: /provided node ip for node "node0" is not valid: .*172\.30\.0\.4.*InternalIP 10\.0\.0\.1/,
    },
    'without a provider ID (N20)': {
      metadata: () => someMetadata({ providerId: '' }),
      error:
        /^failed to get instance metadata for node node0: cloud provider does not set node provider ID for node node0$/,
    },
    'that the cloud cannot find (N21)': {
      metadata: () => {
        throw new Error('two machines have this name: a, b');
      },
      error: /^failed to get instance metadata for node node0: two machines have this name: a, b$/,
    },
    'with a label value that Kubernetes refuses': {
      metadata: () => someMetadata({ zone: 'no label value!' }),
      error: /no label value!/,
    },
  };
  for (const [what, { ip, metadata, error }] of Object.entries(refusals)) {
    test(`${what} stays tainted, and an event on it says why`, async () => {
      await using world = await cluster.world();
      const annotations = ip === undefined ? {} : { 'alpha.kubernetes.io/provided-node-ip': ip };
      await world.createNode('node0', { ...TAINTED, annotations, addresses: [hostname] });
      const before = await world.node('node0');
      world.cloud.machines.set('node0', metadata);
      await assert.rejects(syncNode(world), (thrown: Error) => error.test(thrown.message));
      assert.deepEqual(await world.node('node0'), before);
      const [event = '', ...more] = world.told();
      assert.match(event, /^Warning InitializationFailed node0: /);
      assert.match(event.replace(/^Warning InitializationFailed node0: /, ''), error);
      assert.deepEqual(more, []);
    });
  }

  test('is read again and patched when somebody changed it meanwhile (N22)', async () => {
    await using world = await cluster.world();
    await world.createNode('node0', TAINTED);
    let changes = 0;
    world.cloud.machines.set('node0', () => someMetadata());
    const controller = controllerOf(world);
    await world.follow();
    const { metadata } = world.cloud.instances;
    world.cloud.instances.metadata = async (scope, node) => {
      await world.patchNode('node0', { metadata: { labels: { other: String(++changes) } } });
      return metadata(scope, node);
    };
    await controller.sync(world.scope, 'node0');
    const node = await world.node('node0');
    assert.deepEqual(node?.spec.taints, []);
    assert.equal(node.metadata.labels['other'], '1');
    assert.deepEqual(world.told(), ['Normal Synced node0: Node synced successfully']);
  });

  test('does not get the machine of a former node that had its name', async () => {
    await using world = await cluster.world();
    await world.createNode('node0', TAINTED);
    world.cloud.machines.set('node0', () => someMetadata());
    const controller = controllerOf(world);
    await world.follow();
    const { metadata } = world.cloud.instances;
    world.cloud.instances.metadata = async (scope, node) => {
      await world.plane.client.delete('/api/v1/nodes/node0');
      await world.createNode('node0', TAINTED);
      return metadata(scope, node);
    };
    await controller.sync(world.scope, 'node0');
    const node = await world.node('node0');
    assert.equal(node?.spec.providerID, '');
    assert.deepEqual(node.spec.taints, [UNINITIALIZED]);
    assert.deepEqual(world.told(), []);
  });

  test('is no error when it has left again (N23)', async () => {
    await using world = await cluster.world();
    await syncNode(world);
    assert.deepEqual(world.cloud.take(), []);
  });

  test('is not written to by a replica that may not lead any more', async () => {
    await using world = await cluster.world();
    await world.createNode('node0', TAINTED);
    world.cloud.machines.set('node0', () => someMetadata());
    world.leading = false;
    await assert.rejects(syncNode(world), /Node node0 was not written: another replica may lead by now/);
    assert.equal(await world.requests('PATCH'), 0);
  });

  test('is initialised, and told of, when its kubelet reported an address which the machine does not have', async () => {
    await using world = await cluster.world();
    await world.createNode('node0', { ...TAINTED, addresses: [{ type: 'InternalIP', address: '172.30.0.4' }] });
    world.cloud.machines.set('node0', () => someMetadata());
    await syncNode(world);
    const [first = '', second] = world.told();
    assert.match(first, /^Warning MisconfiguredInternalIP node0: .*172\.30\.0\.4.*InternalIP 10\.0\.0\.1/);
    assert.equal(second, 'Normal Synced node0: Node synced successfully');
  });

  test('whose machine is late is looked for with growing pauses, and that is told once', async () => {
    await using world = await cluster.world();
    const clock = new FakeClock();
    const looks: number[] = [];
    let missing = 'no machine yet';
    world.cloud.machines.set('node0', () => {
      looks.push(clock.monotonic());
      throw new Error(missing);
    });
    void controllerOf(world, clock)
      .run(world.scope)
      .catch(() => undefined);
    await world.follow();
    // Made without an address: another update of the node would be another reason to look.
    await world.plane.client.create('/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'node0' },
      spec: TAINTED,
    });
    await until(() => looks.length === 1, 'it is looked for');
    await clock.advance(31_000);
    assert.deepEqual(looks, [0, 1000, 3000, 7000, 15_000, 31_000]);
    await clock.advance(600_000);
    const failure = 'Warning InitializationFailed node0: failed to get instance metadata for node node0: ';
    assert.deepEqual(world.told(), [`${failure}no machine yet`]);
    missing = 'two machines';
    await clock.advance(120_000);
    assert.deepEqual(world.told(), [`${failure}two machines`]);
    await world.plane.client.delete('/api/v1/nodes/node0');
    await until(() => world.nodes.lister.get('node0') === undefined, 'it is gone');
    await world.createNode('node0', TAINTED);
    await until(() => world.events.length === 1, 'its successor is told of');
  });

  test('waits while the cloud says what is missing', async () => {
    await using world = await cluster.world();
    await world.createNode('node0', TAINTED);
    world.cloud.machines.set('node0', () => someMetadata({ pending: 'the machine is starting' }));
    await assert.rejects(syncNode(world), /the machine is starting/);
    assert.equal((await world.node('node0'))?.spec.taints.length, 1);
    assert.match(world.told().join('\n'), /^Warning InitializationFailed node0: .*the machine is starting$/);
    assert.equal(await world.requests('PATCH'), 0);
  });

  test('is told what the cloud has to say about it', async () => {
    await using world = await cluster.world();
    await world.createNode('node0', TAINTED);
    const notices = [{ type: 'Warning', reason: 'NoZoneLabel', message: 'The zone has no name' }] as const;
    world.cloud.machines.set('node0', () => someMetadata({ notices }));
    await syncNode(world);
    assert.equal(world.told()[0], 'Warning NoZoneLabel node0: The zone has no name');
  });
});

describe('A node that is initialised', () => {
  test('is no reason to ask the cloud (N4, N14)', async () => {
    await using world = await cluster.world();
    await world.createNode('node0');
    await syncNode(world);
    assert.deepEqual(world.cloud.take(), []);
    assert.equal(await world.requests('PATCH'), 0);
  });

  test('gets the stable names of its labels (L1, L3)', async () => {
    await using world = await cluster.world();
    await world.createNode('node0', {
      labels: { 'failure-domain.beta.kubernetes.io/zone': 'a', 'topology.kubernetes.io/zone': 'b' },
    });
    await syncNode(world);
    assert.equal((await world.node('node0'))?.metadata.labels['topology.kubernetes.io/zone'], 'a');
    assert.equal(await world.requests('PATCH'), 1);
  });
});

describe('A round over the addresses', () => {
  test('asks once for each node that is initialised, and writes only what differs (A7, U1)', async () => {
    await using world = await cluster.world();
    const names = ['n1', 'n2', 'n3'];
    for (const name of names) {
      await world.createNode(name, { addresses: CLOUD_ADDRESSES });
      world.cloud.machines.set(name, () => someMetadata());
    }
    await world.createNode('tainted', TAINTED);
    world.cloud.machines.set('n2', () => someMetadata({ addresses: [{ type: 'InternalIP', address: '10.0.0.9' }] }));
    world.cloud.machines.set('n3', () => {
      throw new Error('HTTP 503');
    });
    const controller = controllerOf(world);
    await world.follow();
    await controller.updateAddresses(world.scope);
    assert.deepEqual(world.cloud.take().sort(), ['metadata n1', 'metadata n2', 'metadata n3']);
    assert.deepEqual((await world.node('n2'))?.status.addresses, [
      { type: 'InternalIP', address: '10.0.0.9' },
      { type: 'Hostname', address: 'node0.cloud.internal' },
    ]);
    assert.equal(await world.requests('PATCH'), 1);
  });

  test('renews the labels of a machine that was resized, and then writes nothing more', async () => {
    await using world = await cluster.world();
    await world.createNode('node0', { ...TAINTED, labels: { team: 'shop' } });
    world.cloud.machines.set('node0', () => someMetadata({ instanceType: 'small', zone: 'a' }));
    await syncNode(world);
    world.cloud.machines.set('node0', () => someMetadata({ instanceType: 'large', zone: 'b' }));
    const controller = controllerOf(world);
    await world.patchNode('node0', { metadata: { labels: { 'beta.kubernetes.io/instance-type': 'mine' } } });
    await until(
      async () => world.nodes.lister.get('node0')?.metadata.labels['beta.kubernetes.io/instance-type'] === 'mine',
      'the store has the label of the user',
    );
    await controller.updateAddresses(world.scope);
    const labels = (await world.node('node0'))?.metadata.labels;
    assert.deepEqual(labels, {
      'node.kubernetes.io/instance-type': 'large',
      'beta.kubernetes.io/instance-type': 'mine',
      'topology.kubernetes.io/zone': 'b',
      'failure-domain.beta.kubernetes.io/zone': 'b',
      team: 'shop',
    });
    await until(
      async () => world.nodes.lister.get('node0')?.metadata.labels['topology.kubernetes.io/zone'] === 'b',
      'the store has the new labels',
    );
    const before = await world.requests('PATCH');
    await controller.updateAddresses(world.scope);
    assert.equal(await world.requests('PATCH'), before);
  });

  test('tells once that the kubelet uses an address which the machine does not have', async () => {
    await using world = await cluster.world();
    const annotations = { 'alpha.kubernetes.io/provided-node-ip': '172.30.0.4' };
    await world.createNode('node0', { annotations, addresses: [{ type: 'InternalIP', address: '172.30.0.4' }] });
    world.cloud.machines.set('node0', () => someMetadata());
    const controller = controllerOf(world);
    await world.follow();
    await controller.updateAddresses(world.scope);
    await controller.updateAddresses(world.scope);
    const [event = '', ...more] = world.told();
    assert.match(event, /^Warning MisconfiguredInternalIP node0: .*172\.30\.0\.4.*InternalIP 10\.0\.0\.1/);
    assert.deepEqual(more, []);
    assert.deepEqual((await world.node('node0'))?.status.addresses, [{ type: 'InternalIP', address: '172.30.0.4' }]);
  });

  test('tells a lasting state once', async () => {
    await using world = await cluster.world();
    await world.createNode('node0', { addresses: CLOUD_ADDRESSES });
    const notices = [{ type: 'Warning', reason: 'NoNetworkCard', message: 'The machine has no network card' }] as const;
    world.cloud.machines.set('node0', () => someMetadata({ notices, addresses: [] }));
    const controller = controllerOf(world);
    await world.follow();
    await controller.updateAddresses(world.scope);
    world.cloud.machines.set('node0', () => {
      throw new Error('HTTP 503');
    });
    await controller.updateAddresses(world.scope);
    world.cloud.machines.set('node0', () => someMetadata({ notices, addresses: [] }));
    await controller.updateAddresses(world.scope);
    assert.equal(world.told().length, 1);
    assert.deepEqual((await world.node('node0'))?.status.addresses, CLOUD_ADDRESSES);
  });
});

test('A running controller initialises nodes as they come, tries again, and ends when it is drained', async () => {
  await using world = await cluster.world();
  const controller = controllerOf(world);
  await world.follow();
  const running = controller.run(world.scope);
  let tries = 0;
  world.cloud.machines.set('node0', () => {
    if (++tries < 3) throw new Error('not visible yet');
    return someMetadata();
  });
  await world.createNode('node0', TAINTED);
  await until(async () => (await world.node('node0'))?.spec.taints.length === 0, 'node0 is initialised');
  controller.drain();
  await running;
  assert.equal(world.scope.cancelled, false);
});
