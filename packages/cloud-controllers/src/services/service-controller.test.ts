import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { createLogger, KeyedLock, silentLogger } from '@cloudstack-ccm/base';

import { TestCluster, until, type World } from '../testing/cluster.ts';
import { CLEANUP_FINALIZER } from './predicates.ts';
import { ServiceController } from './service-controller.ts';

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.start();
});
after(() => cluster[Symbol.asyncDispose]());

const controllerOf = (world: World, workers = 1, log = silentLogger): ServiceController =>
  new ServiceController({
    ...world.common,
    log,
    client: world.client.services,
    services: world.services,
    nodes: world.nodes,
    endpointSlices: world.client.endpointSlices,
    loadBalancers: world.cloud.loadBalancers,
    clusterName: 'kubernetes',
    workers,
  });

const WEB = 'default/web';

/** A controller that has seen what is there; nothing runs until the test says so. */
async function ready(world: World): Promise<ServiceController> {
  const controller = controllerOf(world);
  await world.follow();
  return controller;
}

/** Syncs `web` once, as it stands in the API server now. */
async function sync(world: World, controller: ServiceController): Promise<void> {
  await world.seen('web');
  await controller.sync(world.scope, WEB);
}

const ENSURED = [
  'Normal EnsuringLoadBalancer web: Ensuring load balancer',
  'Normal EnsuredLoadBalancer web: Ensured load balancer',
];

const finalizers = async (world: World) => (await world.service('web'))?.metadata.finalizers;
const ingress = async (world: World) => (await world.service('web'))?.status.loadBalancer.ingress;

describe('A Service that wants a load balancer', () => {
  test('gets finalizer, load balancer and status, in this order, with two patches (S2, S9)', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await world.createService('web');
    const seen: unknown[] = [];
    world.cloud.scripts.ensure = async (_context, service) => {
      seen.push(await finalizers(world), service.ports[0]?.port, service.ports[0]?.protocol, await ingress(world));
    };
    await sync(world, await ready(world));
    assert.deepEqual(seen, [[CLEANUP_FINALIZER], 80, 'TCP', []]);
    assert.deepEqual(await ingress(world), [{ ip: '203.0.113.20', ipMode: 'VIP' }]);
    assert.deepEqual(world.told(), ENSURED);
    assert.deepEqual(world.cloud.take(), ['ensure default/web n1']);
    assert.equal(await world.requests('PATCH'), 2);
  });

  test('keeps the finalizers of others, and costs one patch when it has ours (S6, S17)', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await world.createService('web', { metadata: { finalizers: ['a.b/other', CLEANUP_FINALIZER] } });
    const controller = await ready(world);
    await sync(world, controller);
    assert.deepEqual(await finalizers(world), ['a.b/other', CLEANUP_FINALIZER]);
    assert.equal(await world.requests('PATCH'), 1);
    await sync(world, controller);
    assert.equal(await world.requests('PATCH'), 1);
    assert.deepEqual(world.told(), [...ENSURED, ...ENSURED]);
  });

  test('gets our finalizer beside those of others (S17)', async () => {
    await using world = await cluster.world();
    await world.createService('web', { metadata: { finalizers: ['a.b/other'] } });
    await sync(world, await ready(world));
    assert.deepEqual(await finalizers(world), ['a.b/other', CLEANUP_FINALIZER]);
  });

  test('is ensured without nodes too, with a warning (S26)', async () => {
    await using world = await cluster.world();
    await world.createService('web');
    await sync(world, await ready(world));
    assert.deepEqual(world.cloud.take(), ['ensure default/web']);
    assert.equal(world.told()[1], 'Warning UnAvailableLoadBalancer web: There are no available nodes for LoadBalancer');
  });

  test('tells when the cloud fails, keeps the delay the cloud asks for, and sets no status (S21, S22)', async () => {
    await using world = await cluster.world();
    await world.createService('web');
    world.cloud.scripts.ensure = () => {
      throw Object.assign(new Error('no address left'), { retryAfterMs: 42_000 });
    };
    await assert.rejects(sync(world, await ready(world)), (error: Error) => {
      assert.equal(error.message, 'failed to ensure load balancer: no address left');
      assert.equal((error.cause as { retryAfterMs: number }).retryAfterMs, 42_000);
      return true;
    });
    assert.equal(
      world.told().at(-1),
      'Warning SyncLoadBalancerFailed web: Error syncing load balancer: failed to ensure load balancer: no address left',
    );
    assert.deepEqual(await ingress(world), []);
  });

  test('asks nothing of the cloud when the finalizer cannot be written', async () => {
    await using world = await cluster.world();
    await world.createService('web');
    world.leading = false;
    await assert.rejects(
      sync(world, await ready(world)),
      /^SyncError: failed to add load balancer cleanup finalizer: /,
    );
    assert.deepEqual(world.cloud.take(), []);
  });

  test('that vanished while it was ensured needs no status (S8)', async () => {
    await using world = await cluster.world();
    await world.createService('web', { metadata: { finalizers: [CLEANUP_FINALIZER] } });
    world.cloud.scripts.ensure = async () => {
      await world.patchService('web', { metadata: { finalizers: null } });
      await world.deleteService('web');
    };
    await sync(world, await ready(world));
    assert.equal(await world.service('web'), undefined);
  });

  test('shows an ingress that changed and one that did not (S19)', async () => {
    await using world = await cluster.world();
    await world.createService('web');
    const controller = await ready(world);
    await sync(world, controller);
    world.cloud.ingress = [{ hostname: 'lb.example.com' }];
    await sync(world, controller);
    assert.deepEqual(await ingress(world), [{ hostname: 'lb.example.com' }]);
    world.cloud.ingress = [{ ip: '203.0.113.20', ipMode: 'Proxy' }];
    await sync(world, controller);
    assert.deepEqual(await ingress(world), [{ ip: '203.0.113.20', ipMode: 'Proxy' }]);
    const patches = await world.requests('PATCH');
    await sync(world, controller);
    assert.equal(await world.requests('PATCH'), patches);
  });
});

