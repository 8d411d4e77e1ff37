import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCloud, type Fields } from './testing/client.ts';
import { supports, versionProfile, versionProfiles } from './version-profile.ts';

const NAMES = versionProfiles.map((profile) => profile.name);

/** Names of the releases in which something holds. */
async function releases(holds: (cloud: TestCloud) => Promise<boolean>): Promise<string[]> {
  const found: string[] = [];
  for (const version of NAMES) {
    await using cloud = await TestCloud.start({ version });
    if (await holds(cloud)) found.push(version);
  }
  return found;
}

function from(first: string): string[] {
  return NAMES.slice(NAMES.indexOf(first));
}

async function newAddress(cloud: TestCloud): Promise<string> {
  const { ipaddress } = await cloud.result(cloud.user, 'associateIpAddress', {
    networkid: cloud.id('networks', 'k8s-net'),
  });
  return (ipaddress as { id: string }).id;
}

const RULE = { algorithm: 'roundrobin', name: 'web', publicport: '80', privateport: '30080', openfirewall: 'false' };

async function newRule(cloud: TestCloud, more: Record<string, string> = {}): Promise<string> {
  const publicipid = await newAddress(cloud);
  await cloud.result(cloud.user, 'createLoadBalancerRule', { ...RULE, publicipid, ...more });
  return cloud.id('loadBalancerRules', 'web');
}

test('goes from 4.14 to 4.23, and takes the newest by default', () => {
  assert.deepEqual(NAMES, ['4.14', '4.15', '4.16', '4.17', '4.18', '4.19', '4.20', '4.21', '4.22', '4.22.1', '4.23']);
  assert.equal(versionProfile().name, '4.23');
  assert.equal(supports(versionProfile('4.20'), '4.9'), true);
  assert.equal(supports(versionProfile('4.20'), '4.20.1'), false);
});

test('tells its version', async () => {
  await using cloud = await TestCloud.start({ version: '4.19' });
  const { capability } = await cloud.user.call('listCapabilities');
  assert.equal((capability as Fields)['cloudstackversion'], '4.19.3.0');
});

test('stores the CIDR list of a rule from 4.18 on, and refuses it before', async () => {
  const stored = await releases(async (cloud) => {
    const publicipid = await newAddress(cloud);
    const answer = await cloud.user.send({
      command: 'createLoadBalancerRule',
      ...RULE,
      publicipid,
      cidrlist: '10.0.0.0/8,192.0.2.0/24',
    });
    if (answer.status !== 200) assert.match(answer.text, /Parameter cidrList is deprecated/);
    await cloud.settle();
    const [rule] = await cloud.user.list('listLoadBalancerRules');
    return rule?.['cidrlist'] === '10.0.0.0/8 192.0.2.0/24';
  });
  assert.deepEqual(stored, from('4.18'));
});

test('shows an empty CIDR list before 4.18, and none since', async () => {
  const shown = async (version: string): Promise<unknown> => {
    await using cloud = await TestCloud.start({ version });
    await newRule(cloud);
    return (await cloud.user.list('listLoadBalancerRules'))[0]?.['cidrlist'];
  };
  assert.deepEqual([await shown('4.17'), await shown('4.18')], ['', undefined]);
});

test('changes the CIDR list of a rule from 4.22 on, with commas', async () => {
  const changed = await releases(async (cloud) => {
    const id = await newRule(cloud);
    await cloud.job(cloud.user, 'updateLoadBalancerRule', { id, cidrlist: '10.0.0.0/8,192.0.2.0/24' });
    return cloud.simulator.state.loadBalancerRules.get(id)?.cidrList === '10.0.0.0/8,192.0.2.0/24';
  });
  assert.deepEqual(changed, from('4.22'));
});

test('denies a command by role with 432 from 4.18 on, and with 401 before', async () => {
  const modern = await releases(async (cloud) => (await cloud.user.refused('listHosts')).code === 432);
  assert.deepEqual(modern, from('4.18'));
});

