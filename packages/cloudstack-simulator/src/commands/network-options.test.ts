import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestCloud, type Fields } from '../testing/client.ts';

async function vpcParameters(cloud: TestCloud): Promise<Readonly<Record<string, string>>> {
  const [zone] = await cloud.admin.list('listZones');
  const offerings = await cloud.admin.list('listVPCOfferings');
  const offering = offerings.find((row) => row['name'] === 'Default VPC offering');
  const ids = { zoneid: String(zone?.['id']), vpcofferingid: String(offering?.['id']) };
  return { ...ids, name: 'mine', displaytext: 'mine', cidr: '10.9.0.0/16' };
}

describe('a VPC', () => {
  it('takes the source NAT address and the name servers that were asked for', async () => {
    await using cloud = await TestCloud.start();
    const wanted = { sourcenatipaddress: '203.0.113.99', dns1: '192.0.2.1', dns2: '192.0.2.2' };
    const made = await cloud.result(cloud.user, 'createVPC', { ...(await vpcParameters(cloud)), ...wanted });
    const vpc = made['vpc'] as Fields;
    assert.deepEqual([vpc['dns1'], vpc['dns2']], ['192.0.2.1', '192.0.2.2']);
    const [address] = await cloud.user.list('listPublicIpAddresses', { vpcid: String(vpc['id']) });
    assert.deepEqual([address?.['ipaddress'], address?.['issourcenat']], ['203.0.113.99', true]);
  });

  it('is refused an address that is taken, and before 4.19 takes any', async () => {
    await using cloud = await TestCloud.start();
    const [taken] = await cloud.user.list('listPublicIpAddresses');
    const wanted = { ...(await vpcParameters(cloud)), sourcenatipaddress: String(taken?.['ipaddress']) };
    assert.equal((await cloud.user.refused('createVPC', wanted)).code, 533);
    await using old = await TestCloud.start({ version: '4.18' });
    await old.result(old.user, 'createVPC', { ...(await vpcParameters(old)), sourcenatipaddress: '203.0.113.99' });
    const addresses = await old.user.list('listPublicIpAddresses', { listall: 'true' });
    assert.ok(addresses.every((row) => row['ipaddress'] !== '203.0.113.99'));
  });
});

describe('a network', () => {
  it('names the servers it was made with, and else those of its zone', async () => {
    await using cloud = await TestCloud.start();
    const offerings = await cloud.admin.list('listNetworkOfferings');
    const name = 'DefaultIsolatedNetworkOfferingWithSourceNatService';
    const networkofferingid = String(offerings.find((row) => row['name'] === name)?.['id']);
    const { zoneid = '' } = await vpcParameters(cloud);
    const wanted = { networkofferingid, zoneid, name: 'own', dns1: '192.0.2.7', sourcenatipaddress: '203.0.113.77' };
    await cloud.user.call('createNetwork', wanted);
    const networks = await cloud.user.list('listNetworks');
    const servers = Object.fromEntries(networks.map((row) => [String(row['name']), row['dns1']]));
    assert.deepEqual(servers, { own: '192.0.2.7', 'k8s-net': '192.0.2.53' });
  });
});

describe('listNetworks', () => {
  it('looks at the physical network, and at what a network is built on', async () => {
    await using cloud = await TestCloud.start({
      scene: (world) => {
        world.account({ name: 'k8s' });
        for (const zone of ['zone-a', 'zone-b']) {
          world.zone({
            name: zone,
            publicRange: zone === 'zone-a' ? ['203.0.113.1', '203.0.113.9'] : ['198.51.100.1', '198.51.100.9'],
          });
          world.network({ name: `net-${zone}`, owner: 'k8s', zone });
        }
      },
    });
    const physicalnetworkid = String(
      (await cloud.user.list('listNetworks', { keyword: 'zone-b' }))[0]?.['physicalnetworkid'],
    );
    const names = (await cloud.user.list('listNetworks', { physicalnetworkid })).map((row) => row['name']);
    assert.deepEqual(names, ['net-zone-b']);
    const associatednetworkid = cloud.id('networks', 'net-zone-a');
    assert.deepEqual(await cloud.user.list('listNetworks', { associatednetworkid }), []);
  });
});

describe('listAsyncJobs', () => {
  it('finds pending jobs by age and by what they do', async () => {
    await using cloud = await TestCloud.start();
    const { user } = cloud;
    await user.call('associateIpAddress', { networkid: cloud.id('networks', 'k8s-net') });
    const after = new Date(cloud.clock.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    assert.equal((await user.list('listAsyncJobs', { startdate: '2000-01-01' })).length, 1);
    assert.equal((await user.list('listAsyncJobs', { startdate: after })).length, 0);
    assert.equal((await user.list('listAsyncJobs', { keyword: 'AssociateIP' })).length, 1);
    assert.equal((await user.list('listAsyncJobs', { keyword: 'DestroyVM' })).length, 0);
  });
});