describe('A Service that wants no load balancer of ours', () => {
  const others = {
    'of another type (S1)': { type: 'ClusterIP' },
    'of another class (S3)': { loadBalancerClass: 'example.com/mine' },
  };
  for (const [what, spec] of Object.entries(others)) {
    test(`${what} costs one look and nothing else`, async () => {
      await using world = await cluster.world();
      await world.createService('web', { spec });
      await sync(world, await ready(world));
      assert.deepEqual(world.cloud.take(), ['get default/web']);
      assert.deepEqual(world.told(), ['Normal DeletedLoadBalancer web: Deleted load balancer']);
      assert.equal(await world.requests('PATCH'), 0);
    });
  }

  const endings: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
    'its type changes (S4)': (world) => world.patchService('web', { spec: { type: 'ClusterIP' } }),
    'it is deleted (S5)': (world) => world.deleteService('web'),
  };
  for (const [what, end] of Object.entries(endings)) {
    test(`loses load balancer, finalizer and status when ${what}`, async () => {
      await using world = await cluster.world();
      await world.createService('web');
      const controller = await ready(world);
      await sync(world, controller);
      world.told();
      world.cloud.take();
      await end(world);
      await sync(world, controller);
      assert.deepEqual(world.cloud.take(), ['get default/web', 'delete default/web']);
      assert.deepEqual(world.told(), [
        'Normal DeletingLoadBalancer web: Deleting load balancer',
        'Normal DeletedLoadBalancer web: Deleted load balancer',
      ]);
      const left = await world.service('web');
      assert.deepEqual(left?.metadata.finalizers ?? [], []);
      assert.deepEqual(left?.status.loadBalancer.ingress ?? [], []);
    });
  }

  test('keeps the finalizer of somebody else (S18)', async () => {
    await using world = await cluster.world();
    await world.createService('web', {
      metadata: { finalizers: ['a.b/other', CLEANUP_FINALIZER] },
      spec: { type: 'ClusterIP' },
    });
    await sync(world, await ready(world));
    assert.deepEqual(await finalizers(world), ['a.b/other']);
  });

  test('keeps the finalizer while the cloud does not answer, or cannot delete (S28)', async () => {
    await using world = await cluster.world();
    await world.createService('web', { metadata: { finalizers: [CLEANUP_FINALIZER] }, spec: { type: 'ClusterIP' } });
    world.cloud.balancers.set(WEB, []);
    const controller = await ready(world);
    world.cloud.scripts.get = () => {
      throw new Error('HTTP 503');
    };
    await assert.rejects(sync(world, controller), {
      message: 'failed to check if load balancer exists before cleanup: HTTP 503',
    });
    delete world.cloud.scripts.get;
    world.cloud.scripts.delete = () => {
      throw Object.assign(new Error('busy'), { retryAfterMs: 1 });
    };
    await assert.rejects(sync(world, controller), (error: Error) => {
      assert.equal(error.message, 'failed to delete load balancer: busy');
      assert.equal(error.cause, undefined);
      return true;
    });
    assert.deepEqual(await finalizers(world), [CLEANUP_FINALIZER]);
  });

  test('loses the finalizer when there is nothing in the cloud (S29)', async () => {
    await using world = await cluster.world();
    await world.createService('web', { metadata: { finalizers: [CLEANUP_FINALIZER] } });
    await world.deleteService('web');
    await sync(world, await ready(world));
    assert.equal(await world.service('web'), undefined);
    assert.deepEqual(world.told(), ['Normal DeletedLoadBalancer web: Deleted load balancer']);
  });
});

