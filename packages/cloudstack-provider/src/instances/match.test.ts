import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MachineSnapshot } from '../inventory/machine-snapshot.ts';
import { match, namesOf } from './match.ts';
import { machine, node } from './testing/machines.ts';

const VM_1 = machine('vm-1', { name: 'CKS-Prod-Node-1' });
const VM_2 = machine('vm-2', { name: 'node-2' });

function found(name: string, providerId: string, ...machines: Parameters<typeof machine>[]): unknown {
  const snapshot = new MachineSnapshot([VM_1, VM_2, ...machines.map((args) => machine(...args))]);
  const result = match(node(name, providerId), snapshot);
  return result.kind === 'found' ? result.vm.id : result;
}

test('finds a machine by its id, whatever the names', () => {
  assert.equal(found('worker', 'vm-1'), 'vm-1');
  assert.equal(found('worker', 'cloudstack:///VM-1'), 'vm-1');
});

test('does not fall back to the name when the id is missing: a new machine may bear it', () => {
  assert.deepEqual(found('node-2', 'vm-9'), {
    kind: 'missing',
    reason: 'no virtual machine vm-9 of node node-2 is visible to these credentials in this project',
  });
});

test('finds a machine by name, in any case', () => assert.equal(found('cks-prod-node-1', ''), 'vm-1'));

test('finds a machine by the first label of a node name with a domain', () => {
  assert.equal(found('cks-prod-node-1.cluster.example.test', ''), 'vm-1');
});

test('prefers the full name to the first label', () => {
  assert.equal(found('node-2.a.test', '', ['vm-3', { name: 'node-2.a.test' }]), 'vm-3');
});

test('a node of another system is found by name', () =>
  assert.equal(found('node-2', 'kind://docker/x/node-2'), 'vm-2'));

test('does not guess among namesakes, and names them', () => {
  assert.deepEqual(found('node-2', '', ['vm-3', { name: 'NODE-2', zoneName: 'zone-b' }]), {
    kind: 'ambiguous',
    reason:
      'several virtual machines match node node-2: node-2 (vm-2, zone zone-a), NODE-2 (vm-3, zone zone-b); set its provider ID or rename one',
  });
});

test('a destroyed namesake is out of the question', () => {
  assert.equal(found('node-2', '', ['vm-3', { name: 'node-2', state: 'Destroyed' }]), 'vm-2');
  assert.deepEqual(found('node-3', '', ['vm-3', { name: 'node-3', state: 'Expunging' }]), {
    kind: 'missing',
    reason: 'no virtual machine is named node-3 (node node-3)',
  });
});

test('a destroyed machine is not found by its id either, and the reason tells the state', () => {
  assert.deepEqual(found('node-3', 'vm-3', ['vm-3', { state: 'Destroyed' }]), {
    kind: 'missing',
    reason: 'virtual machine vm-3 of node node-3 is in state Destroyed',
  });
});

test('a provider ID without an id names node and ID', () => {
  assert.deepEqual(found('node-4', 'cloudstack:///not/an/id'), {
    kind: 'malformed',
    reason: 'provider ID cloudstack:///not/an/id of node node-4 holds no machine id',
  });
});

test('a node name without a domain is looked for once', () => {
  assert.deepEqual(namesOf(node('node-1')), ['node-1']);
  assert.deepEqual(namesOf(node('node-1.example.test')), ['node-1.example.test', 'node-1']);
});
