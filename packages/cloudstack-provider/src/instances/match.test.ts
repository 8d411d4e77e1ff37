import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MachineSnapshot } from '../inventory/machine-snapshot.ts';
import { match, namesOf } from './match.ts';
import { machine, nic, node } from './testing/machines.ts';

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
      'several virtual machines match node node-2: node-2 (vm-2, zone zone-a), NODE-2 (vm-3, zone zone-b); set its provider ID, rename one, or give its kubelet --node-ip',
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

test('falls back to a display name that is the only one, after all host names', () => {
  assert.equal(found('worker', '', ['vm-3', { name: 'i-3', displayName: 'Worker' }]), 'vm-3');
  assert.equal(found('worker.a.test', '', ['vm-3', { name: 'i-3', displayName: 'Worker' }]), 'vm-3');
  assert.equal(found('node-2', '', ['vm-3', { name: 'i-3', displayName: 'node-2' }]), 'vm-2');
  const gone = { displayName: 'worker', state: 'Destroyed' };
  assert.equal(found('worker', '', ['vm-3', { displayName: 'worker' }], ['vm-4', gone]), 'vm-3');
});

test('does not guess among machines of one display name', () => {
  const displayName = 'worker';
  const both = found('worker', '', ['vm-3', { displayName }], ['vm-4', { displayName }]);
  assert.match(JSON.stringify(both), /ambiguous.*vm-3 \(vm-3, .*vm-4 \(vm-4, /);
});

const TWINS = new MachineSnapshot([
  machine('vm-1', { name: 'twin', nics: [nic({ ipAddress: '10.1.1.1' })] }),
  machine('vm-2', { name: 'twin', nics: [nic({ ipAddress: '10.1.1.2', ip6Address: '2001:db8::2' })] }),
  machine('vm-3', { name: 'twin', nics: [nic({ ipAddress: '10.1.1.2' })] }),
]);

for (const [provided, expected] of [
  ['10.1.1.1', 'vm-1'],
  ['2001:0db8::2', 'vm-2'],
  ['10.9.9.9', 'ambiguous'],
  ['10.1.1.2', 'ambiguous'],
  ['nonsense', 'ambiguous'],
] as const) {
  test(`among namesakes a kubelet with --node-ip ${provided} means ${expected}`, () => {
    const annotations = { 'alpha.kubernetes.io/provided-node-ip': provided };
    const result = match({ ...node('twin'), annotations }, TWINS);
    assert.equal(result.kind === 'found' ? result.vm.id : result.kind, expected);
  });
}

test('an address decides only among namesakes: it does not overrule a name', () => {
  const annotations = { 'alpha.kubernetes.io/provided-node-ip': '10.9.9.9' };
  const result = match({ ...node('node-2'), annotations }, new MachineSnapshot([VM_1, VM_2]));
  assert.equal(result.kind, 'found', 'what is wrong with the address is told when the node is initialised');
});