describe('A Service that is gone without having waited', () => {
  test('has its load balancer removed by what was known of it (S12, S15)', async () => {
    await using world = await cluster.world();
    await world.createService('web');
    const controller = await ready(world);
    await sync(world, controller);
    world.told();
    await world.patchService('web', { metadata: { finalizers: null } });
    await world.deleteService('web');
    await until(() => world.services.lister.get(WEB) === undefined, 'the deletion is seen');
    await controller.sync(world.scope, WEB);
    assert.equal(world.cloud.take().at(-1), 'delete default/web');
    assert.deepEqual(world.told(), [
      'Normal DeletingLoadBalancer web: Deleting load balancer',
      'Normal DeletedLoadBalancer web: Deleted load balancer',
    ]);
    await controller.sync(world.scope, WEB);
    assert.deepEqual(world.cloud.take(), []);
  });

  test('is tried again with the cloud’s own error (S14)', async () => {
    await using world = await cluster.world();
    await world.createService('web');
    const controller = await ready(world);
    await sync(world, controller);
    await world.patchService('web', { metadata: { finalizers: null } });
    await world.deleteService('web');
    await until(() => world.services.lister.get(WEB) === undefined, 'the deletion is seen');
    world.cloud.scripts.delete = () => {
      throw new Error('error Deleting the Loadbalancer');
    };
    await assert.rejects(controller.sync(world.scope, WEB), { message: 'error Deleting the Loadbalancer' });
    assert.equal(
      world.told().at(-1),
      'Warning DeleteLoadBalancerFailed web: Error deleting load balancer: error Deleting the Loadbalancer',
    );
    delete world.cloud.scripts.delete;
    await controller.sync(world.scope, WEB);
    assert.equal(world.cloud.balancers.size, 0);
  });

  test('is no matter when it was never seen (S13), and a key must be a key (S11)', async () => {
    await using world = await cluster.world();
    const controller = await ready(world);
    await controller.sync(world.scope, 'default/never');
    assert.deepEqual(world.cloud.take(), []);
    await assert.rejects(controller.sync(world.scope, 'invalid/key/string'), {
      message: 'unexpected key format: "invalid/key/string"',
    });
  });

  test('has its old load balancer removed first when it is made anew (S27)', async () => {
    await using world = await cluster.world();
    await world.createService('web');
    const controller = await ready(world);
    await sync(world, controller);
    world.cloud.take();
    await world.patchService('web', { metadata: { finalizers: null } });
    await world.deleteService('web');
    await world.createService('web');
    await sync(world, controller);
    assert.deepEqual(world.cloud.take(), ['delete default/web', 'ensure default/web']);
  });

  test('leaves its successor alone when the cloud takes its annotations off', async () => {
    await using world = await cluster.world();
    await world.createService('web', { metadata: { annotations: { old: 'x' } } });
    const controller = await ready(world);
    await sync(world, controller);
    world.cloud.take();
    await world.patchService('web', { metadata: { finalizers: null } });
    await world.deleteService('web');
    await world.createService('web', { metadata: { annotations: { old: 'y' } } });
    world.cloud.scripts.delete = (context) => context.annotate({ old: null });
    await sync(world, controller);
    assert.deepEqual(world.cloud.take(), ['delete default/web', 'ensure default/web']);
    assert.deepEqual((await world.service('web'))?.metadata.annotations, { old: 'y' });
  });
});

