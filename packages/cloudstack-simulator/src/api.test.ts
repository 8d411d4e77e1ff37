import assert from 'node:assert/strict';
import { test } from 'node:test';
import { content, TestCloud } from './testing/client.ts';

const UNAUTHENTICATED = 'unable to verify user credentials and/or request signature';

test('answers a signed GET and a signed POST alike', async () => {
  await using cloud = await TestCloud.start();
  const [get, post] = await Promise.all([
    cloud.user.send({ command: 'listZones' }),
    cloud.user.send({ command: 'listZones' }, 'POST'),
  ]);
  assert.equal(get.status, 200);
  assert.equal(post.text, get.text);
  assert.equal(get.headers.get('content-type'), 'application/json;charset=utf-8');
});

test('answers in XML unless JSON is asked for in lower-case letters', async () => {
  await using cloud = await TestCloud.start();
  const xml = await cloud.user.send({ command: 'listZones', response: 'xml' });
  assert.match(xml.text, /^<\?xml version="1.0" encoding="UTF-8"\?><listzonesresponse cloud-stack-version="/);
  assert.equal(xml.headers.get('content-type'), 'text/xml;charset=utf-8');
  assert.match((await cloud.user.send({ command: 'listZones', response: 'JSON' })).text, /^\{"listzonesresponse"/);
});

test('refuses in the order of the real server: command, keys, expiry, role, signature', async () => {
  await using cloud = await TestCloud.start();
  const cases: readonly [Record<string, string>, number, string][] = [
    [{}, 401, 'null'],
    [{ command: 'listUnicorns' }, 401, 'errorresponse'],
    [{ command: 'listZones', signature: 'AAAA' }, 401, 'listzonesresponse'],
    [{ command: 'listZones', apiKey: 'unknown' }, 401, 'listzonesresponse'],
    [{ command: 'listZones', signatureversion: '3' }, 401, 'listzonesresponse'],
    // The role is looked at before the signature.
    [{ command: 'listHosts', signature: 'AAAA' }, 432, 'errorresponse'],
  ];
  for (const [parameters, status, envelope] of cases) {
    const answer = await cloud.user.send(parameters);
    assert.equal(answer.status, status, JSON.stringify(parameters));
    assert.deepEqual(Object.keys(JSON.parse(answer.text) as object), [envelope]);
    if (status === 401) assert.equal(content(answer.text)['errortext'], UNAUTHENTICATED);
  }
});

test('says nothing more on a 401 than its text', async () => {
  await using cloud = await TestCloud.start();
  const answer = await cloud.user.send({ command: 'listZones', signature: 'wrong' });
  assert.equal(answer.headers.get('x-description'), null);
  assert.deepEqual(content(answer.text), { uuidList: [], errorcode: 401, errortext: UNAUTHENTICATED });
});

test('repeats other errors in a header', async () => {
  await using cloud = await TestCloud.start();
  const answer = await cloud.user.send({ command: 'listZones', page: '1' });
  assert.equal(answer.status, 431);
  assert.equal(answer.headers.get('x-description'), '"pagesize" parameter is required when "page" is specified');
});

test('honours expires with signature version 3 only', async () => {
  await using cloud = await TestCloud.start();
  const soon = new Date(cloud.clock.now() + 60_000).toISOString();
  const past = new Date(cloud.clock.now() - 1000).toISOString();
  const status = async (parameters: Record<string, string>): Promise<number> =>
    (await cloud.user.send({ command: 'listZones', ...parameters })).status;
  assert.equal(await status({ signatureversion: '3', expires: soon }), 200);
  assert.equal(await status({ signatureversion: '3', expires: past }), 401);
  assert.equal(await status({ signatureversion: '2', expires: past }), 200);
  cloud.simulator.conditions.skewClock(120_000);
  assert.equal(await status({ signatureversion: '3', expires: soon }), 401);
});

test('can insist on POST and on timestamps', async () => {
  await using cloud = await TestCloud.start();
  cloud.simulator.conditions.configure({ enforcePostAndTimestamps: true });
  const expires = new Date(cloud.clock.now() + 60_000).toISOString();
  const dated = { signatureversion: '3', expires };
  const create = { command: 'createTags', resourcetype: 'UserVm', resourceids: 'x', 'tags[0].key': 'a', ...dated };
  assert.equal((await cloud.user.send({ command: 'listZones' })).status, 401);
  assert.equal((await cloud.user.send({ command: 'listZones', ...dated })).status, 200);
  assert.equal((await cloud.user.send(create)).status, 401);
  assert.equal((await cloud.user.send(create, 'POST')).status, 200);
});

test('takes other methods than GET, HEAD and POST for mistakes, without a word', async () => {
  await using cloud = await TestCloud.start();
  for (const method of ['PUT', 'DELETE']) {
    const answer = await cloud.user.send({ command: 'listZones' }, method);
    assert.deepEqual([answer.status, answer.text], [405, '']);
  }
  assert.equal((await cloud.user.send({ command: 'listZones' }, 'HEAD')).status, 200);
});

test('ignores parameters it does not know, and those reserved for root', async () => {
  await using cloud = await TestCloud.start();
  assert.equal((await cloud.user.list('listZones', { nosuch: '1' })).length, 1);
  assert.equal((await cloud.user.list('listLoadBalancerRules', { fordisplay: 'false' })).length, 0);
});

test('refuses disabled and locked accounts', async () => {
  await using cloud = await TestCloud.start();
  const { id } = cloud.simulator.credentials.get('k8s')?.account ?? { id: '' };
  for (const state of ['disabled', 'locked'] as const) {
    cloud.simulator.state.accounts.update(id, { state });
    assert.equal((await cloud.user.send({ command: 'listZones' })).status, 401);
  }
});

test('lets a custom role allow and deny single commands', async () => {
  await using cloud = await TestCloud.start({
    version: '4.20',
    scene: (world) => {
      world.zone({ name: 'zone-a' });
      const rules = [
        { command: 'listManagementServersMetrics', allow: true },
        { command: 'list*Policies', allow: false },
      ];
      world.account({ name: 'k8s', rules });
    },
  });
  assert.equal((await cloud.user.list('listManagementServersMetrics')).length, 1);
  const denied = await cloud.user.refused('listLBStickinessPolicies');
  assert.equal(denied.code, 432);
  assert.match(String(denied.text), /^The API \[listLBStickinessPolicies\] does not exist or is not available/);
});

test('masks inner errors for everybody but root', async () => {
  await using cloud = await TestCloud.start();
  const [free] = await cloud.user.list('listPublicIpAddresses', { state: 'Free', page: '1', pagesize: '1' });
  const id = String(free?.['id']);
  const asUser = await cloud.user.refused('disassociateIpAddress', { id });
  assert.equal(asUser.text, 'Internal error executing command, please contact your system administrator');
  const asRoot = await cloud.admin.refused('disassociateIpAddress', { id });
  assert.match(String(asRoot.text), /is not allocated/);
});

test('keeps calls and writes in logs, without keys and signatures', async () => {
  await using cloud = await TestCloud.start();
  const { user, simulator } = cloud;
  await user.list('listZones');
  const network = cloud.id('networks', 'k8s-net');
  await user.call('associateIpAddress', { networkid: network });
  await user.refused('createFirewallRule', { protocol: 'tcp' });
  await user.send({ command: 'createTags', signature: 'wrong' });
  assert.deepEqual(simulator.callLog.counts, {
    associateIpAddress: 1,
    createFirewallRule: 1,
    createTags: 1,
    listZones: 1,
  });
  const [first, second, ...others] = simulator.writeLog.entries;
  assert.equal(first?.account, 'k8s');
  assert.deepEqual(first?.parameters, { networkid: network });
  assert.equal(first?.outcome.status, 200);
  assert.ok(first?.outcome.jobId);
  assert.equal(
    second?.outcome.errorText,
    'Unable to execute API command createfirewallrule due to missing parameter ipaddressid',
  );
  assert.deepEqual(others, []);
  const { apiKey = '' } = simulator.credentials.get('k8s') ?? {};
  assert.ok(!JSON.stringify(simulator.callLog.entries).includes(apiKey));
});
