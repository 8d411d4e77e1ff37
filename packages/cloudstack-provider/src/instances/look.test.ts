import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scope } from '@cloudstack-ccm/base';
import { IncompleteListError, TransportError, UnauthorizedError } from '@cloudstack-ccm/cloudstack-client';
import type { NodeView, Sightings } from '@cloudstack-ccm/cloud-controllers';
import type { World } from '@cloudstack-ccm/cloudstack-simulator';
import { node, TestCloud } from '../testing/test-cloud.ts';
import { LookPass } from './look.ts';
import { machine } from './testing/machines.ts';

/** `node-1` and so on. */
const names = (count: number, first = 1): readonly string[] =>
  Array.from({ length: count }, (_, index) => `node-${first + index}`);

function manyMachines(count: number): (world: World) => void {
  return (world) => {
    world.zone({ name: 'zone-a' });
    world.account({ name: 'k8s' });
    world.account({ name: 'other' });
    world.network({ name: 'net-iso', owner: 'k8s', cidr: '10.1.0.0/16' });
    for (const name of names(count)) world.virtualMachine({ name, owner: 'k8s', networks: ['net-iso'] });
  };
}

const expunge = (test: TestCloud, ...gone: readonly string[]): void => {
  for (const name of gone) test.change(name, { state: 'Expunging', removed: Date.now() });
};

/** Gives machines to another account, as when keys are those of somebody else. */
const giveAway = (test: TestCloud, ...gone: readonly string[]): void => {
  const owner = test.simulator.credentials.get('other')?.account.id;
  for (const name of gone) test.change(name, { accountId: owner });
};

async function statesOf(
  looked: Promise<Sightings>,
): Promise<{ readonly states: Readonly<Record<string, string>>; readonly witness: string | undefined }> {
  const { byNode, witness } = await looked;
  return { states: Object.fromEntries([...byNode].map(([name, { state }]) => [name, state])), witness };
}

const look = (test: TestCloud, suspects: readonly NodeView[], others: readonly NodeView[] = []): Promise<Sightings> =>
  test.cloud.instances.look(test.scope, suspects, others);

for (const count of [3, 20]) {
  const size = count > 5 ? 'many' : 'few';

  test(`tells running, stopped and absent machines apart among ${size} nodes`, async () => {
    await using cloud = await TestCloud.start({ scene: manyMachines(count) });
    const suspects = cloud.nodes(...names(count));
    cloud.change('node-2', { state: 'Stopped' });
    expunge(cloud, 'node-3');
    const { states, witness } = await statesOf(look(cloud, suspects));
    const others = Object.fromEntries(names(count - 3, 4).map((name) => [name, 'running']));
    assert.deepEqual(states, { 'node-1': 'running', 'node-2': 'stopped', 'node-3': 'absent', ...others });
    assert.ok(witness !== undefined && witness !== 'node-3');
  });

  test(`takes a machine of another account for absent, as CloudStack does, with a witness among ${size} nodes`, async () => {
    await using cloud = await TestCloud.start({ scene: manyMachines(count) });
    giveAway(cloud, 'node-1');
    const { states, witness } = await statesOf(look(cloud, cloud.nodes('node-1'), cloud.nodes(...names(count - 1, 2))));
    assert.deepEqual(states, { 'node-1': 'absent' });
    assert.equal(witness, 'node-2');
  });

  test(`has no witness when nothing of ${size} nodes is visible`, async () => {
    await using cloud = await TestCloud.start({ scene: manyMachines(count) });
    giveAway(cloud, ...names(count));
    const { states, witness } = await statesOf(look(cloud, cloud.nodes(...names(count))));
    assert.ok(Object.values(states).every((state) => state === 'absent'));
    assert.equal(witness, undefined);
  });

  test(`does not take an id that never was for absent among ${size} nodes`, async () => {
    await using cloud = await TestCloud.start({ scene: manyMachines(count) });
    const stranger = node('stranger', 'cloudstack:///00000000-0000-4000-8000-000000000000');
    const suspects = [...cloud.nodes(...names(count)), stranger];
    expunge(cloud, 'node-1');
    const { states } = await statesOf(look(cloud, suspects));
    assert.equal(states['stranger'], 'unknown');
    assert.equal(states['node-1'], 'absent', 'one strange id does not spoil the answer for the others');
  });
}

