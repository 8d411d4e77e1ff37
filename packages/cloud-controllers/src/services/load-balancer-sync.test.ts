import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { TestCluster, until, type World } from '../testing/cluster.ts';
import { readyServiceController } from '../testing/service-controllers.ts';
import { CLEANUP_FINALIZER } from './predicates.ts';
import type { ServiceController } from './service-controller.ts';

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.start();
});
after(() => cluster[Symbol.asyncDispose]());

const WEB = 'default/web';

const ready = (world: World) => readyServiceController(world, { workers: 1 });

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
