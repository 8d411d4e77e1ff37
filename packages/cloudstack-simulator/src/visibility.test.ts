import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { World } from './scene/world.ts';
import { TestCloud, type TestClient } from './testing/client.ts';

/** Two domains; in the first a user with a project, a neighbour and a domain admin. */
function tenants(world: World): void {
  world.zone({ name: 'zone-a' });
  for (const name of ['tenants', 'partners']) world.domain({ name });
  world.account({ name: 'k8s', domain: 'ROOT/tenants' });
  world.account({ name: 'neighbour', domain: 'ROOT/tenants' });
  world.account({ name: 'domadmin', domain: 'ROOT/tenants', type: 'domain-admin' });
  world.account({ name: 'foreign', domain: 'ROOT/partners' });
  world.project({ name: 'team-a', owner: 'k8s' });
  for (const owner of ['k8s', 'neighbour', 'foreign', 'team-a']) {
    world.network({ name: `${owner}-net`, owner });
    world.virtualMachine({ name: `${owner}-vm`, owner, networks: [`${owner}-net`] });
  }
}

async function names(client: TestClient, command: string, parameters: Record<string, string> = {}): Promise<unknown[]> {
  const items = await client.list(command, parameters);
  return items.map((item) => String(item['name'])).sort((a, b) => a.localeCompare(b));
}

function machine(cloud: TestCloud, name: string): string {
  return cloud.id('virtualMachines', name);
}

test('shows a user what is his own, with or without listall', async () => {
  await using cloud = await TestCloud.start({ scene: tenants });
  assert.deepEqual(await names(cloud.user, 'listVirtualMachines'), ['k8s-vm']);
  assert.deepEqual(await names(cloud.user, 'listVirtualMachines', { listall: 'true' }), ['k8s-vm']);
});

test('answers {} to a user who asks by id for what is not his', async () => {
  await using cloud = await TestCloud.start({ scene: tenants });
  for (const name of ['neighbour-vm', 'foreign-vm', 'team-a-vm']) {
    assert.deepEqual(await cloud.user.call('listVirtualMachines', { id: machine(cloud, name) }), {});
  }
  const projectid = cloud.simulator.state.projects.values().next().value?.id ?? '';
  assert.deepEqual(await cloud.user.call('listVirtualMachines', { id: machine(cloud, 'k8s-vm'), projectid }), {});
});

test('shows project things with the project id only', async () => {
  await using cloud = await TestCloud.start({ scene: tenants });
  const projectid = cloud.simulator.state.projects.values().next().value?.id ?? '';
  assert.deepEqual(await names(cloud.user, 'listVirtualMachines', { projectid }), ['team-a-vm']);
  assert.deepEqual(await names(cloud.user, 'listVirtualMachines', { projectid: '-1' }), ['team-a-vm']);
  const both = await cloud.user.list('listVirtualMachines', { projectid: '-1', listall: 'true' });
  assert.deepEqual(
    both.map((vm) => vm['name']),
    ['team-a-vm', 'k8s-vm'],
  );
  const [shown] = await cloud.user.list('listVirtualMachines', { projectid });
  assert.deepEqual([shown?.['project'], shown?.['account']], ['team-a', undefined]);
});

test('refuses a project to those who are no members', async () => {
  await using cloud = await TestCloud.start({ scene: tenants, version: '4.20' });
  const projectid = cloud.simulator.state.projects.values().next().value?.id ?? '';
  const refusal = await cloud.as('neighbour').refused('listVirtualMachines', { projectid });
  assert.deepEqual(refusal, {
    code: 432,
    reason: 9999,
    text: `The API [listVirtualMachines] does not exist or is not available for this account/user in project [${projectid}].`,
  });
  assert.deepEqual(await names(cloud.as('domadmin'), 'listVirtualMachines', { projectid }), ['team-a-vm']);
});

test('shows a domain admin his domain with listall, without projects', async () => {
  await using cloud = await TestCloud.start({ scene: tenants });
  const client = cloud.as('domadmin');
  assert.deepEqual(await names(client, 'listVirtualMachines'), []);
  assert.deepEqual(await names(client, 'listVirtualMachines', { listall: 'true' }), ['k8s-vm', 'neighbour-vm']);
  assert.deepEqual(await client.call('listVirtualMachines', { id: machine(cloud, 'foreign-vm') }), {});
});

test('shows root everything but projects with listall, and those by id', async () => {
  await using cloud = await TestCloud.start({ scene: tenants });
  const all = ['foreign-vm', 'k8s-vm', 'neighbour-vm'];
  assert.deepEqual(await names(cloud.admin, 'listVirtualMachines', { listall: 'true' }), all);
  assert.deepEqual(await names(cloud.admin, 'listVirtualMachines'), []);
  assert.deepEqual(await names(cloud.admin, 'listVirtualMachines', { id: machine(cloud, 'team-a-vm') }), ['team-a-vm']);
});

test('shows root the networks of projects too, and a user his own beside all projects', async () => {
  await using cloud = await TestCloud.start({ scene: tenants });
  const all = ['foreign-net', 'k8s-net', 'neighbour-net', 'team-a-net'];
  assert.deepEqual(await names(cloud.admin, 'listNetworks'), all);
  assert.deepEqual(await names(cloud.user, 'listNetworks', { projectid: '-1' }), ['k8s-net', 'team-a-net']);
  assert.deepEqual(await names(cloud.user, 'listNetworks'), ['k8s-net']);
});

test('lets one ask for another account only with rights over it', async () => {
  await using cloud = await TestCloud.start({ scene: tenants });
  const neighbour = { account: 'neighbour' };
  assert.equal((await cloud.user.refused('listVirtualMachines', neighbour)).code, 531);
  assert.deepEqual(await names(cloud.as('domadmin'), 'listVirtualMachines', neighbour), ['neighbour-vm']);
  assert.match(
    String((await cloud.user.refused('listVirtualMachines', { account: 'nobody' })).text),
    /^could not find account nobody in domain /,
  );
});

test('hides destroyed machines from users, and shows them to administrators until they are expunged', async () => {
  await using cloud = await TestCloud.start({ scene: tenants });
  const id = machine(cloud, 'k8s-vm');
  await cloud.result(cloud.user, 'destroyVirtualMachine', { id });
  assert.deepEqual(await cloud.user.call('listVirtualMachines', { id }), {});
  assert.deepEqual(await cloud.user.call('listVirtualMachines', { state: 'Destroyed' }), {});
  const seen = async (): Promise<unknown> =>
    (await cloud.as('domadmin').list('listVirtualMachines', { id }))[0]?.['state'];
  assert.equal(await seen(), 'Destroyed');
  await cloud.clock.advance(86_400_000);
  assert.equal(await seen(), 'Expunging');
  await cloud.clock.advance(60_000);
  assert.equal(await seen(), undefined);
});
