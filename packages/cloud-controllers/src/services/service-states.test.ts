import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { FakeClock } from '@cloudstack-ccm/base';

import { TestCluster, until, type World } from '../testing/cluster.ts';
import { CLEANUP_FINALIZER } from './predicates.ts';
import { readyServiceController, serviceController } from '../testing/service-controllers.ts';
import type { ServiceController } from './service-controller.ts';

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.start();
});
after(() => cluster[Symbol.asyncDispose]());

const WEB = 'default/web';

async function sync(world: World, controller: ServiceController): Promise<void> {
  await world.seen('web');
  await controller.sync(world.scope, WEB);
}

async function fail(world: World, controller: ServiceController): Promise<void> {
  await assert.rejects(sync(world, controller));
}

const FAILED = 'Warning SyncLoadBalancerFailed web: Error syncing load balancer: failed to ensure load balancer: ';

async function conditions(world: World): Promise<Record<string, string>> {
  const service = await world.service('web');
  return Object.fromEntries(
    (service?.status.conditions ?? []).map(({ type, status, reason, message }) => [
      type,
      `${status} ${reason}: ${message}`,
    ]),
  );
}

const GOOD = {
  'example.com/LoadBalancerReady': 'True Ensured: The load balancer is as the Service wants it.',
  'example.com/LoadBalancerComplete': 'True AsSpecified: Nothing that the Service asks for is missing.',
};

describe('The author of a Service', () => {
  test('is told of a failure once in fifty tries, and of its end', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await world.createService('web');
    world.cloud.scripts.ensure = (context) => {
      context.notify({ type: 'Warning', reason: 'PoolExhausted', message: 'No address is left. Add some.' });
      throw new Error('no address left');
    };
    const controller = await readyServiceController(world);
    for (let tries = 0; tries < 50; tries++) await fail(world, controller);
    assert.deepEqual(world.told(), [
      'Normal EnsuringLoadBalancer web: Ensuring load balancer',
      'Warning PoolExhausted web: No address is left. Add some.',
      `${FAILED}no address left`,
    ]);
    delete world.cloud.scripts.ensure;
    await sync(world, controller);
    assert.deepEqual(world.told(), ['Normal EnsuredLoadBalancer web: Ensured load balancer']);
  });

  test('is told again what comes back after it was gone, and each of two failures that take turns once', async () => {
    await using world = await cluster.world();
    await world.createService('web');
    let error: string | undefined = 'busy';
    world.cloud.scripts.ensure = () => {
      if (error !== undefined) throw new Error(error);
    };
    const controller = await readyServiceController(world);
    for (error of ['busy', 'broken', 'busy', 'broken']) await fail(world, controller);
    assert.deepEqual(
      world.told().filter((event) => event.startsWith(FAILED)),
      [`${FAILED}busy`, `${FAILED}broken`],
    );
    error = undefined;
    await sync(world, controller);
    error = 'busy';
    await fail(world, controller);
    assert.equal(world.told().at(-1), `${FAILED}busy`);
  });

  test('is told once of a failure that names another address and another job in each try', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await world.createService('web');
    let tries = 0;
    world.cloud.scripts.ensure = () => {
      tries++;
      throw new Error(`192.0.2.${tries} cannot be had by job 11111111-2222-3333-4444-0000000000${10 + tries}`);
    };
    const controller = await readyServiceController(world);
    for (let times = 0; times < 50; times++) await fail(world, controller);
    assert.equal(world.told().length, 2);
    // The finalizer, and the conditions of the first try.
    assert.equal(await world.requests('PATCH'), 2);
  });

  test('is told of a lasting warning once while all goes well, and again when the Service has changed', async () => {
    await using world = await cluster.world();
    await world.createService('web');
    const controller = await readyServiceController(world);
    void controller.run(world.scope).catch(() => undefined);
    world.cloud.scripts.ensure = (context) => context.notify({ type: 'Warning', reason: 'Odd', message: 'It is odd.' });
    const odd = () => world.events.filter((event) => event === 'Warning Odd web: It is odd.').length;
    await until(() => odd() === 1, 'it is told');
    await until(() => world.events.includes('Normal EnsuredLoadBalancer web: Ensured load balancer'), 'it is there');
    await sync(world, controller);
    assert.equal(odd(), 1);
    await world.patchService('web', { metadata: { annotations: { a: 'b' } } });
    await until(() => odd() === 2, 'it is told again');
  });

  test('is not told again by the next process what the conditions show', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await world.createService('web');
    world.cloud.scripts.ensure = (context) => {
      context.notify({ type: 'Warning', reason: 'Odd', message: 'It is odd.' });
      context.notify({ type: 'Warning', reason: 'Strange', message: 'It is strange.' });
      throw new Error('no address left');
    };
    await fail(world, await readyServiceController(world));
    assert.equal(world.told().length, 4);
    const patches = await world.requests('PATCH');
    await fail(world, serviceController(world));
    assert.deepEqual(world.told(), []);
    assert.equal(await world.requests('PATCH'), patches);
  });

  test('is told of a deletion that fails once', async () => {
    await using world = await cluster.world();
    await world.createService('web', { metadata: { finalizers: [CLEANUP_FINALIZER] } });
    world.cloud.balancers.set(WEB, []);
    await world.deleteService('web');
    world.cloud.scripts.delete = () => {
      throw new Error('in use');
    };
    const controller = await readyServiceController(world);
    for (let tries = 0; tries < 50; tries++) await fail(world, controller);
    assert.deepEqual(world.told(), [
      'Normal DeletingLoadBalancer web: Deleting load balancer',
      'Warning SyncLoadBalancerFailed web: Error syncing load balancer: failed to delete load balancer: in use',
    ]);
    assert.equal(
      (await conditions(world))['example.com/LoadBalancerReady'],
      'False SyncLoadBalancerFailed: failed to delete load balancer: in use',
    );
  });
});

