import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, Scope } from '@cloudstack-ccm/base';
import type { VirtualMachine } from '@cloudstack-ccm/cloudstack-client';
import { Inventory } from '../inventory/inventory.ts';
import { Resolver } from './resolver.ts';
import { machine, node } from './testing/machines.ts';

/** A resolver in front of machines that the test may change. */
function world(...machines: VirtualMachine[]) {
  const clock = new FakeClock();
  let lists = 0;
  const client = {
    listVirtualMachines: async () => {
      lists++;
      return [...machines];
    },
    listNetworks: async () => [],
  };
  const resolver = new Resolver(new Inventory(client, clock));
  return { clock, machines, lists: () => lists, resolver, scope: Scope.root(clock) };
}

test('gives each node its machine, and a reason for each that has none', async () => {
  const { resolver, scope } = world(machine('vm-1'), machine('vm-2', { name: 'node-2', state: 'Stopped' }));
  const nodes = [node('worker', 'vm-1'), node('node-2.example.test'), node('node-3', 'vm-3')];
  const { resolved, unresolved } = await resolver.resolve(scope, nodes);
  assert.deepEqual(
    resolved.map(({ node: { name }, vm }) => [name, vm.id]),
    [
      ['worker', 'vm-1'],
      ['node-2.example.test', 'vm-2'],
    ],
  );
  assert.deepEqual(
    unresolved.map(({ node: { name } }) => name),
    ['node-3'],
  );
  assert.match(unresolved[0]?.reason ?? '', /vm-3 of node node-3/);
});

test('reads one list for many Services', async () => {
  const { clock, lists, resolver, scope } = world(machine('vm-1'));
  for (let service = 0; service < 100; service++) {
    await resolver.resolve(scope, [node('node-1', 'vm-1')]);
    await clock.advance(200);
  }
  assert.equal(lists(), 1);
});

test('finds a node that has just joined, by reading once more', async () => {
  const { clock, lists, machines, resolver, scope } = world(machine('vm-1'));
  await resolver.resolve(scope, [node('node-1', 'vm-1')]);
  await clock.advance(15_000);
  machines.push(machine('vm-2'));
  const { unresolved } = await resolver.resolve(scope, [node('node-1', 'vm-1'), node('node-2', 'vm-2')]);
  assert.deepEqual(unresolved, []);
  assert.equal(lists(), 2);
});

test('a node that never resolves does not make every pass read anew', async () => {
  const { clock, lists, resolver, scope } = world(machine('vm-1'));
  for (let service = 0; service < 100; service++) {
    await resolver.resolve(scope, [node('stranger', 'vm-9')]);
    await clock.advance(100);
  }
  assert.equal(lists(), 1);
});

test('an ambiguous name is a reason, and no cause to read anew', async () => {
  const { clock, lists, resolver, scope } = world(machine('vm-1', { name: 'a' }), machine('vm-2', { name: 'A' }));
  await resolver.resolve(scope, []);
  await clock.advance(15_000);
  const { unresolved } = await resolver.resolve(scope, [node('a')]);
  assert.match(unresolved[0]?.reason ?? '', /several virtual machines match node a: a \(vm-1, .*A \(vm-2/);
  assert.equal(lists(), 1);
});
