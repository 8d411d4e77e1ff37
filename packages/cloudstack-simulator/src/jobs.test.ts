import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { World } from './scene/world.ts';
import { TestCloud, type Fields } from './testing/client.ts';
import { fixedJobTiming, type Timing } from './timing.ts';

function twoNetworks(world: World): void {
  world.zone({ name: 'zone-a' });
  world.account({ name: 'k8s' });
  for (const name of ['net-a', 'net-b']) world.network({ name, owner: 'k8s' });
}

function status(cloud: TestCloud, job: Fields): string | undefined {
  return cloud.simulator.state.jobs.get(String(job['jobid']))?.status;
}

async function associate(cloud: TestCloud, network: string): Promise<Fields> {
  return cloud.user.call('associateIpAddress', { networkid: cloud.id('networks', network) });
}

test('runs the jobs of one network one after the other, and those of different networks at once', async () => {
  await using cloud = await TestCloud.start({ scene: twoNetworks });
  const [first, second, other] = [
    await associate(cloud, 'net-a'),
    await associate(cloud, 'net-a'),
    await associate(cloud, 'net-b'),
  ];
  await cloud.clock.advance(100);
  assert.deepEqual(
    [first, second, other].map((job) => status(cloud, job)),
    ['succeeded', 'pending', 'succeeded'],
  );
  await cloud.clock.advance(100);
  assert.equal(status(cloud, second), 'succeeded');
});

test('shows a pending job without a result, and with the server that works on it', async () => {
  await using cloud = await TestCloud.start({ scene: twoNetworks, version: '4.20' });
  const { jobid, id } = await associate(cloud, 'net-a');
  const pending = await cloud.user.call('queryAsyncJobResult', { jobid: String(jobid) });
  assert.equal(pending['jobstatus'], 0);
  assert.equal(pending['jobresult'], undefined);
  assert.equal(pending['managementserverid'], 90_520_730_001);
  assert.equal(pending['jobinstanceid'], id);
  await cloud.settle();
  const done = await cloud.user.call('queryAsyncJobResult', { jobid: String(jobid) });
  assert.deepEqual([done['jobstatus'], done['jobresultcode'], done['managementserverid']], [1, 0, undefined]);
  assert.equal(done['cmd'], 'org.apache.cloudstack.api.command.user.address.AssociateIPAddrCmd');
});

test('tells a failed job by its code and text, with status 200', async () => {
  await using cloud = await TestCloud.start();
  const job = await cloud.job(cloud.user, 'createTags', {
    resourcetype: 'Unicorn',
    resourceids: 'x',
    'tags[0].key': 'a',
    'tags[0].value': 'b',
  });
  assert.deepEqual(
    [job['jobstatus'], job['jobresultcode'], job['jobresult']],
    [2, 431, { errorcode: 431, errortext: 'Invalid resource type Unicorn' }],
  );
});

test('hides the jobs of others from users, and shows them to those who administer them', async () => {
  await using cloud = await TestCloud.start({
    scene: (world) => {
      twoNetworks(world);
      world.account({ name: 'other' });
    },
  });
  const { jobid } = await associate(cloud, 'net-a');
  const refusal = await cloud.as('other').refused('queryAsyncJobResult', { jobid: String(jobid) });
  assert.equal(refusal.code, 531);
  assert.match(String(refusal.text), /^Account Account \[\{.*\}\] is not authorized to see job id=1$/);
  assert.equal((await cloud.admin.call('queryAsyncJobResult', { jobid: String(jobid) }))['jobstatus'], 0);
});

test('leaves nothing but a status of a job that a restart cuts', async () => {
  await using cloud = await TestCloud.start({ scene: twoNetworks, version: '4.20' });
  const { jobid } = await associate(cloud, 'net-a');
  const waiting = await associate(cloud, 'net-a');
  cloud.simulator.restart();
  const cut = await cloud.user.call('queryAsyncJobResult', { jobid: String(jobid) });
  assert.deepEqual([cut['jobstatus'], cut['jobresultcode'], cut['jobresult']], [2, 530, undefined]);
  assert.equal(cut['managementserverid'], 90_520_730_001);
  assert.equal(status(cloud, waiting), 'failed');
  // The network is free for others again.
  await cloud.result(cloud.user, 'associateIpAddress', { networkid: cloud.id('networks', 'net-a') });
});

test('ends each job once, even if it is cut while it runs', async () => {
  await using cloud = await TestCloud.start({ scene: twoNetworks });
  const job = await associate(cloud, 'net-a');
  await cloud.clock.advance(50);
  cloud.simulator.restart();
  await cloud.clock.advance(1000);
  assert.equal(cloud.simulator.state.jobs.get(String(job['jobid']))?.interrupted, true);
  assert.equal(cloud.simulator.jobs.pending, 0);
});

test('makes jobs slower the more of them wait for one network, if the timing says so', async () => {
  const timing: Timing = { ...fixedJobTiming(100), hindrance: 0.5, takeUp: 30 };
  await using cloud = await TestCloud.start({ scene: twoNetworks, timing });
  const jobs: Fields[] = [];
  for (let count = 0; count < 4; count++) jobs.push(await associate(cloud, 'net-a'));
  await cloud.clock.advance(100);
  assert.equal(status(cloud, jobs[0] ?? {}), 'succeeded');
  // The second one has waited, and two wait behind it, so it takes 230 ms instead of 100.
  await cloud.clock.advance(229);
  assert.equal(status(cloud, jobs[1] ?? {}), 'pending');
  await cloud.clock.advance(1);
  assert.equal(status(cloud, jobs[1] ?? {}), 'succeeded');
});

test('forgets finished jobs after the time set for it', async () => {
  await using cloud = await TestCloud.start({ scene: twoNetworks });
  const { jobid } = await associate(cloud, 'net-a');
  await cloud.settle();
  await cloud.clock.advance(1441 * 60_000);
  await associate(cloud, 'net-b');
  assert.equal((await cloud.user.refused('queryAsyncJobResult', { jobid: String(jobid) })).code, 431);
});

test('lists pending jobs of the account', async () => {
  await using cloud = await TestCloud.start({ scene: twoNetworks });
  const { jobid } = await associate(cloud, 'net-a');
  const [job] = await cloud.user.list('listAsyncJobs');
  assert.equal(job?.['jobid'], jobid);
  await cloud.settle();
  assert.deepEqual(await cloud.user.list('listAsyncJobs'), []);
});