describe('The conditions of a Service', () => {
  test('say that all is well in the patch that shows the address, and cost nothing after it', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await world.createService('web');
    const controller = await readyServiceController(world);
    await sync(world, controller);
    assert.deepEqual(await conditions(world), GOOD);
    assert.equal(await world.requests('PATCH'), 2);
    for (let times = 0; times < 3; times++) await sync(world, controller);
    assert.equal(await world.requests('PATCH'), 2);
  });

  test('say what failed and what is missing, with one patch for all tries, and keep those of others', async () => {
    await using world = await cluster.world();
    await world.createService('web', { metadata: { finalizers: [CLEANUP_FINALIZER] } });
    const other = {
      type: 'mesh.example.org/Ready',
      status: 'True',
      reason: 'Fine',
      message: 'It works.',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    await world.plane.client.patch('/api/v1/namespaces/default/services/web/status', {
      status: { conditions: [other] },
    });
    world.cloud.scripts.ensure = (context) => {
      context.notify({ type: 'Warning', reason: 'Odd', message: 'It is odd.' });
      throw new Error('no address left');
    };
    const controller = await readyServiceController(world);
    for (let tries = 0; tries < 3; tries++) await fail(world, controller);
    assert.equal(await world.requests('PATCH'), 1);
    assert.deepEqual(await conditions(world), {
      'mesh.example.org/Ready': 'True Fine: It works.',
      'example.com/LoadBalancerReady': 'False SyncLoadBalancerFailed: failed to ensure load balancer: no address left',
      'example.com/LoadBalancerComplete': 'False Odd: It is odd.',
    });
    delete world.cloud.scripts.ensure;
    await sync(world, controller);
    assert.deepEqual(await conditions(world), { 'mesh.example.org/Ready': 'True Fine: It works.', ...GOOD });
    await world.patchService('web', { spec: { type: 'ClusterIP' } });
    await sync(world, controller);
    assert.deepEqual(await conditions(world), { 'mesh.example.org/Ready': 'True Fine: It works.' });
  });

  test('keep the time of their change while only their reason changes', async () => {
    await using world = await cluster.world();
    await world.createService('web');
    const clock = new FakeClock();
    const controller = await readyServiceController(world, { clock });
    const times = async () =>
      (await world.service('web'))?.status.conditions.map(({ lastTransitionTime }) => lastTransitionTime);
    let error: string | undefined = 'busy';
    world.cloud.scripts.ensure = () => {
      if (error !== undefined) throw new Error(error);
    };
    await fail(world, controller);
    const first = await times();
    await clock.advance(60_000);
    error = 'broken';
    await fail(world, controller);
    assert.deepEqual(await times(), first);
    error = undefined;
    await sync(world, controller);
    assert.notDeepEqual(await times(), first);
  });

  test('are not written on a Service that is not ours', async () => {
    await using world = await cluster.world();
    await world.createService('web', { spec: { loadBalancerClass: 'example.com/mine' } });
    world.cloud.scripts.get = () => {
      throw new Error('HTTP 503');
    };
    await fail(world, await readyServiceController(world));
    assert.equal(await world.requests('PATCH'), 0);
  });
});
