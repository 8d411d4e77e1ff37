import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, Scope } from '@cloudstack-ccm/base';
import { Networks } from './networks.ts';

function world() {
  const clock = new FakeClock();
  const asked: unknown[] = [];
  const client = {
    listNetworks: async (_scope: Scope, filter: unknown) => {
      asked.push(filter);
      return [];
    },
  };
  return { asked, clock, networks: new Networks(client, clock), scope: Scope.root(clock) };
}

test('reads a network once for all, and a network that is not visible is undefined', async () => {
  const { asked, networks, scope } = world();
  const found = await Promise.all([networks.get(scope, 'net-1', 1000), networks.get(scope, 'net-1', 1000)]);
  assert.deepEqual(found, [undefined, undefined]);
  assert.deepEqual(asked, [{ id: 'net-1', listAll: true }]);
});

test('reads anew after an invalidation, and leaves the others alone', async () => {
  const { asked, networks, scope } = world();
  const read = (): Promise<unknown> =>
    Promise.all([networks.get(scope, 'net-1', 1000), networks.get(scope, 'net-2', 1000)]);
  await read();
  networks.invalidate('net-2');
  await read();
  assert.equal(asked.length, 3);
});

test('forgets networks that nobody asks for any more', async () => {
  const { clock, networks, scope } = world();
  for (let index = 0; index < 100; index++) await networks.get(scope, `net-${index}`, 1000);
  await clock.advance(10 * 60_000 + 1);
  await networks.get(scope, 'net-1', 1000);
  assert.equal(networks.size, 1);
});
