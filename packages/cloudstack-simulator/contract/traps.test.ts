import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import type { World } from '../src/scene/world.ts';
import { TestCloud } from '../src/testing/client.ts';
import { signed } from './caller.ts';

/** Each trap of CloudStack's API that client authors fall into, by its number: the simulator must set it too. */

function scene(world: World): void {
  world.domain({ name: 'tenants' });
  world.account({ name: 'k8s', domain: 'ROOT/tenants' });
  world.account({ name: 'other', domain: 'ROOT/tenants' });
  world.project({ name: 'team-a', owner: 'k8s' });
  world.zone({ name: 'zone-a' });
  world.network({ name: 'k8s-net', owner: 'k8s', cidr: '10.1.1.0/24' });
  world.network({ name: 'second-net', owner: 'k8s', cidr: '10.1.2.0/24' });
  world.network({ name: 'fresh-net', owner: 'k8s', cidr: '10.1.3.0/24', implemented: false });
  world.network({ name: 'prj-net', owner: 'team-a', cidr: '10.1.4.0/24' });
  world.vpc({ name: 'vpc-a', owner: 'k8s' });
  world.aclList({ name: 'k8s-acl', vpc: 'vpc-a' });
  world.network({ name: 'tier1', owner: 'k8s', vpc: 'vpc-a', cidr: '10.2.1.0/24', acl: 'k8s-acl' });
  world.network({ name: 'tier2', owner: 'k8s', vpc: 'vpc-a', cidr: '10.2.2.0/24' });
  for (const name of ['node-1', 'node-2', 'node-3'])
    world.virtualMachine({ name, owner: 'k8s', networks: ['k8s-net'] });
  world.virtualMachine({ name: 'node-multi', owner: 'k8s', networks: ['second-net', 'k8s-net'] });
  world.virtualMachine({ name: 'node-halt', owner: 'k8s', networks: ['k8s-net'], state: 'Stopped' });
  world.virtualMachine({ name: 'prj-node', owner: 'team-a', networks: ['prj-net'] });
}

const start = (): Promise<TestCloud> => TestCloud.start({ version: '4.20', scene });

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** An address in k8s-net, or in the VPC. */
async function acquire(cloud: TestCloud, where?: Readonly<Record<string, string>>): Promise<string> {
  const place = where ?? { networkid: cloud.id('networks', 'k8s-net') };
  const { id } = await cloud.user.call('associateIpAddress', place);
  await cloud.settle();
  return String(id);
}

