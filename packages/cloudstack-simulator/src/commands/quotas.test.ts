import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestCloud, type Fields, type TestClient } from '../testing/client.ts';

type Quota = 'maxAccountPublicIps' | 'maxAccountVirtualMachines' | 'maxAccountNetworks' | 'maxAccountVpcs';

/** The call that each quota stands in the way of. */
async function request(cloud: TestCloud, quota: Quota): Promise<Parameters<TestClient['call']>> {
  const { admin, simulator } = cloud;
  const [zone] = await admin.list('listZones');
  const zoneid = String(zone?.['id']);
  const first = (name: string, rows: readonly Fields[]): string =>
    String(rows.find((row) => row['name'] === name)?.['id'] ?? rows[0]?.['id']);
  const networkid = cloud.id('networks', 'k8s-net');
  switch (quota) {
    case 'maxAccountPublicIps':
      return ['associateIpAddress', { networkid }];
    case 'maxAccountVirtualMachines': {
      const serviceofferingid = first('Small Instance', await admin.list('listServiceOfferings'));
      const templateid = [...simulator.state.templates.values()][0]?.id ?? '';
      return ['deployVirtualMachine', { zoneid, serviceofferingid, templateid, networkids: networkid }];
    }
    case 'maxAccountNetworks': {
      const offerings = await admin.list('listNetworkOfferings');
      const networkofferingid = first('DefaultIsolatedNetworkOfferingWithSourceNatService', offerings);
      return ['createNetwork', { zoneid, networkofferingid, name: 'one-more', displaytext: 'one more' }];
    }
    case 'maxAccountVpcs': {
      const vpcofferingid = first('Default VPC offering', await admin.list('listVPCOfferings'));
      return ['createVPC', { zoneid, vpcofferingid, name: 'one', displaytext: 'one', cidr: '10.9.0.0/16' }];
    }
  }
}

const QUOTAS: readonly Quota[] = [
  'maxAccountPublicIps',
  'maxAccountVirtualMachines',
  'maxAccountNetworks',
  'maxAccountVpcs',
];

describe('a quota', () => {
  for (const quota of QUOTAS) {
    it(`of ${quota} refuses at 0, and is none at -1`, async () => {
      await using cloud = await TestCloud.start();
      const [command, parameters] = await request(cloud, quota);
      cloud.simulator.conditions.configure({ [quota]: 0 });
      assert.match(String((await cloud.user.refused(command, parameters)).text), /^Maximum /);
      cloud.simulator.conditions.configure({ [quota]: -1 });
      await cloud.user.call(command, parameters);
    });
  }

  it('that is none is told as Unlimited', async () => {
    await using cloud = await TestCloud.start();
    await cloud.result(cloud.user, 'createProject', { name: 'team', displaytext: 'team' });
    await cloud.admin.call('updateConfiguration', { name: 'max.project.public.ips', value: '-1' });
    const [project] = await cloud.user.list('listProjects');
    assert.deepEqual([project?.['iplimit'], project?.['ipavailable']], ['Unlimited', 'Unlimited']);
    assert.deepEqual([project?.['vpclimit'], project?.['vpcavailable']], ['20', '20']);
  });
});
