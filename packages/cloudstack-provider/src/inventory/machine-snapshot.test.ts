import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machine } from '../instances/testing/machines.ts';
import { MachineSnapshot } from './machine-snapshot.ts';

const SNAPSHOT = new MachineSnapshot([
  machine('VM-1', { name: 'Node-1', displayName: 'node-1' }),
  machine('vm-2', { name: 'node-2', displayName: 'Worker' }),
  machine('vm-3', { name: 'node-3', displayName: 'worker' }),
]);

const idsOf = (machines: readonly { readonly id: string }[]): readonly string[] => machines.map(({ id }) => id);

test('finds machines by id and host name in any case', () => {
  assert.equal(SNAPSHOT.byId('vm-1')?.id, 'VM-1');
  assert.deepEqual(idsOf(SNAPSHOT.byName('NODE-1')), ['VM-1']);
  assert.equal(SNAPSHOT.size, 3);
});

test('finds all machines of a display name, and none whose host name it is', () => {
  assert.deepEqual(idsOf(SNAPSHOT.byDisplayName('WORKER')), ['vm-2', 'vm-3']);
  assert.deepEqual(SNAPSHOT.byDisplayName('node-1'), []);
  assert.deepEqual(SNAPSHOT.byDisplayName(''), []);
});