const rule = (
  publicipid: string,
  port: number,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> => ({
  publicipid,
  algorithm: 'roundrobin',
  name: `rule-${port}`,
  publicport: String(port),
  privateport: '30080',
  openfirewall: 'false',
  ...more,
});

async function create(cloud: TestCloud, parameters: Readonly<Record<string, string>>): Promise<string> {
  const { id } = await cloud.user.call('createLoadBalancerRule', parameters);
  await cloud.settle();
  return String(id);
}

describe('traps of CloudStack that the simulator sets', () => {
  it("1: signs ! ' ( ) ~ and the blank encoded, and * as it is", async () => {
    await using cloud = await start();
    const { apiKey = '', secretKey = '' } = cloud.simulator.credentials.get('k8s') ?? {};
    const parameters = { command: 'listZones', response: 'json', apiKey, keyword: "a+b c*~!'()" };
    const { signature = '' } = signed(parameters, secretKey);
    const [good, raw] = [signature, signedWithoutEncoding(parameters, secretKey)];
    assert.notEqual(good, raw);
    assert.equal((await cloud.user.send({ ...parameters, signature: good })).status, 200);
    assert.equal((await cloud.user.send({ ...parameters, signature: raw })).status, 401);
  });

  it('2: sorts raw names before it lower-cases, and leaves brackets in names', async () => {
    await using cloud = await start();
    const { apiKey = '', secretKey = '' } = cloud.simulator.credentials.get('k8s') ?? {};
    const tags = { 'tags[0].key': 'a', 'tags[0].value': 'b', Zone: 'x' };
    const parameters = { command: 'listLoadBalancerRules', response: 'json', apiKey, ...tags };
    assert.equal((await cloud.user.send(signed(parameters, secretKey))).status, 200);
  });

  it('3: answers 401 for an unknown command and for an expired request alike', async () => {
    await using cloud = await start();
    const old = { signatureversion: '3', expires: '2020-01-01T00:00:00+0000' };
    const text = 'unable to verify user credentials and/or request signature';
    assert.deepEqual(await cloud.user.refused('listUnicorns'), { code: 401, reason: undefined, text });
    assert.deepEqual(await cloud.user.refused('listZones', old), { code: 401, reason: undefined, text });
  });

  it('4: checks role and rate limit before the signature', async () => {
    await using cloud = await start();
    const denied = await cloud.user.send({ command: 'listHosts', signature: 'wrong' });
    assert.equal(denied.status, 432);
    assert.match(denied.text, /^\{"errorresponse":/);
    cloud.simulator.state.settings = { ...cloud.simulator.state.settings, throttlingEnabled: true, throttlingMax: 1 };
    await cloud.user.call('listZones');
    assert.equal((await cloud.user.send({ command: 'listZones', signature: 'wrong' })).status, 429);
  });

  it('5: uses odd HTTP status codes', async () => {
    await using cloud = await start();
    const ip = await acquire(cloud);
    await create(cloud, rule(ip, 80));
    assert.equal((await cloud.user.refused('createLoadBalancerRule', rule(ip, 80))).code, 537);
    assert.equal((await cloud.user.refused('createLoadBalancerRule', rule(ip, 99_999))).code, 431);
  });

  it('6: answers {} where nothing matches, and a bare count past the last page', async () => {
    await using cloud = await start();
    assert.deepEqual(await cloud.user.call('listLoadBalancerRules'), {});
    assert.deepEqual(await cloud.user.call('listVirtualMachines', { page: '9', pagesize: '10' }), { count: 5 });
  });

  it('7: cuts lists silently, and wants both page parameters', async () => {
    await using cloud = await start();
    cloud.simulator.state.settings = { ...cloud.simulator.state.settings, defaultPageSize: 2 };
    const { count, virtualmachine } = await cloud.user.call('listVirtualMachines');
    assert.deepEqual([count, (virtualmachine as unknown[]).length], [5, 2]);
    assert.equal((await cloud.user.refused('listVirtualMachines', { page: '1' })).code, 431);
    assert.equal((await cloud.user.refused('listVirtualMachines', { page: '1', pagesize: '3' })).code, 431);
  });

  it('8: tells errors of creates at once, and those of other changes in the job', async () => {
    await using cloud = await start();
    const id = await create(cloud, rule(await acquire(cloud), 80));
    const foreign = await cloud.failure(cloud.as('other'), 'deleteLoadBalancerRule', { id });
    assert.equal(foreign.code, 530);
    const refused = await cloud.as('other').refused('createLoadBalancerRule', rule(await acquire(cloud), 81));
    assert.equal(refused.code, 531);
  });

  it('8: leaves a job that a restart cut without a result', async () => {
    await using cloud = await start();
    const id = await create(cloud, rule(await acquire(cloud), 80));
    const virtualmachineids = cloud.id('virtualMachines', 'node-1');
    const { jobid } = await cloud.user.call('assignToLoadBalancerRule', { id, virtualmachineids });
    await cloud.clock.advance(10);
    cloud.simulator.restart();
    const job = await cloud.user.call('queryAsyncJobResult', { jobid: String(jobid) });
    assert.deepEqual([job['jobstatus'], job['jobresultcode'], 'jobresult' in job], [2, 530, false]);
  });

  it('9: shows what a create makes before its job has ended', async () => {
    await using cloud = await start();
    const { id } = await cloud.user.call('createLoadBalancerRule', rule(await acquire(cloud), 80));
    const [shown] = await cloud.user.list('listLoadBalancerRules', { id: String(id) });
    assert.equal(shown?.['state'], 'Add');
  });

  it('10: fails an assignment that is there already, with a text that hides why', async () => {
    await using cloud = await start();
    const id = await create(cloud, rule(await acquire(cloud), 80));
    const [one, two] = [cloud.id('virtualMachines', 'node-1'), cloud.id('virtualMachines', 'node-2')];
    await cloud.result(cloud.user, 'assignToLoadBalancerRule', { id, virtualmachineids: one });
    const again = { id, virtualmachineids: `${one},${two}` };
    const text = 'Failed to assign load balancer rule';
    assert.deepEqual(await cloud.failure(cloud.user, 'assignToLoadBalancerRule', again), { code: 530, text });
    const members = await cloud.user.list('listLoadBalancerRuleInstances', { id });
    assert.deepEqual(
      members.map((member) => member['id']),
      [one],
    );
    await cloud.result(cloud.user, 'removeFromLoadBalancerRule', { id, virtualmachineids: two });
  });

  it('11: matches names exactly here and by LIKE there, and reads wildcards in keywords', async () => {
    await using cloud = await start();
    const names = async (parameters: Readonly<Record<string, string>>): Promise<unknown[]> =>
      (await cloud.user.list('listVirtualMachines', parameters)).map((vm) => vm['name']);
    assert.deepEqual(await names({ name: 'node' }), []);
    assert.deepEqual(await names({ name: 'NODE-1' }), ['node-1']);
    assert.deepEqual(await names({ keyword: 'e_1' }), ['node-1']);
    assert.equal((await cloud.user.list('listVPCs', { name: 'pc' })).length, 1);
  });

  it('12: mixes strings and numbers', async () => {
    await using cloud = await start();
    const ip = await acquire(cloud);
    await create(cloud, rule(ip, 80));
    const opened = { ipaddressid: ip, protocol: 'tcp', startport: '80' };
    const { firewallrule } = await cloud.result(cloud.user, 'createFirewallRule', opened);
    const [listed] = await cloud.user.list('listLoadBalancerRules');
    const aclid = [...cloud.simulator.state.aclLists.values()].find(({ name }) => name === 'k8s-acl')?.id ?? '';
    const { networkacl } = await cloud.result(cloud.user, 'createNetworkACL', {
      aclid,
      protocol: 'tcp',
      startport: '80',
    });
    const acl = networkacl as Record<string, unknown>;
    assert.deepEqual([listed?.['publicport'], listed?.['privateport']], ['80', '30080']);
    assert.equal((firewallrule as Record<string, unknown>)['startport'], 80);
    assert.deepEqual([acl['startport'], acl['number']], ['80', 1]);
  });

  it('13: separates the CIDRs of a rule by who wrote them last, and refuses them before 4.18', async () => {
    await using cloud = await TestCloud.start({ version: '4.22', scene });
    const ip = await acquire(cloud);
    const id = await create(cloud, rule(ip, 80, { cidrlist: '10.0.0.0/8,192.0.2.0/24' }));
    const cidrs = async (): Promise<unknown> =>
      (await cloud.user.list('listLoadBalancerRules', { id }))[0]?.['cidrlist'];
    assert.equal(await cidrs(), '10.0.0.0/8 192.0.2.0/24');
    await cloud.result(cloud.user, 'updateLoadBalancerRule', { id, cidrlist: '10.0.0.0/8,198.51.100.0/24' });
    assert.equal(await cidrs(), '10.0.0.0/8,198.51.100.0/24');
    const [without] = await cloud.user.list('listLoadBalancerRules', { id: await create(cloud, rule(ip, 81)) });
    assert.equal('cidrlist' in (without ?? {}), false);
    await using old = await TestCloud.start({ version: '4.17', scene });
    const refused = await old.user.refused('createLoadBalancerRule', rule(await acquire(old), 80, { cidrlist: '' }));
    assert.match(String(refused.text), /^Parameter cidrList is deprecated/);
  });

  it('14: stores no protocol by default, and knows tcp-proxy for load balancing only', async () => {
    await using cloud = await start();
    const ip = await acquire(cloud);
    const [listed] = await cloud.user.list('listLoadBalancerRules', { id: await create(cloud, rule(ip, 80)) });
    assert.equal('protocol' in (listed ?? {}), false);
    await create(cloud, rule(ip, 81, { protocol: 'tcp-proxy' }));
    const firewall = { ipaddressid: ip, protocol: 'tcp-proxy', startport: '81' };
    assert.equal((await cloud.user.refused('createFirewallRule', firewall)).code, 431);
  });

  it('15: refuses udp on a taken port, udp and 8081 on a router, and 53 on a source-NAT address', async () => {
    await using cloud = await start();
    const ip = await acquire(cloud);
    const unsupported = 'LB service provider cannot support this rule';
    for (const parameters of [rule(ip, 90, { protocol: 'udp' }), rule(ip, 8081)]) {
      assert.equal((await cloud.user.refused('createLoadBalancerRule', parameters)).text, unsupported);
    }
    const fresh = await acquire(cloud, { networkid: cloud.id('networks', 'fresh-net') });
    await create(cloud, rule(fresh, 90, { protocol: 'udp' }));
    await create(cloud, rule(fresh, 8081));
    assert.match(
      String((await cloud.user.refused('createLoadBalancerRule', rule(fresh, 53))).text),
      /cannot add port 53/,
    );
  });

  it('16: ignores the network of the call where the address has one, until 4.22.1', async () => {
    const other = async (cloud: TestCloud): Promise<Record<string, string>> =>
      rule(await acquire(cloud), 80, { networkid: cloud.id('networks', 'second-net') });
    await using cloud = await start();
    const [listed] = await cloud.user.list('listLoadBalancerRules', { id: await create(cloud, await other(cloud)) });
    assert.equal(listed?.['networkid'], cloud.id('networks', 'k8s-net'));
    await using newer = await TestCloud.start({ version: '4.22.1', scene });
    assert.equal((await newer.user.refused('createLoadBalancerRule', await other(newer))).code, 431);
  });

  it("17: shows the public network as an address's network, and a tier only while rules are on it", async () => {
    await using cloud = await start();
    const id = await acquire(cloud, { vpcid: cloud.id('vpcs', 'vpc-a') });
    const shown = async (): Promise<Readonly<Record<string, unknown>> | undefined> =>
      (await cloud.user.list('listPublicIpAddresses', { id }))[0];
    const tier = cloud.id('networks', 'tier1');
    assert.equal('associatednetworkid' in ((await shown()) ?? {}), false);
    const ruleId = await create(cloud, rule(id, 80, { networkid: tier }));
    assert.equal((await shown())?.['associatednetworkid'], tier);
    assert.notEqual((await shown())?.['networkid'], tier);
    await cloud.result(cloud.user, 'deleteLoadBalancerRule', { id: ruleId });
    assert.equal('associatednetworkid' in ((await shown()) ?? {}), false);
  });

  it('18: opens the firewall by default outside of a VPC, and must not be asked to inside', async () => {
    await using cloud = await start();
    const ip = await acquire(cloud);
    const { openfirewall: _, ...plain } = rule(ip, 80);
    const id = await create(cloud, plain);
    const opened = await cloud.user.list('listFirewallRules', { ipaddressid: ip });
    assert.deepEqual(
      opened.map((one) => [one['startport'], one['cidrlist']]),
      [[80, '0.0.0.0/0']],
    );
    await cloud.result(cloud.user, 'deleteLoadBalancerRule', { id });
    assert.deepEqual(await cloud.user.list('listFirewallRules', { ipaddressid: ip }), []);
    const inVpc = await acquire(cloud, { vpcid: cloud.id('vpcs', 'vpc-a') });
    const asked = rule(inVpc, 80, { networkid: cloud.id('networks', 'tier1'), openfirewall: 'true' });
    assert.equal((await cloud.user.refused('createLoadBalancerRule', asked)).code, 431);
  });

  it('19: cannot change the CIDRs of a firewall rule', async () => {
    await using cloud = await start();
    const ip = await acquire(cloud);
    const opened = { ipaddressid: ip, protocol: 'tcp', startport: '80', cidrlist: '10.0.0.0/8' };
    const { firewallrule } = await cloud.result(cloud.user, 'createFirewallRule', opened);
    const { id } = firewallrule as { id: string };
    await cloud.result(cloud.user, 'updateFirewallRule', { id, cidrlist: '192.0.2.0/24' });
    const [listed] = await cloud.user.list('listFirewallRules', { id });
    assert.equal(listed?.['cidrlist'], '10.0.0.0/8');
    assert.equal((await cloud.user.refused('createFirewallRule', opened)).code, 537);
  });

  it('20: keeps default ACL lists as they are, takes items twice, and lists the newest first', async () => {
    await using cloud = await start();
    const list = (name: string): string =>
      [...cloud.simulator.state.aclLists.values()].find((acl) => acl.name === name)?.id ?? '';
    const item = { protocol: 'tcp', startport: '80' };
    const refused = await cloud.user.refused('createNetworkACL', { aclid: list('default_deny'), ...item });
    assert.equal(refused.text, 'Default ACL cannot be modified');
    for (let time = 0; time < 2; time++) {
      await cloud.result(cloud.user, 'createNetworkACL', { aclid: list('k8s-acl'), ...item });
    }
    const items = await cloud.user.list('listNetworkACLs', { aclid: list('k8s-acl') });
    assert.deepEqual(
      items.map((one) => one['number']),
      [2, 1],
    );
    const [bare] = await cloud.user.list('listNetworks', { id: cloud.id('networks', 'tier2') });
    assert.equal('aclid' in (bare ?? {}), false);
  });

  it('21: takes every rule along with a released address, and makes the first of a network its source NAT', async () => {
    await using cloud = await start();
    const ip = await acquire(cloud);
    await create(cloud, rule(ip, 80));
    await cloud.result(cloud.user, 'disassociateIpAddress', { id: ip });
    assert.deepEqual(await cloud.user.call('listLoadBalancerRules'), {});
    assert.equal((await cloud.user.refused('disassociateIpAddress', { id: ip })).code, 530);
    const fresh = await acquire(cloud, { networkid: cloud.id('networks', 'fresh-net') });
    const [first] = await cloud.user.list('listPublicIpAddresses', { id: fresh });
    assert.equal(first?.['issourcenat'], true);
    const [nat] = await cloud.user.list('listPublicIpAddresses', {
      issourcenat: 'true',
      associatednetworkid: cloud.id('networks', 'k8s-net'),
    });
    const kept = await cloud.failure(cloud.user, 'disassociateIpAddress', { id: String(nat?.['id']) });
    assert.match(String(kept.text), /source nat purposes/);
  });

  it('22: hides what projects own', async () => {
    await using cloud = await start();
    const id = cloud.id('virtualMachines', 'prj-node');
    const projectid = cloud.simulator.state.projects.find(() => true)?.id ?? '';
    assert.deepEqual(await cloud.user.call('listVirtualMachines', { id, listall: 'true' }), {});
    const [shown] = await cloud.user.list('listVirtualMachines', { id, projectid });
    assert.deepEqual([shown?.['project'], 'account' in (shown ?? {})], ['team-a', false]);
    assert.deepEqual(await cloud.admin.list('listVirtualMachines', { listall: 'true', name: 'prj-node' }), []);
    assert.equal((await cloud.as('other').refused('listVirtualMachines', { projectid })).code, 432);
  });

  it('23: shows the hypervisor as hostname, no public address, and too few NICs with details=min', async () => {
    await using cloud = await start();
    const id = cloud.id('virtualMachines', 'node-multi');
    const [seen] = await cloud.admin.list('listVirtualMachines', { id });
    assert.notEqual(seen?.['hostname'], 'node-multi');
    const [min] = await cloud.user.list('listVirtualMachines', { id, details: 'min' });
    assert.deepEqual([nicsOf(min), 'serviceofferingid' in (min ?? {})], [1, false]);
    const ruleId = await create(cloud, rule(await acquire(cloud), 80));
    const halted = { id: ruleId, virtualmachineids: cloud.id('virtualMachines', 'node-halt') };
    await cloud.result(cloud.user, 'assignToLoadBalancerRule', halted);
  });

  it('24: wraps some answers in odd keys', async () => {
    await using cloud = await start();
    const id = await create(cloud, rule(await acquire(cloud), 80));
    const policy = { command: 'createLBStickinessPolicy', lbruleid: id, name: 's', methodname: 'SourceBased' };
    assert.match((await cloud.user.send(policy)).text, /^\{"createLBStickinessPolicy":/);
    const gone = { command: 'deleteLBStickinessPolicy', id: UNKNOWN };
    assert.match((await cloud.user.send(gone)).text, /^\{"deleteLBstickinessrruleresponse":\{"uuidList":/);
    assert.match((await cloud.user.send({ command: 'updateNetworkACLItem' })).text, /^\{"createnetworkaclresponse":/);
    assert.equal((await cloud.user.refused('createLBHealthCheckPolicy', { lbruleid: id })).code, 430);
  });

  it('25: shows Add for a rule without members, and says "not found" in more than one way', async () => {
    await using cloud = await start();
    const id = await create(cloud, rule(await acquire(cloud), 80));
    assert.equal((await cloud.user.list('listLoadBalancerRules', { id }))[0]?.['state'], 'Add');
    await cloud.result(cloud.user, 'deleteLoadBalancerRule', { id });
    const gone = await cloud.user.refused('listLoadBalancerRules', { id });
    assert.match(
      String(gone.text),
      new RegExp(`Invalid parameter id value=${id} due to incorrect long value format, or entity does not exist`),
    );
    assert.deepEqual(await cloud.user.call('listNetworks', { id: UNKNOWN }), {});
    assert.equal((await cloud.user.refused('listManagementServersMetrics')).code, 432);
  });

  it('26: answers {} by id for machines that live, are gone, and are foreign', async () => {
    await using cloud = await start();
    const [living, gone] = [cloud.id('virtualMachines', 'node-1'), cloud.id('virtualMachines', 'node-2')];
    assert.deepEqual(await cloud.as('other').call('listVirtualMachines', { id: living }), {});
    await cloud.result(cloud.user, 'destroyVirtualMachine', { id: gone });
    assert.deepEqual(await cloud.user.call('listVirtualMachines', { id: gone }), {});
    assert.equal((await cloud.admin.list('listVirtualMachines', { id: gone }))[0]?.['state'], 'Destroyed');
    assert.equal((await cloud.user.refused('listVirtualMachines', { id: UNKNOWN })).code, 431);
  });

  it('27: gives an address the same id again, whoever gets it', async () => {
    await using cloud = await start();
    const id = await acquire(cloud);
    const [shown] = await cloud.user.list('listPublicIpAddresses', { id });
    const ipaddress = String(shown?.['ipaddress']);
    await cloud.result(cloud.user, 'disassociateIpAddress', { id });
    assert.equal(await acquire(cloud, { networkid: cloud.id('networks', 'second-net'), ipaddress }), id);
  });
});

function nicsOf(machine: Readonly<Record<string, unknown>> | undefined): number {
  const nics = machine?.['nic'];
  return Array.isArray(nics) ? nics.length : -1;
}

/** What a client does that uses encodeURIComponent as it is. */
function signedWithoutEncoding(parameters: Readonly<Record<string, string>>, secretKey: string): string {
  const text = Object.entries(parameters)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
    .toLowerCase();
  return createHmac('sha1', secretKey).update(text).digest('base64');
}
