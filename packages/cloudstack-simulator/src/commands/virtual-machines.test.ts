import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCloud, type Fields } from '../testing/client.ts';

async function deployment(cloud: TestCloud, more: Record<string, string> = {}): Promise<Record<string, string>> {
  const [zone] = await cloud.user.list('listZones');
  const [offering] = await cloud.user.list('listServiceOfferings');
  const [template] = await cloud.user.list('listTemplates', { templatefilter: 'featured' });
  return {
    zoneid: String(zone?.['id']),
    serviceofferingid: String(offering?.['id']),
    templateid: String(template?.['id']),
    networkids: cloud.id('networks', 'k8s-net'),
    ...more,
  };
}

async function state(cloud: TestCloud, name: string): Promise<unknown> {
  return (await cloud.user.list('listVirtualMachines', { name }))[0]?.['state'];
}

test('deploys a machine: it is there at once, then Starting, then Running', async () => {
  await using cloud = await TestCloud.start();
  const answer = await cloud.user.call('deployVirtualMachine', await deployment(cloud, { name: 'node-4' }));
  await cloud.clock.advance(1);
  const [pending] = await cloud.user.list('listVirtualMachines', { id: String(answer['id']) });
  assert.deepEqual([pending?.['state'], pending?.['jobid'], pending?.['jobstatus']], ['Starting', answer['jobid'], 0]);
  await cloud.settle();
  assert.equal(await state(cloud, 'node-4'), 'Running');
});

test('implements a network by the first start in it, with a router and a source NAT address', async () => {
  await using cloud = await TestCloud.start({
    scene: (world) => {
      world.zone({ name: 'zone-a' });
      world.account({ name: 'k8s' });
      world.network({ name: 'k8s-net', owner: 'k8s', implemented: false });
    },
  });
  await cloud.result(cloud.user, 'deployVirtualMachine', await deployment(cloud, { startvm: 'false', name: 'a' }));
  assert.equal((await cloud.user.list('listNetworks'))[0]?.['state'], 'Allocated');
  await cloud.result(cloud.user, 'deployVirtualMachine', await deployment(cloud, { name: 'b' }));
  assert.equal((await cloud.user.list('listNetworks'))[0]?.['state'], 'Implemented');
  assert.equal((await cloud.user.list('listPublicIpAddresses', { issourcenat: 'true' })).length, 1);
  assert.equal((await cloud.admin.list('listRouters')).length, 1);
});

test('goes through stop, start, reboot, migrate, scale, destroy, recover and expunge', async () => {
  await using cloud = await TestCloud.start({
    scene: (world) => {
      world.zone({ name: 'zone-a' });
      world.host({ name: 'second-host' });
      world.account({ name: 'k8s' });
      world.network({ name: 'k8s-net', owner: 'k8s' });
      world.virtualMachine({ name: 'node-1', owner: 'k8s', networks: ['k8s-net'] });
    },
  });
  const id = cloud.id('virtualMachines', 'node-1');
  const row = () => cloud.simulator.state.virtualMachines.get(id);
  const before = row()?.hostId;
  await cloud.result(cloud.admin, 'migrateVirtualMachine', { virtualmachineid: id });
  assert.notEqual(row()?.hostId, before);
  await cloud.result(cloud.user, 'stopVirtualMachine', { id });
  assert.equal(await state(cloud, 'node-1'), 'Stopped');
  await cloud.result(cloud.user, 'stopVirtualMachine', { id });
  const [small] = await cloud.user.list('listServiceOfferings');
  const offering = { id, serviceofferingid: String(small?.['id']) };
  const { virtualmachine } = await cloud.result(cloud.user, 'scaleVirtualMachine', offering);
  assert.equal((virtualmachine as Fields)['memory'], 512);
  await cloud.result(cloud.user, 'startVirtualMachine', { id });
  const again = await cloud.failure(cloud.user, 'startVirtualMachine', { id });
  assert.deepEqual(again, { code: 431, text: `The virtual machine ${id} (node-1) is already running` });
  await cloud.result(cloud.user, 'rebootVirtualMachine', { id });
  await cloud.result(cloud.user, 'destroyVirtualMachine', { id });
  await cloud.user.call('recoverVirtualMachine', { id });
  assert.equal(await state(cloud, 'node-1'), 'Stopped');
  const refused = await cloud.failure(cloud.user, 'destroyVirtualMachine', { id, expunge: 'true' });
  assert.equal(refused.code, 530);
  const gone = await cloud.result(cloud.admin, 'destroyVirtualMachine', { id, expunge: 'true' });
  assert.deepEqual(gone, { null: { securitygroup: [], nic: [], affinitygroup: [], tags: [] } });
  assert.match(
    String((await cloud.user.refused('startVirtualMachine', { id })).text),
    /^Unable to find UUID for id \[\d+\] of type \[VirtualMachine\]$/,
  );
});