test('knows commands and parameters from their release on', async () => {
  const has = (command: string, parameters: Record<string, string> = {}) =>
    releases(async (cloud) => (await cloud.admin.send({ command, ...parameters })).status === 200);
  assert.deepEqual(await has('listManagementServersMetrics'), from('4.17'));
  assert.deepEqual(await has('listUserKeys'), from('4.23'));
  const byName = await releases(
    async (cloud) => (await cloud.user.list('listNetworks', { name: 'nothing' })).length === 0,
  );
  assert.deepEqual(byName, from('4.22'));
  const byAddress = await releases(async (cloud) => {
    await newAddress(cloud);
    const ipaddress = cloud.simulator.state.publicIps.find(
      (ip) => ip.state === 'Allocated' && !ip.isSourceNat,
    )?.address;
    const { status } = await cloud.user.send({ command: 'disassociateIpAddress', ipaddress: ipaddress ?? '' });
    return status === 200;
  });
  assert.deepEqual(byAddress, from('4.19'));
});

test('wants a display text for networks before 4.18', async () => {
  const optional = await releases(async (cloud) => {
    const [offering] = await cloud.user.list('listNetworkOfferings', {
      name: 'DefaultIsolatedNetworkOfferingWithSourceNatService',
    });
    const [zone] = await cloud.user.list('listZones');
    const parameters = { name: 'n', networkofferingid: String(offering?.['id']), zoneid: String(zone?.['id']) };
    return (await cloud.user.send({ command: 'createNetwork', ...parameters })).status === 200;
  });
  assert.deepEqual(optional, from('4.18'));
});

test('shows fields from their release on', async () => {
  const shows = (command: string, field: string) =>
    releases(async (cloud) => {
      await newAddress(cloud);
      const [item] = await cloud.user.list(command);
      return item !== undefined && field in item;
    });
  assert.deepEqual(await shows('listNetworks', 'created'), from('4.16'));
  assert.deepEqual(await shows('listZones', 'type'), from('4.18'));
  assert.deepEqual(await shows('listPublicIpAddresses', 'hasrules'), from('4.19'));
  assert.deepEqual(await shows('listPublicIpAddresses', 'domainpath'), from('4.21'));
  assert.deepEqual(await shows('listVirtualMachines', 'osdisplayname'), from('4.15'));
});

test('names the owner of a job from 4.20 on, and when it ended from 4.15 on', async () => {
  const job = async (version: string): Promise<Fields> => {
    await using cloud = await TestCloud.start({ version });
    return await cloud.job(cloud.user, 'associateIpAddress', { networkid: cloud.id('networks', 'k8s-net') });
  };
  assert.deepEqual([(await job('4.14'))['completed'], (await job('4.19'))['account']], [undefined, undefined]);
  assert.equal((await job('4.20'))['account'], 'k8s');
});

test('refuses another network than that of the address from 4.22.1 on, and ignores it before', async () => {
  const strict = await releases(async (cloud) => {
    const [offering] = await cloud.user.list('listNetworkOfferings', {
      name: 'DefaultIsolatedNetworkOfferingWithSourceNatService',
    });
    const zone = cloud.simulator.state.zones.values().next().value?.id ?? '';
    const { network } = await cloud.user.call('createNetwork', {
      name: 'second',
      displaytext: 'second',
      networkofferingid: String(offering?.['id']),
      zoneid: zone,
    });
    const publicipid = await newAddress(cloud);
    const networkid = (network as { id: string }).id;
    const { status } = await cloud.user.send({ command: 'createLoadBalancerRule', ...RULE, publicipid, networkid });
    return status === 431;
  });
  assert.deepEqual(strict, from('4.22.1'));
});

test('says that the router ends TLS from 4.22 on', async () => {
  const capable = await releases(async (cloud) =>
    JSON.stringify(await cloud.user.list('listNetworks')).includes('SslTermination'),
  );
  assert.deepEqual(capable, from('4.22'));
});

test('keeps the old keys of a user beside new ones from 4.23 on', async () => {
  const keeps = await releases(async (cloud) => {
    const { id = '' } = cloud.simulator.credentials.get('k8s')?.user ?? {};
    await cloud.admin.call('registerUserKeys', { id });
    return (await cloud.user.send({ command: 'listZones' })).status === 200;
  });
  assert.deepEqual(keeps, from('4.23'));
});

