import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMetrics, FakeClock, Scope } from '@cloudstack-ccm/base';
import { TestCloud } from '../testing/test-cloud.ts';
import { machine } from '../instances/testing/machines.ts';
import { Inventory } from './inventory.ts';

/** An inventory in front of machines and failures that the test may change. */
function world() {
  const clock = new FakeClock();
  const metrics = createMetrics();
  const asked: (readonly string[])[] = [];
  const state = { machines: [machine('vm-1'), machine('vm-2')], failing: false, affinityGroups: false };
  const client = {
    listVirtualMachines: async (_scope: Scope, { details }: { readonly details: readonly string[] }) => {
      asked.push(details);
      if (state.failing) throw new Error('HTTP 503');
      return [...state.machines];
    },
    listNetworks: async () => [],
  };
  const inventory = new Inventory(client, clock, { metrics, affinityGroups: () => state.affinityGroups });
  const series = async (): Promise<string> => {
    const { text } = await metrics.expose();
    const lines = text.split('\n').filter((line) => line.startsWith('cloudstack_ccm_inventory_'));
    return lines.map((line) => line.replace('cloudstack_ccm_inventory_', '')).join('\n');
  };
  return { asked, clock, inventory, scope: Scope.root(clock), series, state };
}

test('counts readings, failures and what was shared, and tells age and size', async () => {
  const { clock, inventory, scope, series, state } = world();
  assert.match(await series(), /age_seconds\{kind="machines"\} NaN/i);
  await Promise.all([inventory.machines(scope), inventory.machines(scope), inventory.machines(scope)]);
  await clock.advance(5000);
  await inventory.machines(scope);
  await inventory.network(scope, 'net-1');
  state.failing = true;
  await assert.rejects(inventory.machines(scope, 0));
  const text = await series();
  for (const line of [
    'reads_total{kind="machines",result="success"} 1',
    'reads_total{kind="machines",result="failure"} 1',
    'reads_total{kind="networks",result="success"} 1',
    'shared_total{kind="machines",how="joined"} 2',
    'shared_total{kind="machines",how="kept"} 1',
    'objects{kind="machines"} 2',
    'objects{kind="networks"} 1',
  ]) {
    assert.ok(text.includes(line), `${line} is not in\n${text}`);
  }
});

test('the reference page describes each of its metrics', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/reference/metrics.md'), 'utf8');
  const names = new Set((await world().series()).split('\n').map((line) => line.replace(/[{ ].*/, '')));
  for (const name of [...names, 'reads_total', 'shared_total']) {
    assert.ok(page.includes(`\`cloudstack_ccm_inventory_${name}\``), name);
  }
});

test('the age counts from the start of the latest reading that ended well', async () => {
  const { clock, inventory, scope, series } = world();
  await inventory.machines(scope);
  await clock.advance(7000);
  assert.match(await series(), /age_seconds\{kind="machines"\} 7$/m);
});

test('asks for affinity groups only where they are wanted', async () => {
  const { asked, inventory, scope, state } = world();
  await inventory.machines(scope, 0);
  state.affinityGroups = true;
  await inventory.machines(scope, 0);
  await inventory.machineById(scope, 'vm-1');
  assert.deepEqual(asked, [
    ['min', 'nics', 'servoff'],
    ['min', 'nics', 'servoff', 'affgrp'],
    ['min', 'nics', 'servoff', 'affgrp'],
  ]);
});

/** Forty machines behind a server that gives one of them at a time. */
async function tinyPages(): Promise<TestCloud> {
  const cloud = await TestCloud.start({
    scene: (world) => {
      world.zone({ name: 'zone-a' });
      world.account({ name: 'k8s' });
      world.network({ name: 'net-iso', owner: 'k8s', cidr: '10.1.1.0/24' });
      for (let index = 1; index <= 40; index++) {
        world.virtualMachine({ name: `node-${index}`, owner: 'k8s', networks: ['net-iso'] });
      }
    },
  });
  const { state } = cloud.simulator;
  state.settings = { ...state.settings, defaultPageSize: 1 };
  return cloud;
}

test('with pages of one machine, all nodes are found, by an account without rights beyond its own', async () => {
  await using cloud = await tinyPages();
  const names = ['node-12', 'node-27', 'node-40', 'node-1', 'node-2', 'node-3', 'node-4'];
  for (const name of names) {
    const found = await cloud.cloud.instances.metadata(cloud.scope, { ...cloud.node(name), providerId: '' });
    assert.equal(found?.providerId, `external-cloudstack://${cloud.machineId(name)}`);
  }
  const { byNode } = await cloud.cloud.instances.look(cloud.scope, cloud.nodes(...names), []);
  assert.deepEqual([...new Set([...byNode.values()].map(({ state }) => state))], ['running']);
  assert.deepEqual([...new Set(cloud.commandsSince(0))], ['listVirtualMachines']);
});

test('while machines come and go between pages, no machine that stays is ever taken for absent', async () => {
  await using cloud = await tinyPages();
  const staying = Array.from({ length: 10 }, (_, index) => `node-${index * 2 + 20}`);
  let turn = 0;
  // While the pages are read, machines at the front of the list go and come back.
  cloud.simulator.faults.add({ command: 'listVirtualMachines', action: { kind: 'latency', ms: 1 } });
  const churn = setInterval(() => {
    const name = `node-${(turn++ % 9) + 1}`;
    const gone = turn % 2 === 0;
    cloud.change(name, gone ? { state: 'Running' } : { state: 'Destroyed' });
  }, 2);
  try {
    for (let pass = 0; pass < 5; pass++) {
      const { byNode } = await cloud.cloud.instances.look(cloud.scope, cloud.nodes(...staying), []);
      for (const name of staying) assert.notEqual(byNode.get(name)?.state, 'absent', `${name} in pass ${pass}`);
    }
  } finally {
    clearInterval(churn);
  }
  assert.ok(turn > 20, `only ${turn} machines came and went`);
});