test('a machine that is seen destroyed is gone', async () => {
  await using cloud = await TestCloud.start({ account: 'admin' });
  cloud.change('node-3', { state: 'Destroyed' });
  const { states } = await statesOf(look(cloud, cloud.nodes('node-3')));
  assert.deepEqual(states, { 'node-3': 'gone' });
});

test('a destroyed machine is absent for an ordinary account', async () => {
  await using cloud = await TestCloud.start();
  cloud.change('node-3', { state: 'Destroyed' });
  const { states, witness } = await statesOf(look(cloud, cloud.nodes('node-3'), cloud.nodes('node-1')));
  assert.deepEqual(states, { 'node-3': 'absent' });
  assert.equal(witness, 'node-1');
});

test('looks for a witness among all the others when the first ones are not visible', async () => {
  await using cloud = await TestCloud.start({ scene: manyMachines(12) });
  expunge(cloud, 'node-1');
  giveAway(cloud, ...names(9, 2));
  const { witness } = await statesOf(look(cloud, cloud.nodes('node-1'), cloud.nodes(...names(11, 2))));
  assert.equal(witness, 'node-11');
});

test('a node that is absent bears no witness, nor does one without provider ID', async () => {
  await using cloud = await TestCloud.start();
  expunge(cloud, 'node-1', 'node-2');
  const { witness } = await statesOf(look(cloud, cloud.nodes('node-1', 'node-2'), [node('node-3')]));
  assert.equal(witness, undefined);
});

test('leaves nodes of other systems alone, and tells why a provider ID says nothing', async () => {
  await using cloud = await TestCloud.start();
  const before = cloud.simulator.callLog.last;
  const suspects = [node('a', 'kind://docker/x/a'), node('b', 'cloudstack:///not/an/id')];
  const { byNode } = await look(cloud, suspects);
  assert.deepEqual(byNode.get('a'), { state: 'foreign' });
  assert.deepEqual(byNode.get('b'), {
    state: 'unknown',
    reason: 'provider ID cloudstack:///not/an/id of node b holds no machine id',
  });
  assert.deepEqual(cloud.commandsSince(before), []);
});

test('a node without provider ID is seen by name, but never absent', async () => {
  await using cloud = await TestCloud.start();
  cloud.change('node-2', { state: 'Stopped' });
  const { states } = await statesOf(look(cloud, [node('node-1'), node('NODE-2'), node('node-9')]));
  assert.deepEqual(states, { 'node-1': 'running', 'NODE-2': 'stopped', 'node-9': 'unknown' });
});

for (const [what, action, kind] of [
  ['401', { kind: 'api-error', code: 401, text: 'unable to verify user credentials' }, UnauthorizedError],
  ['431', { kind: 'api-error', code: 431, text: 'entity does not exist' }, Error],
  ['530', { kind: 'api-error', code: 530, text: 'Internal error' }, Error],
  ['a proxy’s 503', { kind: 'http', status: 503, body: '<html>' }, Error],
  ['an HTML page with 200', { kind: 'http', status: 200, body: '<html>', contentType: 'text/html' }, Error],
  ['an empty body', { kind: 'empty-body' }, Error],
  ['a cut body', { kind: 'cut-body' }, Error],
  ['a reset', { kind: 'reset' }, TransportError],
] as const) {
  test(`learns nothing about a node from ${what}`, async () => {
    await using cloud = await TestCloud.start();
    cloud.simulator.faults.add({ command: 'listVirtualMachines', action });
    await assert.rejects(look(cloud, cloud.nodes('node-1'), cloud.nodes('node-2')), kind);
  });
}

test('one question that fails makes one node unknown, and says why', async () => {
  await using cloud = await TestCloud.start();
  cloud.simulator.faults.add({
    command: 'listVirtualMachines',
    count: 1,
    action: { kind: 'api-error', code: 530, text: 'out of order' },
  });
  const { byNode } = await look(cloud, cloud.nodes('node-1', 'node-2'));
  const states = [...byNode.values()];
  assert.equal(states.filter(({ state }) => state === 'running').length, 1);
  assert.match(JSON.stringify(states), /out of order/);
});

