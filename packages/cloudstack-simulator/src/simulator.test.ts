import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSimulator } from './simulator.ts';
import { TestCloud } from './testing/client.ts';

test('remembers a state and puts it back', async () => {
  await using cloud = await TestCloud.start();
  const { simulator, user } = cloud;
  const networkid = cloud.id('networks', 'k8s-net');
  await cloud.result(user, 'associateIpAddress', { networkid });
  const snapshot = simulator.snapshot();
  await cloud.result(user, 'associateIpAddress', { networkid });
  await cloud.result(user, 'destroyVirtualMachine', { id: cloud.id('virtualMachines', 'node-1') });
  simulator.restore(snapshot);
  assert.equal((await user.list('listPublicIpAddresses')).length, 2);
  assert.equal((await user.list('listVirtualMachines', { name: 'node-1' }))[0]?.['state'], 'Running');
});

test('counts jobs that a restored state has pending as interrupted', async () => {
  await using cloud = await TestCloud.start();
  const { jobid } = await cloud.user.call('associateIpAddress', { networkid: cloud.id('networks', 'k8s-net') });
  cloud.simulator.restore(cloud.simulator.snapshot());
  await cloud.clock.advance(1000);
  const job = await cloud.user.call('queryAsyncJobResult', { jobid: String(jobid) });
  assert.deepEqual([job['jobstatus'], job['jobresult']], [2, undefined]);
});

test('goes back to its scene, without faults, skew and logs', async () => {
  await using cloud = await TestCloud.start();
  const { simulator, user } = cloud;
  await cloud.result(user, 'associateIpAddress', { networkid: cloud.id('networks', 'k8s-net') });
  simulator.faults.add({ action: { kind: 'http', status: 500 } });
  simulator.conditions.skewClock(1000);
  simulator.conditions.configure({ defaultPageSize: 1 });
  simulator.reset();
  assert.equal((await user.list('listPublicIpAddresses')).length, 1);
  assert.equal((await user.list('listVirtualMachines')).length, 3);
  assert.equal(simulator.conditions.clockSkewMs, 0);
  assert.deepEqual(simulator.writeLog.entries, []);
});

test('gives the same ids and keys for the same seed', async () => {
  const keys = async (seed: number): Promise<string | undefined> => {
    await using cloud = await TestCloud.start({ seed });
    return cloud.simulator.credentials.get('k8s')?.apiKey;
  };
  assert.equal(await keys(5), await keys(5));
  assert.notEqual(await keys(5), await keys(6));
});

test('refuses a release and a timing that it does not know', async () => {
  await assert.rejects(startSimulator({ version: '3.0' }), /no profile for CloudStack 3\.0/);
  await assert.rejects(startSimulator({ timing: 'slow' as 'instant' }), /no timing profile slow/);
});

test('ends at once, whatever is under way', async () => {
  const cloud = await TestCloud.start();
  cloud.simulator.faults.add({ action: { kind: 'hang' } });
  const call = cloud.user.send({ command: 'listZones' });
  while (cloud.simulator.faults.list()[0]?.hits === 0) await new Promise((resolve) => setImmediate(resolve));
  await cloud.simulator.close();
  await assert.rejects(call);
});
