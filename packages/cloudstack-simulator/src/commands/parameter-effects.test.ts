import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestCloud, type Fields } from '../testing/client.ts';

type Sent = Readonly<Record<string, string>>;

async function idOf(cloud: TestCloud, command: string, name?: string): Promise<string> {
  const rows = await cloud.admin.list(command, { templatefilter: 'featured' });
  return String(rows.find((row) => name === undefined || row['name'] === name)?.['id']);
}

async function sharedNetwork(cloud: TestCloud, more: Sent): Promise<Sent> {
  return {
    name: 'shared',
    displaytext: 'shared',
    zoneid: await idOf(cloud, 'listZones'),
    networkofferingid: await idOf(cloud, 'listNetworkOfferings', 'DefaultSharedNetworkOffering'),
    gateway: '10.7.0.1',
    netmask: '255.255.255.0',
    ...more,
  };
}

async function deployment(cloud: TestCloud, more: Sent): Promise<Sent> {
  return {
    zoneid: await idOf(cloud, 'listZones'),
    serviceofferingid: await idOf(cloud, 'listServiceOfferings'),
    templateid: await idOf(cloud, 'listTemplates'),
    networkids: cloud.id('networks', 'k8s-net'),
    ...more,
  };
}

describe('createNetwork', () => {
  it('gives machines of a shared network addresses between startip and endip only', async () => {
    await using cloud = await TestCloud.start();
    const range = { startip: '10.7.0.50', endip: '10.7.0.51' };
    const { network } = await cloud.admin.call('createNetwork', await sharedNetwork(cloud, range));
    const networkids = String((network as Fields)['id']);
    const addresses: unknown[] = [];
    for (const name of ['a', 'b']) {
      const made = await cloud.result(
        cloud.user,
        'deployVirtualMachine',
        await deployment(cloud, { name, networkids }),
      );
      addresses.push(((made['virtualmachine'] as Fields)['nic'] as readonly Fields[])[0]?.['ipaddress']);
    }
    assert.deepEqual(addresses, ['10.7.0.50', '10.7.0.51']);
    const full = await deployment(cloud, { name: 'c', networkids });
    assert.equal((await cloud.user.refused('deployVirtualMachine', full)).code, 533);
    const outside = { ...full, ipaddress: '10.7.0.60' };
    assert.equal((await cloud.user.refused('deployVirtualMachine', outside)).code, 533);
  });

  it('refuses a range that is not in the network, or the wrong way round', async () => {
    await using cloud = await TestCloud.start();
    for (const range of [{ startip: '10.8.0.5' }, { startip: 'x' }, { startip: '10.7.0.9', endip: '10.7.0.8' }]) {
      const { code } = await cloud.admin.refused('createNetwork', await sharedNetwork(cloud, range));
      assert.equal(code, 431, JSON.stringify(range));
    }
  });
});

describe('listNetworkOfferings', () => {
  it('shows by networkid what the network can be moved to, to its owner', async () => {
    await using cloud = await TestCloud.start();
    const networkid = cloud.id('networks', 'k8s-net');
    const offerings = await cloud.user.list('listNetworkOfferings', { networkid });
    assert.ok(offerings.length > 0);
    assert.deepEqual(
      [...new Set(offerings.map((row) => `${String(row['guestiptype'])} ${String(row['forvpc'])}`))],
      ['Isolated false'],
    );
    const own = cloud.simulator.state.networks.get(networkid)?.offeringId;
    assert.ok(offerings.every((row) => row['id'] !== own));
  });

  it('refuses a domain that the caller is not above', async () => {
    await using cloud = await TestCloud.start();
    const root = cloud.simulator.state.domains.find(({ path }) => path === 'ROOT')?.id ?? '';
    assert.equal((await cloud.user.refused('listNetworkOfferings', { domainid: root })).code, 431);
    assert.ok((await cloud.admin.list('listNetworkOfferings', { domainid: root })).length > 0);
  });
});

describe('listVirtualMachines', () => {
  it('tells by forvirtualnetwork whether a machine is in an isolated network', async () => {
    await using cloud = await TestCloud.start();
    assert.equal((await cloud.user.list('listVirtualMachines', { forvirtualnetwork: 'true' })).length, 3);
    assert.deepEqual(await cloud.user.list('listVirtualMachines', { forvirtualnetwork: 'false' }), []);
  });
});

describe('listHosts', () => {
  it('shows by virtualmachineid where a running machine can be moved to', async () => {
    await using cloud = await TestCloud.start();
    const vm = cloud.id('virtualMachines', 'node-1');
    const here = cloud.simulator.state.virtualMachines.get(vm)?.hostId;
    const all = (await cloud.admin.list('listHosts')).map((host) => host['id']);
    const targets = await cloud.admin.list('listHosts', { virtualmachineid: vm });
    assert.deepEqual(
      targets.map((host) => host['id']),
      all.filter((id) => id !== here),
    );
    assert.ok(all.includes(here), 'the machine runs on a host');
    await cloud.result(cloud.user, 'stopVirtualMachine', { id: vm });
    assert.equal((await cloud.admin.refused('listHosts', { virtualmachineid: vm })).code, 431);
  });
});

describe('createVPC', () => {
  it('keeps publicmtu, no more than the zone carries, and refuses one too small', async () => {
    await using cloud = await TestCloud.start();
    const wanted = {
      name: 'v',
      displaytext: 'v',
      cidr: '10.9.0.0/16',
      zoneid: await idOf(cloud, 'listZones'),
      vpcofferingid: await idOf(cloud, 'listVPCOfferings', 'Default VPC offering'),
    };
    const mtu = async (publicmtu: string): Promise<unknown> =>
      ((await cloud.result(cloud.user, 'createVPC', { ...wanted, publicmtu }))['vpc'] as Fields)['publicmtu'];
    assert.deepEqual([await mtu('1400'), await mtu('9000')], [1400, 1500]);
    assert.equal((await cloud.user.refused('createVPC', { ...wanted, publicmtu: '60' })).code, 431);
  });
});

describe('deployVirtualMachine', () => {
  it('keeps details and the size of the root disk', async () => {
    await using cloud = await TestCloud.start();
    const wanted = await deployment(cloud, { name: 'big', rootdisksize: '40', 'details[0].keyboard': 'uk' });
    const made = await cloud.result(cloud.user, 'deployVirtualMachine', wanted);
    const details = (made['virtualmachine'] as Fields)['details'];
    assert.deepEqual(details, { keyboard: 'uk', rootdisksize: '40' });
    assert.equal((await cloud.user.refused('deployVirtualMachine', { ...wanted, rootdisksize: '0' })).code, 431);
  });

  it('refuses groups, which do not exist here, rather than leave them out', async () => {
    await using cloud = await TestCloud.start();
    for (const group of ['affinitygroupids', 'securitygroupids']) {
      const wanted = await deployment(cloud, { [group]: '7d6ec0f1-8a4e-4d0c-9f0f-0c2a4d5b6e7f' });
      assert.equal((await cloud.user.refused('deployVirtualMachine', wanted)).code, 431, group);
    }
  });
});
