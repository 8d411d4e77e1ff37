import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCloud } from './testing/client.ts';

const GONE =
  'due to incorrect long value format, or entity does not exist or due to incorrect parameter annotation for the field in api cmd class.';
const NOBODY = '00000000-0000-4000-8000-000000000000';

test('words every mistake in a parameter as the real server does', async () => {
  await using cloud = await TestCloud.start();
  const rule = { algorithm: 'source', name: 'r', privateport: '1', publicport: '1' };
  const cases: readonly [string, Record<string, string>, number, string][] = [
    [
      'createFirewallRule',
      {},
      9999,
      'Unable to execute API command createfirewallrule due to missing parameter ipaddressid',
    ],
    ['createLoadBalancerRule', { ...rule, name: '' }, 4350, 'Invalid value provided for API arg: name'],
    [
      'createLoadBalancerRule',
      { ...rule, name: 'n'.repeat(256) },
      9999,
      'Unable to execute API command createloadbalancerrule due to invalid value. Value greater than max allowed length 255 for param: loadBalancerRuleName',
    ],
    [
      'createLoadBalancerRule',
      { ...rule, publicport: 'http' },
      9999,
      'Unable to execute API command createloadbalancerrule due to invalid value http for parameter publicport',
    ],
    [
      'listZones',
      { id: 'x' },
      9999,
      `Unable to execute API command listzones due to invalid value. Invalid parameter id value=x ${GONE}`,
    ],
    [
      'listZones',
      { id: '' },
      9999,
      `Unable to execute API command listzones due to invalid value. Invalid parameter id value= ${GONE}`,
    ],
    [
      'assignToLoadBalancerRule',
      { id: NOBODY },
      9999,
      `Unable to execute API command assigntoloadbalancerrule due to invalid value. Invalid parameter id value=${NOBODY} ${GONE}`,
    ],
    [
      'listZones',
      { keyword: 'a\u0001b' },
      9999,
      'Received value containing illegal ASCII non-printable characters for parameter keyword',
    ],
  ];
  for (const [command, parameters, reason, text] of cases) {
    assert.deepEqual(await cloud.user.refused(command, parameters), { code: 431, reason, text });
  }
});

test('names odd commands by their odd envelopes', async () => {
  await using cloud = await TestCloud.start();
  const odd = {
    createLBStickinessPolicy: 'createLBStickine',
    deleteLBStickinessPolicy: 'deleteLBstickinessrrule',
    updateNetworkACLItem: 'createnetworkacl',
  };
  for (const [command, name] of Object.entries(odd)) {
    const { text } = await cloud.user.refused(command, { id: NOBODY, lbruleid: NOBODY });
    assert.match(String(text), new RegExp(`^Unable to execute API command ${name} due to`));
  }
});

test('finds a machine by the number that old clients use', async () => {
  await using cloud = await TestCloud.start();
  const [machine] = await cloud.user.list('listVirtualMachines', { name: 'node-1' });
  const internalId = cloud.simulator.state.virtualMachines.get(String(machine?.['id']))?.internalId;
  const [same] = await cloud.user.list('listVirtualMachines', { id: String(internalId) });
  assert.equal(same?.['id'], machine?.['id']);
});

test('lets any network id pass once there is a project, and only then', async () => {
  await using cloud = await TestCloud.start();
  assert.equal((await cloud.user.refused('listNetworks', { id: NOBODY })).code, 431);
  await cloud.result(cloud.user, 'createProject', { name: 'team-a', displaytext: 'Team A' });
  assert.deepEqual(await cloud.user.call('listNetworks', { id: NOBODY }), {});
  assert.deepEqual(await cloud.user.call('listNetworks', { id: 'k8s-net' }), {});
  assert.equal(
    (await cloud.user.refused('associateIpAddress', { networkid: NOBODY })).text,
    'Unable to find network by network id specified',
  );
  assert.equal((await cloud.user.refused('listPublicIpAddresses', { associatednetworkid: NOBODY })).code, 530);
});

test('reads anything but "true" as false', async () => {
  await using cloud = await TestCloud.start();
  await cloud.result(cloud.user, 'associateIpAddress', { networkid: cloud.id('networks', 'k8s-net') });
  const count = async (issourcenat: string): Promise<number> =>
    (await cloud.user.list('listPublicIpAddresses', { issourcenat })).length;
  assert.deepEqual([await count('TRUE'), await count('yes')], [1, 1]);
});

test('refuses a map whose keys have no index', async () => {
  await using cloud = await TestCloud.start();
  const { code } = await cloud.user.refused('createTags', {
    resourcetype: 'UserVm',
    resourceids: 'x',
    'tags[a].key': 'k',
  });
  assert.equal(code, 430);
});
