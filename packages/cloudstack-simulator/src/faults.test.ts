import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Faults } from './faults.ts';
import { Random } from './random.ts';
import { TestCloud, type Fields } from './testing/client.ts';

const FAIL = { kind: 'api-error', code: 530, text: 'broken' } as const;

function strikes(faults: Faults, calls: number, command = 'listZones'): boolean[] {
  return Array.from({ length: calls }, () => faults.forRequest(command, 'k8s') !== undefined);
}

test('lets calls pass first, then strikes as often as it is told', () => {
  const faults = new Faults(new Random(1));
  faults.add({ skip: 1, count: 2, action: FAIL });
  assert.deepEqual(strikes(faults, 5), [false, true, true, false, false]);
  assert.equal(faults.list()[0]?.hits, 2);
});

test('strikes by command, with stars for any letters', () => {
  const faults = new Faults(new Random(1));
  faults.add({ command: '*LoadBalancerRule', action: FAIL });
  assert.deepEqual(strikes(faults, 1, 'createLoadBalancerRule'), [true]);
  assert.deepEqual(strikes(faults, 1, 'listLoadBalancerRules'), [false]);
});

test('strikes by account', () => {
  const faults = new Faults(new Random(1));
  faults.add({ account: 'other', action: FAIL });
  assert.deepEqual(strikes(faults, 1), [false]);
});

test('strikes by chance, the same for the same seed', () => {
  const run = (seed: number): boolean[] => {
    const faults = new Faults(new Random(seed));
    faults.add({ probability: 0.5, action: FAIL });
    return strikes(faults, 40);
  };
  assert.deepEqual(run(7), run(7));
  assert.notDeepEqual(run(7), run(8));
  const hits = run(7).filter(Boolean).length;
  assert.ok(hits > 8 && hits < 32, `${hits}`);
});

test('ends when it is removed', () => {
  const faults = new Faults(new Random(1));
  const id = faults.add({ action: FAIL });
  faults.remove(id);
  assert.deepEqual(strikes(faults, 1), [false]);
});

test('answers with an error of the API, of a proxy, or of the rate limit', async () => {
  await using cloud = await TestCloud.start();
  const { faults } = cloud.simulator;
  faults.add({ count: 1, action: { kind: 'api-error', code: 534, text: 'Unable to reach the router' } });
  assert.equal((await cloud.user.refused('listZones')).text, 'Unable to reach the router');
  faults.add({ count: 1, action: { kind: 'http', status: 502 } });
  const page = await cloud.user.send({ command: 'listZones' });
  assert.deepEqual([page.status, page.headers.get('content-type')], [502, 'text/html']);
  faults.add({ count: 1, action: { kind: 'rate-limit', retryMs: 300 } });
  assert.deepEqual(await cloud.user.refused('listZones'), {
    code: 429,
    reason: 9999,
    text: 'The given user has reached his/her account api limit, please retry after [300] ms.',
  });
  assert.equal((await cloud.user.list('listZones')).length, 1);
});

test('resets the connection before anything happens', async () => {
  await using cloud = await TestCloud.start();
  cloud.simulator.faults.add({ count: 1, action: { kind: 'reset' } });
  await assert.rejects(cloud.user.send({ command: 'associateIpAddress', networkid: cloud.id('networks', 'k8s-net') }));
  assert.equal(cloud.simulator.writeLog.entries.length, 0);
});

test('loses the answer of a call that was carried out', async () => {
  await using cloud = await TestCloud.start();
  cloud.simulator.faults.add({ count: 1, action: { kind: 'lost-answer' } });
  await assert.rejects(cloud.user.send({ command: 'associateIpAddress', networkid: cloud.id('networks', 'k8s-net') }));
  assert.equal(cloud.simulator.writeLog.entries.length, 1);
});

test('cuts a body in the middle, spoils it, or leaves it out', async () => {
  await using cloud = await TestCloud.start();
  const { faults } = cloud.simulator;
  faults.add({ count: 1, action: { kind: 'cut-body' } });
  await assert.rejects(cloud.user.send({ command: 'listZones' }));
  faults.add({ count: 1, action: { kind: 'invalid-body' } });
  const spoilt = await cloud.user.send({ command: 'listZones' });
  assert.throws(() => JSON.parse(spoilt.text) as unknown);
  faults.add({ count: 1, action: { kind: 'empty-body' } });
  const empty = await cloud.user.send({ command: 'listZones' });
  assert.deepEqual([empty.status, empty.text], [200, '']);
});

test('answers later', async () => {
  await using cloud = await TestCloud.start();
  cloud.simulator.faults.add({ action: { kind: 'latency', ms: 5000 } });
  let answered = false;
  const call = cloud.user.send({ command: 'listZones' }).then(() => (answered = true));
  while (cloud.clock.timers === 0) await new Promise((resolve) => setImmediate(resolve));
  await cloud.clock.advance(4999);
  assert.equal(answered, false);
  await cloud.clock.advance(1);
  await call;
});

test('lets a job fail before it did anything, or when it has done all', async () => {
  await using cloud = await TestCloud.start();
  const { faults, state } = cloud.simulator;
  const networkid = cloud.id('networks', 'k8s-net');
  const fails = { kind: 'job-fails', code: 530, text: 'no luck' } as const;
  faults.add({ count: 1, command: 'disassociateIpAddress', action: fails });
  faults.add({ count: 1, command: 'disassociateIpAddress', action: { ...fails, afterwards: true } });
  const { ipaddress } = await cloud.result(cloud.user, 'associateIpAddress', { networkid });
  const { id } = ipaddress as { id: string };
  assert.deepEqual(await cloud.failure(cloud.user, 'disassociateIpAddress', { id }), { code: 530, text: 'no luck' });
  assert.equal(state.publicIps.get(id)?.state, 'Allocated');
  assert.equal((await cloud.failure(cloud.user, 'disassociateIpAddress', { id })).text, 'no luck');
  assert.equal(state.publicIps.get(id)?.state, 'Free');
});

