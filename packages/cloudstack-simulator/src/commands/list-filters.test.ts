import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestCloud, type Fields, type TestClient } from '../testing/client.ts';

describe('filters of lists', () => {
  it('take an empty list of ids for none at all', async () => {
    await using cloud = await TestCloud.start();
    assert.equal((await cloud.user.list('listVirtualMachines', { ids: '' })).length, 3);
  });

  it('know the hypervisor that every machine runs on', async () => {
    await using cloud = await TestCloud.start();
    assert.equal((await cloud.user.list('listVirtualMachines', { hypervisor: 'simulator' })).length, 3);
    assert.deepEqual(await cloud.user.list('listVirtualMachines', { hypervisor: 'KVM' }), []);
  });

  it("let root search by a machine's name on the hypervisor", async () => {
    await using cloud = await TestCloud.start();
    const [first] = await cloud.admin.list('listVirtualMachines', { listall: 'true' });
    const found = await cloud.admin.list('listVirtualMachines', {
      listall: 'true',
      keyword: String(first?.['instancename']),
    });
    assert.deepEqual(
      found.map((vm) => vm['id']),
      [first?.['id']],
    );
    assert.deepEqual(await cloud.user.list('listVirtualMachines', { keyword: String(first?.['instancename']) }), []);
  });

  it('show zones of a domain only where they are kept for it', async () => {
    await using cloud = await TestCloud.start();
    const domainid = cloud.simulator.state.domains.find(({ path }) => path === 'ROOT/tenants')?.id ?? '';
    assert.deepEqual(await cloud.user.list('listZones', { domainid }), []);
  });

  it('show administrators their own user unless they ask for all', async () => {
    await using cloud = await TestCloud.start();
    const names = async (parameters: Readonly<Record<string, string>>): Promise<unknown[]> =>
      (await cloud.admin.list('listUsers', parameters)).map((user) => user['username']);
    assert.deepEqual(await names({}), ['admin']);
    assert.ok((await names({ listall: 'true' })).includes('k8s'));
  });

  it('keep from ordinary accounts what root does not want displayed, and let root ask for it', async () => {
    await using cloud = await TestCloud.start();
    const { user, admin } = cloud;
    const associated = await cloud.result(user, 'associateIpAddress', { networkid: cloud.id('networks', 'k8s-net') });
    const ipaddressid = String((associated['ipaddress'] as Fields)['id']);
    const open = { ipaddressid, protocol: 'tcp', startport: '1' };
    await cloud.result(user, 'createFirewallRule', { ...open, fordisplay: 'false' });
    const hidden = await cloud.result(admin, 'createFirewallRule', { ...open, startport: '2', fordisplay: 'false' });
    const ports = async (client: TestClient, more = {}): Promise<unknown[]> =>
      (await client.list('listFirewallRules', { ipaddressid, ...more })).map((rule) => rule['startport']);
    const all = { listall: 'true' };
    assert.deepEqual(await ports(user), [1], 'what an ordinary account says about display is ignored');
    assert.deepEqual(await ports(user, { fordisplay: 'false' }), [1]);
    assert.deepEqual(await ports(admin, all), [2, 1]);
    assert.deepEqual(await ports(admin, { ...all, fordisplay: 'false' }), [2]);
    assert.deepEqual(await ports(admin, { ...all, fordisplay: 'true' }), [1]);
    const { id, fordisplay } = hidden['firewallrule'] as Fields;
    assert.equal(fordisplay, false);
    await cloud.result(admin, 'updateFirewallRule', { id: String(id), fordisplay: 'true' });
    assert.deepEqual(await ports(user), [2, 1]);
  });

  it('show with available=false only zones in which the account has something at work', async () => {
    await using cloud = await TestCloud.start();
    assert.equal((await cloud.user.list('listZones', { available: 'false' })).length, 1);
    assert.deepEqual(await cloud.admin.list('listZones', { available: 'false' }), []);
    assert.equal((await cloud.admin.list('listZones', { available: 'true' })).length, 1);
  });

  it('tell networks by whether they can be deployed in, and who gives their addresses', async () => {
    await using cloud = await TestCloud.start({
      scene: (world) => {
        world.zone({ name: 'zone-a' });
        world.account({ name: 'k8s' });
        world.network({ name: 'own', owner: 'k8s' });
        world.network({ name: 'shared', owner: 'k8s', offering: 'DefaultSharedNetworkOffering' });
      },
    });
    const names = async (parameters: Readonly<Record<string, string>>): Promise<unknown[]> =>
      (await cloud.user.list('listNetworks', parameters)).map((network) => network['name']);
    assert.deepEqual(await names({ canusefordeploy: 'true' }), ['shared', 'own']);
    assert.deepEqual(await names({ canusefordeploy: 'false' }), []);
    assert.deepEqual(await names({ specifyipranges: 'true' }), ['shared']);
    assert.deepEqual(await names({ specifyipranges: 'false' }), ['own']);
  });

  it('find roles by a part of their name', async () => {
    await using cloud = await TestCloud.start();
    const roles = await cloud.admin.list('listRoles', { keyword: 'domain' });
    assert.deepEqual([...new Set(roles.map((role) => role['type']))], ['DomainAdmin']);
  });

  it("refuse somebody else's project in every command, whether that knows projects or not", async () => {
    await using cloud = await TestCloud.start({
      scene: (world) => {
        world.account({ name: 'k8s' });
        world.account({ name: 'other' });
        world.project({ name: 'team-b', owner: 'other' });
        world.zone({ name: 'zone-a' });
      },
    });
    const projectid = cloud.simulator.state.projects.find(() => true)?.id ?? '';
    assert.equal((await cloud.user.refused('listZones', { projectid })).code, 432);
    assert.equal((await cloud.as('other').list('listZones', { projectid })).length, 1);
  });
});
