import assert from 'node:assert/strict';
import { before, after, test } from 'node:test';
import type { World } from './scene/world.ts';
import { TestCloud } from './testing/client.ts';

const MACHINES = 5000;
const RULES = 2000;
const MEMBERS = 100;

/** One account with 5,000 machines in one network and 2,000 rules of 100 members. */
function largeScene(world: World): void {
  world.zone({ name: 'zone-a', publicRange: ['203.0.0.0', '203.0.7.255'] });
  world.account({ name: 'k8s' });
  const network = world.network({ name: 'net', owner: 'k8s', cidr: '10.0.0.0/16' });
  const { state, random, clock } = world.backend;
  const machines = Array.from({ length: MACHINES }, (_, index) =>
    world.virtualMachine({
      name: `node-${index}`,
      owner: 'k8s',
      networks: ['net'],
      ipAddress: `10.0.${Math.floor(index / 250) + 1}.${(index % 250) + 1}`,
    }),
  );
  const { accountId } = network;
  for (const [index, ip] of [...state.publicIps.values()].slice(1, RULES + 1).entries()) {
    state.publicIps.update(ip.id, { state: 'Allocated', accountId, networkId: network.id, allocated: clock.now() });
    const members = Array.from({ length: MEMBERS }, (_, member) => {
      const vm = machines[(index * 7 + member) % MACHINES];
      return { virtualMachineId: vm?.id ?? '', address: vm?.nics[0]?.ipAddress ?? '', revoked: false };
    });
    state.loadBalancerRules.add({
      id: random.uuid(),
      accountId,
      publicIpId: ip.id,
      networkId: network.id,
      name: `rule-${index}`,
      publicPort: 80,
      privatePort: 30_080,
      algorithm: 'roundrobin',
      members,
      state: 'Active',
      created: clock.now(),
    });
  }
}

let cloud: TestCloud;
before(async () => {
  cloud = await TestCloud.start({ scene: largeScene });
});
after(() => cloud.simulator.close());

/**
 * Median of ten calls in milliseconds. On a quiet machine a page takes under 20; the limits here leave room for a busy
 * one, and still catch a lookup that reads a whole table for each row.
 */
async function median(command: string, parameters: Record<string, string>): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < 10; call++) {
    const start = performance.now();
    await cloud.user.send({ command, ...parameters });
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[5] ?? 0;
}

const LIMIT_MS = 80;

test('answers a page of the largest size quickly, wherever it is', async () => {
  for (const command of ['listVirtualMachines', 'listLoadBalancerRules', 'listPublicIpAddresses']) {
    const ms = await median(command, { page: '4', pagesize: '500' });
    assert.ok(ms < LIMIT_MS, `${command}: ${ms} ms`);
  }
});

test('finds one among many quickly, by id, name, machine and keyword', async () => {
  const { state } = cloud.simulator;
  const vm = state.virtualMachines.byInternalId(4000)?.id ?? '';
  const rule = state.loadBalancerRules.byInternalId(1500)?.id ?? '';
  const calls: readonly (readonly [string, Record<string, string>])[] = [
    ['listVirtualMachines', { id: vm }],
    ['listVirtualMachines', { name: 'node-4321' }],
    ['listLoadBalancerRules', { virtualmachineid: vm }],
    ['listLoadBalancerRules', { keyword: 'rule-77' }],
    ['listLoadBalancerRuleInstances', { id: rule }],
  ];
  for (const [command, parameters] of calls) {
    const ms = await median(command, parameters);
    assert.ok(ms < LIMIT_MS, `${command}: ${ms} ms`);
  }
});

test('holds all that in less than 300 MB', () => {
  // All of the process counts, this test's client with it.
  assert.ok(process.memoryUsage.rss() < 300e6, `${process.memoryUsage.rss()}`);
});

test('takes and restores a snapshot in no time', () => {
  const start = performance.now();
  cloud.simulator.restore(cloud.simulator.snapshot());
  assert.ok(performance.now() - start < 1000);
});