test('lets a failing job clean up: an address that could not be taken is free again', async () => {
  await using cloud = await TestCloud.start();
  const { faults, state } = cloud.simulator;
  const networkid = cloud.id('networks', 'k8s-net');
  const taken = () => state.publicIps.filter(({ state: ipState }) => ipState !== 'Free').length;
  const before = taken();
  faults.add({ count: 1, command: 'associateIpAddress', action: { kind: 'job-fails', code: 530, text: 'no luck' } });
  const failure = await cloud.failure(cloud.user, 'associateIpAddress', { networkid });
  assert.deepEqual(failure, { code: 530, text: 'no luck' });
  assert.equal(taken(), before);
});

test('lets a job hang, and all that waits behind it until CloudStack cancels the one that hangs', async () => {
  await using cloud = await TestCloud.start();
  cloud.simulator.faults.add({ count: 1, action: { kind: 'job-hangs' } });
  const networkid = cloud.id('networks', 'k8s-net');
  const hung = await cloud.user.call('associateIpAddress', { networkid });
  const behind = await cloud.user.call('associateIpAddress', { networkid });
  await cloud.clock.advance(3_599_000);
  assert.equal(cloud.simulator.jobs.pending, 2);
  await cloud.clock.advance(1000);
  await cloud.settle();
  const outcome = async ({ jobid }: Fields): Promise<readonly unknown[]> => {
    const job = await cloud.user.call('queryAsyncJobResult', { jobid: String(jobid) });
    return [job['jobstatus'], job['jobresultcode'], typeof job['jobresult'], job['managementserverid']];
  };
  assert.deepEqual(await outcome(hung), [2, 0, 'undefined', undefined]);
  assert.deepEqual(await outcome(behind), [1, 0, 'object', undefined]);
});

test('forgets what hangs, and what came after it, when its time has come', async () => {
  await using cloud = await TestCloud.start();
  const { user, simulator } = cloud;
  simulator.faults.add({ count: 1, action: { kind: 'job-hangs' } });
  const tag = { resourcetype: 'Network', resourceids: cloud.id('networks', 'k8s-net'), 'tags[0].value': 'x' };
  const hung = await user.call('createTags', { ...tag, 'tags[0].key': 'a' });
  await user.call('createTags', { ...tag, 'tags[0].key': 'b' });
  await cloud.clock.advance(1000);
  assert.equal(simulator.jobs.pending, 1);
  await cloud.clock.advance(1440 * 60_000);
  await user.call('createTags', { ...tag, 'tags[0].key': 'c' });
  assert.equal(simulator.state.jobs.size, 1);
  assert.equal((await user.refused('queryAsyncJobResult', { jobid: String(hung['jobid']) })).code, 431);
});

test('ends the server in the middle of a job: what was done stays', async () => {
  await using cloud = await TestCloud.start();
  const { user, simulator } = cloud;
  const networkid = cloud.id('networks', 'k8s-net');
  const { ipaddress } = await cloud.result(user, 'associateIpAddress', { networkid });
  const rule = { algorithm: 'source', name: 'web', publicport: '80', privateport: '30080' };
  await cloud.result(user, 'createLoadBalancerRule', { ...rule, publicipid: (ipaddress as { id: string }).id });
  simulator.faults.add({ count: 1, action: { kind: 'job-interrupted' } });
  const members = {
    id: cloud.id('loadBalancerRules', 'web'),
    virtualmachineids: cloud.id('virtualMachines', 'node-1'),
  };
  const job = await cloud.job(user, 'assignToLoadBalancerRule', members);
  assert.deepEqual([job['jobstatus'], job['jobresult']], [2, undefined]);
  const [shown] = await user.list('listLoadBalancerRules');
  assert.equal(shown?.['state'], 'Add');
  assert.equal((await user.list('listLoadBalancerRuleInstances', { id: members.id })).length, 1);
  assert.equal(
    (await cloud.failure(user, 'assignToLoadBalancerRule', members)).text,
    'Failed to assign load balancer rule',
  );
});

test('refuses to change anything when read-only', async () => {
  await using cloud = await TestCloud.start();
  cloud.simulator.faults.add({ action: { kind: 'read-only' } });
  assert.equal((await cloud.user.list('listZones')).length, 1);
  assert.equal((await cloud.user.refused('associateIpAddress', { networkid: 'x' })).code, 530);
});

test('forgets revoked keys until they come back, and moves keys to another account', async () => {
  await using cloud = await TestCloud.start({
    scene: (world) => {
      world.zone({ name: 'zone-a' });
      world.account({ name: 'k8s' });
      world.account({ name: 'other' });
      world.network({ name: 'net', owner: 'k8s' });
    },
  });
  const { conditions } = cloud.simulator;
  const restore = conditions.revokeKeys('k8s');
  assert.equal((await cloud.user.send({ command: 'listZones' })).status, 401);
  restore();
  assert.equal((await cloud.user.list('listNetworks')).length, 1);
  const back = conditions.moveKeys('k8s', 'other');
  assert.deepEqual(await cloud.user.list('listNetworks'), []);
  back();
  assert.equal((await cloud.user.list('listNetworks')).length, 1);
});
