import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PageChange } from './page-change.ts';
import { TestCloud, type TestClient } from './testing/client.ts';

/** Six machines, and two on a page. */
async function start(seed = 1): Promise<TestCloud> {
  return TestCloud.start({
    seed,
    scene: (world) => {
      world.zone({ name: 'zone-a' });
      world.account({ name: 'k8s' });
      world.network({ name: 'net', owner: 'k8s' });
      for (const number of [1, 2, 3, 4, 5, 6]) {
        world.virtualMachine({ name: `node-${number}`, owner: 'k8s', networks: ['net'] });
      }
    },
  });
}

/** Reads page by page until one is not full, as a client does that trusts its pages. */
async function names(client: TestClient, command = 'listVirtualMachines', field = 'name'): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (let page = 1; ; page++) {
    const rows = await client.list(command, { page: String(page), pagesize: '2' });
    found.push(...rows.map((row) => row[field]));
    if (rows.length < 2) return found;
  }
}

function between(cloud: TestCloud, change: PageChange, ms?: number): void {
  const action = { kind: 'list-changes', ...change, ...(ms !== undefined && { ms }) } as const;
  cloud.simulator.faults.add({ command: 'list*', count: 1, action });
}

describe('a list that changes between two pages', () => {
  it('lets a client miss what follows an object that goes', async () => {
    await using cloud = await start();
    between(cloud, { change: 'delete', objects: ['node-1'] });
    assert.deepEqual(await names(cloud.user), ['node-1', 'node-2', 'node-4', 'node-5', 'node-6']);
    assert.equal((await cloud.user.list('listVirtualMachines')).length, 5);
  });

  it('shows an object twice that moves to the end, and hides another', async () => {
    await using cloud = await start();
    between(cloud, { change: 'move', objects: ['node-2'] });
    assert.deepEqual(await names(cloud.user), ['node-1', 'node-2', 'node-4', 'node-5', 'node-6', 'node-2']);
  });

  it('shows an object twice when there is a new one in front of it', async () => {
    await using cloud = await start();
    const { user } = cloud;
    const { ipaddress } = await cloud.result(user, 'associateIpAddress', { networkid: cloud.id('networks', 'net') });
    const { id } = ipaddress as { id: string };
    for (const port of ['80', '81', '82']) {
      const ports = { protocol: 'tcp', startport: port, endport: port };
      await cloud.result(user, 'createFirewallRule', { ipaddressid: id, ...ports, cidrlist: '0.0.0.0/0' });
    }
    between(cloud, { change: 'create' });
    assert.deepEqual(await names(user, 'listFirewallRules', 'startport'), [82, 81, 81, 80]);
    assert.equal((await user.list('listFirewallRules'))[0]?.['startport'], 83);
  });

  it('takes objects at random, the same for the same seed, among those that were shown', async () => {
    const run = async (seed: number): Promise<readonly unknown[]> => {
      await using cloud = await start(seed);
      between(cloud, { change: 'delete', number: 2 });
      const seen = await names(cloud.user);
      const left = await cloud.user.list('listVirtualMachines');
      return [seen, left.map((row) => row['name'])];
    };
    assert.deepEqual(await run(7), await run(7));
    const [seen, left] = await run(7);
    assert.deepEqual(seen, ['node-1', 'node-2', 'node-5', 'node-6']);
    assert.deepEqual(left, ['node-3', 'node-4', 'node-5', 'node-6']);
  });

  it('gives twins addresses and interfaces of their own', async () => {
    await using cloud = await start();
    between(cloud, { change: 'create', number: 2 });
    assert.equal((await names(cloud.user)).length, 8);
    const rows = [...cloud.simulator.state.virtualMachines.values()].flatMap((vm) => vm.nics);
    assert.equal(new Set(rows.map((nic) => nic.ipAddress)).size, 8);
    assert.equal(new Set(rows.map((nic) => nic.id)).size, 8);
  });

  it('lets the pages come slowly, and leaves the first and unpaged lists alone', async () => {
    await using cloud = await start();
    between(cloud, { change: 'delete', objects: ['node-1'] }, 5000);
    assert.equal((await cloud.user.list('listVirtualMachines')).length, 6);
    assert.equal((await cloud.user.list('listVirtualMachines', { page: '1', pagesize: '2' })).length, 2);
    let answered = false;
    const second = cloud.user
      .list('listVirtualMachines', { page: '2', pagesize: '2' })
      .finally(() => (answered = true));
    while (cloud.clock.timers === 0) await new Promise((resolve) => setImmediate(resolve));
    await cloud.clock.advance(4999);
    assert.equal(answered, false);
    await cloud.clock.advance(1);
    assert.deepEqual(
      (await second).map((row) => row['name']),
      ['node-4', 'node-5'],
    );
  });

  it('changes nothing for a caller who is not let in', async () => {
    await using cloud = await start();
    between(cloud, { change: 'delete', objects: ['node-1'] });
    await cloud.with('nobody', 'secret').refused('listVirtualMachines', { page: '2', pagesize: '2' });
    assert.equal((await cloud.user.list('listVirtualMachines')).length, 6);
  });
});
