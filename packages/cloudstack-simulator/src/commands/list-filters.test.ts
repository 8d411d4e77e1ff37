import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestCloud } from '../testing/client.ts';

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
