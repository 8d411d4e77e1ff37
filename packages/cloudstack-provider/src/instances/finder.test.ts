import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, Scope } from '@cloudstack-ccm/base';
import { IncompleteListError, NotFoundError, type VirtualMachine } from '@cloudstack-ccm/cloudstack-client';
import { MachineSnapshot } from '../inventory/machine-snapshot.ts';
import { MachineFinder } from './finder.ts';
import { machine, node } from './testing/machines.ts';

/** An inventory that counts what it is asked. */
function inventory(machines: readonly VirtualMachine[], clock: FakeClock) {
  const asked: string[] = [];
  let listedAt: number | undefined;
  let listed: readonly VirtualMachine[] = [];
  return {
    asked,
    machinesAgeMs: () => (listedAt === undefined ? undefined : clock.monotonic() - listedAt),
    machines: async (_scope: Scope, maxAgeMs = 0) => {
      if (listedAt === undefined || clock.monotonic() - listedAt >= maxAgeMs) {
        asked.push('list');
        listedAt = clock.monotonic();
        listed = [...machines];
      }
      return new MachineSnapshot(listed);
    },
    invalidateMachines: () => {
      listedAt = undefined;
    },
    machineById: async (_scope: Scope, id: string) => {
      asked.push(`id ${id}`);
      if (id === 'never-was') {
        throw new NotFoundError({ command: 'x', errorCode: 431, csErrorCode: 0, text: '', jobId: undefined });
      }
      return machines.find((one) => one.id === id);
    },
    /** The keys' own account is `k8s`. */
    machinesByName: async (_scope: Scope, name: string, listAll: boolean) => {
      asked.push(`name ${name}${listAll ? ' everywhere' : ''}`);
      const namesakes = machines.filter((one) => one.name.toLowerCase() === name.toLowerCase());
      return namesakes.filter((one) => listAll || one.account === 'k8s');
    },
  };
}

function world(...machines: readonly VirtualMachine[]) {
  const clock = new FakeClock();
  const cloud = inventory(machines, clock);
  const finder = new MachineFinder(cloud, clock);
  const find = async (name: string, id = '', wanted?: number): Promise<string> => {
    const found = await finder.find(Scope.root(clock), node(name, id), wanted);
    return found.kind === 'found' ? found.vm.id : found.kind;
  };
  return { clock, asked: cloud.asked, find };
}

const MANY = Array.from({ length: 1000 }, (_, index) => machine(`vm-${index}`));

test('asks for no node singly when many are wanted, not even for the first', async () => {
  const { asked, find } = world(...MANY);
  assert.equal(await find('worker', 'vm-7', 6), 'vm-7');
  assert.deepEqual(asked, ['list']);
});

test('asks for a single node by id, and for one without provider ID by name', async () => {
  const { asked, find } = world(...MANY);
  assert.equal(await find('worker', 'vm-7'), 'vm-7');
  assert.equal(await find('VM-8'), 'vm-8');
  assert.deepEqual(asked, ['id vm-7', 'name VM-8']);
});

test('looks for the first label, and then beyond the own account, before it says missing', async () => {
  const { asked, find } = world(machine('vm-1', { account: 'other' }));
  assert.equal(await find('vm-1.example.test'), 'vm-1');
  assert.deepEqual(asked, [
    'name vm-1.example.test',
    'name vm-1',
    'name vm-1.example.test everywhere',
    'name vm-1 everywhere',
  ]);
});

test('serves a thousand nodes one after another with a few questions and one list', async () => {
  const { asked, find } = world(...MANY);
  for (const { id } of MANY) assert.equal(await find(id, id), id);
  assert.equal(asked.length, 6);
  assert.equal(asked.filter((question) => question === 'list').length, 1);
});

test('reads at most one list in ten seconds, whatever is asked', async () => {
  const { asked, clock, find } = world(...MANY);
  for (let second = 0; second < 60; second++) {
    for (let index = 0; index < 10; index++) await find(`vm-${index}`, `vm-${index}`);
    await clock.advance(1000);
  }
  assert.ok(asked.filter((question) => question === 'list').length <= 6);
});

test('asks singly again once it has become quiet', async () => {
  const { asked, clock, find } = world(...MANY);
  for (let index = 0; index < 10; index++) await find(`vm-${index}`, `vm-${index}`);
  await clock.advance(10_000);
  asked.length = 0;
  await find('vm-1', 'vm-1');
  assert.deepEqual(asked, ['id vm-1']);
});

test('a machine that is younger than the list is found at once, and one that is missing costs few questions', async () => {
  const machines = [...MANY];
  const clock = new FakeClock();
  const cloud = inventory(machines, clock);
  const finder = new MachineFinder(cloud, clock);
  await cloud.machines(Scope.root(clock));
  machines.push(machine('young'));
  const found = await finder.find(Scope.root(clock), node('young'));
  assert.equal(found.kind, 'found');
  assert.equal(cloud.machinesAgeMs(), undefined, 'the old list still counts');
  for (let round = 0; round < 100; round++) await finder.find(Scope.root(clock), node('never'));
  assert.ok(cloud.asked.length <= 20, `${cloud.asked.length} questions`);
});

test('an id that the installation has never had is missing', async () => {
  assert.equal(await world().find('worker', 'never-was'), 'missing');
});

test('namesakes in other accounts do not make a node ambiguous when the own account knows one', async () => {
  const twins = [machine('vm-own', { name: 'node-1' }), machine('vm-other', { name: 'node-1', account: 'other' })];
  const { find } = world(...MANY, ...twins);
  for (let index = 0; index < 6; index++) await find(`vm-${index}`, `vm-${index}`);
  assert.equal(await find('node-1'), 'vm-own');
});

test('display names are looked up in one list that all share', async () => {
  const { asked, find } = world(machine('vm-1', { displayName: 'Alpha' }), machine('vm-2', { displayName: 'beta' }));
  assert.equal(await find('alpha'), 'vm-1');
  assert.equal(await find('beta.example.test'), 'vm-2');
  assert.equal(await find('gamma'), 'missing');
  assert.equal(asked.filter((question) => question === 'list').length, 1);
});

test('namesakes in the own account stay ambiguous', async () => {
  const { find } = world(machine('vm-1', { name: 'node-1' }), machine('vm-2', { name: 'node-1' }));
  assert.equal(await find('node-1'), 'ambiguous');
});

test('asks for a few nodes singly where the list cannot be read whole, and then says so', async () => {
  const clock = new FakeClock();
  const cloud = { ...inventory(MANY, clock), machinesAgeMs: () => 0 };
  const broken = { ...cloud, machines: () => Promise.reject(new IncompleteListError('listVirtualMachines', 2, 36)) };
  const finder = new MachineFinder(broken, clock);
  const find = (id: string): Promise<unknown> => finder.find(Scope.root(clock), node(id, id));
  for (const { id } of MANY.slice(0, 5)) assert.match(JSON.stringify(await find(id)), /"found"/);
  await assert.rejects(find('vm-6'), IncompleteListError);
});