test('keeps a destroyed machine mapped in rules, and lets go of it when it is expunged', async () => {
  await using cloud = await TestCloud.start();
  const { user, simulator } = cloud;
  const { ipaddress } = await cloud.result(user, 'associateIpAddress', { networkid: cloud.id('networks', 'k8s-net') });
  const rule = { algorithm: 'source', name: 'web', publicport: '80', privateport: '1' };
  await cloud.result(user, 'createLoadBalancerRule', { ...rule, publicipid: (ipaddress as { id: string }).id });
  const id = cloud.id('loadBalancerRules', 'web');
  const vm = cloud.id('virtualMachines', 'node-1');
  await cloud.result(user, 'assignToLoadBalancerRule', { id, virtualmachineids: vm });
  await cloud.result(user, 'destroyVirtualMachine', { id: vm });
  assert.deepEqual(await user.call('listLoadBalancerRuleInstances', { id }), {});
  assert.equal(simulator.state.loadBalancerRules.get(id)?.members.length, 1);
  await cloud.clock.advance(2 * 86_400_000);
  assert.equal((await user.list('listLoadBalancerRules'))[0]?.['state'], 'Add');
  assert.deepEqual(simulator.state.loadBalancerRules.get(id)?.members, []);
});

test('refuses bad names, doubled names, and more machines than allowed', async () => {
  await using cloud = await TestCloud.start();
  const text = async (more: Record<string, string>): Promise<string> =>
    String((await cloud.user.refused('deployVirtualMachine', await deployment(cloud, more))).text);
  assert.match(await text({ name: '1st' }), /^Invalid name\. Vm name can contain ASCII letters/);
  assert.match(await text({ name: 'node-1' }), /^The vm with hostName node-1 already exists in the network domain: /);
  cloud.simulator.conditions.configure({ maxAccountVirtualMachines: 3 });
  assert.match(await text({ name: 'node-4' }), /^Maximum amount of resources of Type = 'user_vm'.*Amount = 3, /);
});

test('leaves a machine in Error when no host can take it', async () => {
  await using cloud = await TestCloud.start();
  for (const host of cloud.simulator.state.hosts.values())
    cloud.simulator.state.hosts.update(host.id, { state: 'Down' });
  const failure = await cloud.failure(cloud.user, 'deployVirtualMachine', await deployment(cloud, { name: 'node-4' }));
  assert.match(String(failure.text), /^Unable to start a VM \[.*\] due to \[Unable to create a deployment/);
  assert.equal(await state(cloud, 'node-4'), 'Error');
});

test('gives several interfaces, secondary addresses and IPv6', async () => {
  await using cloud = await TestCloud.start({
    scene: (world) => {
      world.zone({ name: 'zone-a' });
      world.account({ name: 'k8s' });
      world.network({ name: 'net-a', owner: 'k8s', ip6Cidr: 'fd00:1::/64' });
      world.network({ name: 'net-b', owner: 'k8s', cidr: '10.9.0.0/24' });
      world.network({ name: 'layer-2', owner: 'k8s', offering: 'DefaultL2NetworkOffering' });
      world.virtualMachine({ name: 'node-1', owner: 'k8s', networks: ['net-a', 'net-b', 'layer-2'] });
    },
  });
  const nics = async (): Promise<readonly Fields[]> =>
    (await cloud.user.list('listVirtualMachines', { name: 'node-1' }))[0]?.['nic'] as readonly Fields[];
  const [first, second, third] = await nics();
  assert.match(String(first?.['ip6address']), /^fd00:1::/);
  assert.deepEqual([first?.['isdefault'], second?.['isdefault'], third?.['ipaddress']], [true, false, undefined]);
  const added = await cloud.result(cloud.user, 'addIpToNic', { nicid: String(second?.['id']) });
  const { id, ipaddress } = added['nicsecondaryip'] as Record<string, string>;
  assert.deepEqual((await nics())[1]?.['secondaryip'], [{ id, ipaddress }]);
  await cloud.result(cloud.user, 'removeIpFromNic', { id: id ?? '' });
  assert.deepEqual((await nics())[1]?.['secondaryip'], []);
});
