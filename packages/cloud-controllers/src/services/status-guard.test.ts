import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { FakeClock } from '@cloudstack-ccm/base';

import { TestCluster, until, type World } from '../testing/cluster.ts';
import { runServiceController } from '../testing/service-controllers.ts';
import { StatusGuard } from './status-guard.ts';

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.start();
});
after(() => cluster[Symbol.asyncDispose]());

const OURS = [{ ip: '203.0.113.20' }];
const THEIRS = [{ ip: '192.0.2.1' }];

const run = (world: World, clock: FakeClock) => runServiceController(world, { clock });

describe('A status that somebody else overwrites', () => {
  const shows = async (world: World, ip: string | undefined) =>
    (await world.service('web'))?.status.loadBalancer.ingress[0]?.ip === ip;
  const ensured = (world: World) => world.cloud.calls.filter((call) => call.startsWith('ensure')).length;

  for (const [what, ingress] of [
    ['another address', THEIRS],
    ['nothing', []],
  ] as const) {
    test(`is put right when it shows ${what}`, async () => {
      await using world = await cluster.world();
      const clock = new FakeClock();
      await world.createNode('n1');
      await run(world, clock);
      await world.createService('web');
      await until(() => shows(world, '203.0.113.20'), 'our address is shown');
      await world.seen('web');
      await world.plane.client.patch('/api/v1/namespaces/default/services/web/status', {
        status: { loadBalancer: { ingress } },
      });
      await until(() => shows(world, ingress[0]?.ip), 'it is overwritten');
      await world.seen('web');
      assert.equal(ensured(world), 1);
      await clock.advance(1500);
      await until(() => shows(world, '203.0.113.20'), 'our address is shown again');
      await world.seen('web');
      await clock.advance(400_000);
      assert.equal(ensured(world), 2, 'our own writing is no news');
    });
  }

  test('is put right at the end of the sync during which that happened, the first of a process too', async () => {
    await using world = await cluster.world();
    await world.createNode('n1');
    await world.createService('web');
    const overwrite = async (ingress: readonly object[]): Promise<void> => {
      await world.plane.client.patch('/api/v1/namespaces/default/services/web/status', {
        status: { loadBalancer: { ingress } },
      });
    };
    await overwrite(OURS);
    world.cloud.scripts.ensure = async () => {
      await overwrite(THEIRS);
      await world.seen('web');
    };
    await run(world, new FakeClock());
    await until(() => ensured(world) === 1, 'it is worked on');
    await until(() => shows(world, '203.0.113.20'), 'our address is shown again');
  });
});

describe('StatusGuard', () => {
  const pauses = (guard: StatusGuard, times: readonly number[]) =>
    times.map((now) => Math.floor(Math.log2((guard.pauseAfter('a/b', THEIRS, now) ?? 0) / 1000)));

  test('waits twice as long each time, up to five minutes, and starts anew after ten minutes of peace', () => {
    const guard = new StatusGuard();
    guard.note('a/b', OURS);
    assert.deepEqual(pauses(guard, [0, 1, 2, 3, 4, 5, 6, 7, 8]), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    for (let now = 9; now < 20; now++) assert.ok((guard.pauseAfter('a/b', THEIRS, now) ?? 0) <= 375_000);
    guard.note('a/b', OURS);
    assert.deepEqual(pauses(guard, [600_019, 1_200_020]), [8, 0]);
  });

  test('has nothing to say of what it was given, nor of a Service that it does not know any more', () => {
    const guard = new StatusGuard();
    guard.note('a/b', OURS);
    assert.equal(guard.pauseAfter('a/b', [{ ip: '203.0.113.20', ipMode: 'VIP' }], 0), undefined);
    guard.forget('a/b');
    assert.equal(guard.pauseAfter('a/b', THEIRS, 0), undefined);
  });
});