describe('While it works, a cloud', () => {
  test('tells the user by events, and records annotations before it goes on', async () => {
    await using world = await cluster.world();
    await world.createService('web', { metadata: { annotations: { old: 'x', kept: 'y' } } });
    const seen: unknown[] = [];
    world.cloud.scripts.ensure = async (context) => {
      await context.annotate({ made: '1', old: null });
      seen.push((await world.service('web'))?.metadata.annotations, context.clusterName, context.mayWrite());
      context.notify({ type: 'Warning', reason: 'QuotaExceeded', message: 'No address left' });
    };
    await sync(world, await ready(world));
    assert.deepEqual(seen, [{ made: '1', kept: 'y' }, 'kubernetes', true]);
    assert.equal(world.told()[2], 'Warning QuotaExceeded web: No address left');
  });

  test('cannot annotate another Service of the same name, nor one that is gone', async () => {
    await using world = await cluster.world();
    await world.createService('web', { metadata: { finalizers: [CLEANUP_FINALIZER] } });
    const failures: string[] = [];
    const tryTo = (work: Promise<void>): Promise<unknown> => work.catch((error: Error) => failures.push(error.message));
    world.cloud.scripts.ensure = async (context) => {
      await world.patchService('web', { metadata: { finalizers: null } });
      await world.deleteService('web');
      await context.annotate({ old: null });
      await tryTo(context.annotate({ made: '1' }));
      await world.createService('web');
      await tryTo(context.annotate({ made: '1' }));
    };
    await sync(world, await ready(world)).catch(() => undefined);
    assert.equal(failures.length, 2, failures.join('\n'));
    assert.deepEqual((await world.service('web'))?.metadata.annotations, {});
  });
});