test('limits a further key pair in time and in commands', async () => {
  await using cloud = await TestCloud.start();
  const { id = '' } = cloud.simulator.credentials.get('k8s')?.user ?? {};
  const enddate = new Date(cloud.clock.now() + 60_000).toISOString();
  const rules = { 'rules[0].rule': 'listZones', 'rules[0].permission': 'allow' };
  const { userkeys } = await cloud.user.call('registerUserKeys', { id, enddate, ...rules });
  const { apikey = '', secretkey = '' } = userkeys as Record<string, string>;
  const pair = cloud.with(apikey, secretkey);
  assert.equal((await pair.list('listZones')).length, 1);
  assert.equal((await pair.refused('listNetworks')).code, 432);
  await cloud.clock.advance(60_000);
  assert.equal((await pair.refused('listZones')).code, 401);
});

test('lets VPC addresses have firewall rules in 4.23, if the offering has the service', async () => {
  const allowed = async (version: string, services: readonly string[]): Promise<boolean> => {
    await using cloud = await TestCloud.start({
      version,
      scene: (world) => {
        world.zone({ name: 'zone-a' });
        world.account({ name: 'k8s' });
        world.vpcOffering({ name: 'own', services });
        world.vpc({ name: 'vpc', owner: 'k8s', offering: 'own' });
        world.network({ name: 'tier', owner: 'k8s', vpc: 'vpc', cidr: '10.2.1.0/24' });
        world.publicIp({ address: '203.0.113.50', vpc: 'vpc' });
      },
    });
    const [ip] = await cloud.user.list('listPublicIpAddresses', { ipaddress: '203.0.113.50' });
    const open = { ipaddressid: String(ip?.['id']), protocol: 'tcp', startport: '80' };
    const { status } = await cloud.user.send({ command: 'createFirewallRule', ...open });
    if (status !== 200) return false;
    const [rule] = await cloud.user.list('listFirewallRules');
    assert.deepEqual([rule?.['vpcid'], rule?.['networkid']], [cloud.id('vpcs', 'vpc'), undefined]);
    return true;
  };
  assert.equal(await allowed('4.22', ['Lb', 'Firewall']), false);
  assert.equal(await allowed('4.23', ['Lb']), false);
  assert.equal(await allowed('4.23', ['Lb', 'Firewall']), true);
});

test('lets one address serve several tiers of a VPC in conserve mode, from 4.23 on', async () => {
  const conserves = async (version: string): Promise<boolean> => {
    await using cloud = await TestCloud.start({
      version,
      scene: (world) => {
        world.zone({ name: 'zone-a' });
        world.account({ name: 'k8s' });
        world.vpcOffering({ name: 'own', services: ['Lb'], conserveMode: true });
        world.vpc({ name: 'vpc', owner: 'k8s', offering: 'own' });
        for (const [name, cidr] of Object.entries({ 'tier-1': '10.2.1.0/24', 'tier-2': '10.2.2.0/24' })) {
          world.network({ name, owner: 'k8s', vpc: 'vpc', cidr });
        }
        world.publicIp({ address: '203.0.113.50', vpc: 'vpc' });
      },
    });
    const [ip] = await cloud.user.list('listPublicIpAddresses', { ipaddress: '203.0.113.50' });
    const rule = { algorithm: 'source', privateport: '1', publicipid: String(ip?.['id']), protocol: 'tcp' };
    for (const [name, publicport] of Object.entries({ 'tier-1': '80', 'tier-2': '81' })) {
      const networkid = cloud.id('networks', name);
      await cloud.user.send({ command: 'createLoadBalancerRule', ...rule, name, publicport, networkid });
    }
    await cloud.settle();
    const rules = await cloud.user.list('listLoadBalancerRules');
    return new Set(rules.map((one) => one['networkid'])).size === 2;
  };
  assert.deepEqual([await conserves('4.22.1'), await conserves('4.23')], [false, true]);
});