test('asks anew in each pass', async () => {
  await using cloud = await TestCloud.start({ scene: manyMachines(20) });
  const suspects = cloud.nodes(...names(20));
  await look(cloud, suspects);
  expunge(cloud, 'node-5');
  const { states } = await statesOf(look(cloud, suspects));
  assert.equal(states['node-5'], 'absent');
});

test('keys that are replaced during a pass make absence unknown', async () => {
  await using cloud = await TestCloud.start();
  expunge(cloud, 'node-3');
  cloud.simulator.faults.add({ command: 'listVirtualMachines', action: { kind: 'latency', ms: 100 } });
  const looked = look(cloud, cloud.nodes('node-3'), cloud.nodes('node-1'));
  await cloud.cloud.reconfigure(cloud.scope, cloud.config('other'));
  const { states, witness } = await statesOf(looked);
  assert.deepEqual(states, { 'node-3': 'unknown' });
  assert.equal(witness, undefined);
});

test('a thousand nodes cost a list of all machines and no question for each', async () => {
  await using cloud = await TestCloud.start({ scene: manyMachines(1000) });
  const suspects = cloud.nodes(...names(1000));
  expunge(cloud, ...names(150));
  const before = cloud.simulator.callLog.last;
  const { states } = await statesOf(look(cloud, suspects));
  assert.equal(Object.values(states).filter((state) => state === 'absent').length, 150);
  assert.ok(cloud.commandsSince(before).length <= 2 + 5, 'pages of 500, and five more');
});

test('more missing machines than a pass may ask for are unknown, not absent', async () => {
  await using cloud = await TestCloud.start({ scene: manyMachines(1000) });
  const suspects = cloud.nodes(...names(1000));
  expunge(cloud, ...names(900));
  const { states } = await statesOf(look(cloud, suspects));
  const count = (wanted: string): number => Object.values(states).filter((state) => state === wanted).length;
  assert.deepEqual([count('absent'), count('unknown'), count('running')], [750, 150, 100]);
});

test('asks for the suspects by id when so much comes and goes that the list cannot be read whole', async () => {
  const machines = names(8).map((name) => machine(name));
  const inventory = {
    machines: () => Promise.reject(new IncompleteListError('listVirtualMachines', 2, 36)),
    machineById: () => Promise.reject(new Error('one by one would be too many')),
    machinesByIds: async (_scope: Scope, ids: readonly string[]) => machines.filter(({ id }) => ids.includes(id)),
    machinesByName: async () => [],
  };
  const suspects = names(9).map((name) => node(name, `external-cloudstack://${name}`));
  const pass = new LookPass(Scope.root(), { inventory, generation: () => 1 });
  const { states, witness } = await statesOf(pass.run(suspects, []));
  assert.equal(states['node-9'], 'absent');
  assert.equal(Object.values(states).filter((state) => state === 'running').length, 8);
  assert.notEqual(witness, undefined);
});

test('lets no node that joins find the machine that was just told to be absent in an older list', async () => {
  await using cloud = await TestCloud.start({ scene: manyMachines(20) });
  const suspects = cloud.nodes('node-2');
  const { instances } = cloud.cloud;
  // So many that they share one list.
  for (const name of names(20)) await instances.metadata(cloud.scope, node(name));
  expunge(cloud, 'node-2');
  assert.ok(
    await instances.metadata(cloud.scope, node('node-2')),
    'the list of before is not used: this tests nothing',
  );
  await look(cloud, suspects, cloud.nodes('node-1'));
  await assert.rejects(instances.metadata(cloud.scope, node('node-2')), { name: 'NodeUnresolvedError' });
});

test('keeps the list while a machine stays absent that is not in it', async () => {
  await using cloud = await TestCloud.start({ scene: manyMachines(20) });
  const suspects = cloud.nodes('node-2');
  expunge(cloud, 'node-2');
  for (const name of names(18, 3)) await cloud.cloud.instances.metadata(cloud.scope, node(name));
  const lists = (): number =>
    cloud.simulator.callLog.entries.filter(({ command, parameters: { id, name } }) => {
      return command === 'listVirtualMachines' && id === undefined && name === undefined;
    }).length;
  const before = lists();
  assert.ok(before > 0, 'there is no list');
  for (let pass = 0; pass < 3; pass++) {
    await look(cloud, suspects, cloud.nodes('node-1'));
    await cloud.cloud.instances.metadata(cloud.scope, node('node-3'));
  }
  assert.equal(lists(), before);
});