describe('A running controller', () => {
  /** Runs until the test ends. */
  async function run(world: World, workers = 1): Promise<ServiceController> {
    const controller = controllerOf(world, workers);
    void controller.run(world.scope).catch(() => undefined);
    await world.follow();
    return controller;
  }
  const members = (world: World, name = 'web') => world.cloud.balancers.get(`default/${name}`)?.join(' ');

  test('serves Services as they come, change and go', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await run(world);
    await world.createService('web');
    await until(() => members(world) === 'n1', 'the load balancer is there');
    await until(async () => (await ingress(world))?.length === 1, 'the status is there');
    world.cloud.take();
    await world.patchService('web', { spec: { loadBalancerIP: '203.0.113.9' } });
    await until(() => world.cloud.calls.includes('ensure default/web n1'), 'the change is seen');
    await world.deleteService('web');
    await until(async () => (await world.service('web')) === undefined, 'the Service is gone');
    assert.equal(world.cloud.balancers.size, 0);
  });

  test('syncs once for a Service whose annotations it wrote itself, and whose labels change', async () => {
    await using world = await cluster.world();
    await run(world);
    world.cloud.scripts.ensure = (context) => context.annotate({ made: '1' });
    await world.createService('web');
    await until(async () => (await ingress(world))?.length === 1, 'the status is there');
    await world.patchService('web', { metadata: { labels: { a: 'b' } } });
    await world.createService('other');
    await until(() => world.cloud.balancers.has('default/other'), 'another Service came after it');
    assert.equal(world.cloud.calls.filter((call) => call.startsWith('ensure default/web')).length, 1);
  });

  test('gives new nodes to all load balancers, and takes nodes that left (W3, W5, W10, W13)', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await run(world);
    for (const name of ['web', 'shop']) await world.createService(name);
    await world.createService('inner', { spec: { type: 'ClusterIP' } });
    await until(() => members(world) === 'n1' && members(world, 'shop') === 'n1', 'both are there');
    world.cloud.take();
    world.told();
    await world.createNode('n2');
    await until(() => members(world) === 'n1 n2' && members(world, 'shop') === 'n1 n2', 'n2 is a member');
    await world.plane.client.delete('/api/v1/nodes/n1');
    await until(() => members(world) === 'n2' && members(world, 'shop') === 'n2', 'n1 is none');
    const calls = world.cloud.take();
    assert.deepEqual([...new Set(calls.map((call) => call.split(' ')[0]))], ['updateMembers']);
    assert.equal(calls.length, 4);
    assert.equal(
      world.told().filter((event) => event.includes('UpdatedLoadBalancer web: Updated load balancer with new hosts'))
        .length,
      2,
    );
    assert.equal(await world.metric('service_controller_loadbalancer_sync_total'), 4);
    const passes = async () => (await world.metric('service_controller_nodesync_latency_seconds_count')) ?? 0;
    await until(async () => (await passes()) >= 2, 'both changes were passed on');
    const before = await passes();
    const labels = { 'node.kubernetes.io/exclude-from-external-load-balancers': '' };
    await world.createNode('n3', { labels });
    await until(async () => (await passes()) > before, 'a node that is no member was looked at');
    assert.deepEqual(world.cloud.take(), []);
  });

  test('does nothing when a node becomes ready or not, and takes one out that is excluded (W7, W9)', async () => {
    await using world = await cluster.world();
    for (const name of ['n1', 'n2']) await world.createNode(name, { ready: 'True' });
    await run(world);
    await world.createService('web');
    await until(() => members(world) === 'n1 n2', 'both are members');
    world.cloud.take();
    await world.setReady('n2', 'False');
    await world.patchNode('n2', {
      metadata: { labels: { 'node.kubernetes.io/exclude-from-external-load-balancers': '' } },
    });
    await until(() => members(world) === 'n1', 'n2 is out');
    assert.deepEqual(world.cloud.take(), ['updateMembers default/web n1']);
  });

  test('does not forget a sync that failed when only the nodes change until the next try', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await run(world);
    world.cloud.scripts.ensure = () => {
      throw new Error('no address left');
    };
    await world.createService('web');
    await until(() => world.cloud.calls.length === 1, 'it failed once');
    delete world.cloud.scripts.ensure;
    await world.createNode('n2');
    await until(() => members(world) === 'n1 n2', 'it is there');
    assert.deepEqual(world.cloud.take(), ['ensure default/web n1', 'ensure default/web n1 n2']);
  });

  test('turns to a full sync when the members cannot be updated (W6, W28)', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await run(world);
    await world.createService('web');
    await until(() => members(world) === 'n1', 'it is there');
    world.cloud.take();
    world.told();
    world.cloud.scripts.updateMembers = () => {
      throw new Error('no route');
    };
    await world.createNode('n2');
    await until(() => members(world) === 'n1 n2', 'n2 is a member all the same');
    assert.deepEqual(world.cloud.take(), [
      'updateMembers default/web n1 n2',
      'get default/web',
      'ensure default/web n1 n2',
    ]);
    assert.equal(
      world.told()[0],
      'Warning UpdateLoadBalancerFailed web: Error updating load balancer with new hosts [n1 n2] ' +
        '[node names limited, total number of nodes: 2], error: no route',
    );
    assert.equal(await world.metric('service_controller_nodesync_error_total'), 1);
  });

  test('takes it for no failure when there is nothing to update (W27)', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await run(world);
    await world.createService('web');
    await until(async () => (await ingress(world))?.length === 1, 'it is there');
    world.cloud.balancers.clear();
    world.told();
    world.cloud.take();
    world.cloud.scripts.updateMembers = () => {
      throw new Error('no such load balancer');
    };
    await world.createNode('n2');
    await until(() => world.cloud.calls.includes('get default/web'), 'the cloud was asked');
    await until(
      async () => ((await world.metric('service_controller_nodesync_latency_seconds_count')) ?? 0) >= 1,
      'the pass ended',
    );
    assert.deepEqual(world.told(), []);
    assert.equal(await world.metric('service_controller_nodesync_error_total'), 0);
  });

  test('never works twice at once on one load balancer, and ends with all nodes (case 25)', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await run(world, 4);
    let working = 0;
    let most = 0;
    const slow = async (): Promise<void> => {
      most = Math.max(most, ++working);
      await new Promise((resolve) => setTimeout(resolve, 100));
      working--;
    };
    world.cloud.scripts.ensure = slow;
    world.cloud.scripts.updateMembers = slow;
    await world.createService('web');
    await until(() => working === 1, 'it is being ensured');
    await world.createNode('n2');
    await world.patchService('web', { metadata: { annotations: { a: 'b' } } });
    await until(() => members(world) === 'n1 n2', 'n2 is a member');
    assert.equal(most, 1);
  });

  test('serves a Service at once while thirty of a slow network wait their turn', async () => {
    await using world = await cluster.world();
    await run(world, 2);
    const slowNetwork = new KeyedLock(2);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    world.cloud.scripts.ensure = async (context, { name }) => {
      if (!name.startsWith('slow')) return;
      const comeBack = context.stepAside();
      await slowNetwork.run(context.scope, 'slow', async () => {
        await released;
        await comeBack();
      });
    };
    const slow = Array.from({ length: 30 }, (_, index) => `slow-${index}`);
    await Promise.all(slow.map((name) => world.createService(name)));
    await until(() => world.cloud.calls.length === 30, 'all thirty have come to the cloud');
    await world.createService('quick');
    await until(() => members(world, 'quick') === '', 'the other one is served');
    assert.equal(world.cloud.balancers.size, 1);
    release();
    await until(() => world.cloud.balancers.size === 31, 'all are served in the end');
  });

  test('tries again after the pause that the cloud asks for, else with back-off, and says which', async () => {
    await using world = await cluster.world();
    const lines: string[] = [];
    const log = createLogger({ sink: ({ message }) => lines.push(message), verbosity: { level: 0 }, now: () => 0 });
    const controller = controllerOf(world, 1, log);
    void controller.run(world.scope).catch(() => undefined);
    await world.follow();
    let tries = 0;
    world.cloud.scripts.ensure = (_context, { name }) => {
      if (name === 'busy') throw new Error('busy');
      if (++tries < 3) throw Object.assign(new Error('wait'), { retryAfterMs: 100 });
    };
    await world.createService('busy');
    await world.createService('web');
    await until(() => tries === 3, 'it was tried three times');
    const told = lines.filter((line) => line.startsWith('error processing'));
    const failed = 'failed to ensure load balancer';
    assert.equal(told[0], `error processing service default/busy (retrying with exponential backoff): ${failed}: busy`);
    assert.equal(told[1], `error processing service default/web (retrying in 100ms): ${failed}: wait`);
    assert.equal(told.length, 3);
  });

  test('ends with the work at hand when it is drained, and starts none', async () => {
    await using world = await cluster.world();
    const controller = controllerOf(world);
    const running = controller.run(world.scope);
    await world.follow();
    let release = (): void => undefined;
    world.cloud.scripts.ensure = () => new Promise((resolve) => (release = resolve));
    await world.createService('web');
    await until(() => world.cloud.calls.length === 1, 'it is being ensured');
    await world.createService('late');
    await until(() => world.services.lister.get('default/late') !== undefined, 'another one waits');
    controller.drain();
    release();
    await running;
    assert.equal(world.cloud.balancers.has(WEB), true);
    assert.equal((await ingress(world))?.length, 1);
    assert.equal(world.cloud.balancers.has('default/late'), false);
  });
});
