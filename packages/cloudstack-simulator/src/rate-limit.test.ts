import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCloud } from './testing/client.ts';

async function throttled(version = '4.20'): Promise<TestCloud> {
  const cloud = await TestCloud.start({ version });
  const settings = { throttlingEnabled: true, throttlingMax: 2, throttlingIntervalSeconds: 10 };
  cloud.simulator.conditions.configure(settings);
  return cloud;
}

test('counts calls in a window that starts with the first of them', async () => {
  await using cloud = await throttled();
  await cloud.user.list('listZones');
  await cloud.clock.advance(4000);
  await cloud.user.list('listZones');
  assert.deepEqual(await cloud.user.refused('listZones'), {
    code: 429,
    reason: 9999,
    text: 'The given user has reached his/her account api limit, please retry after [6000] ms.',
  });
  await cloud.clock.advance(6000);
  assert.equal((await cloud.user.list('listZones')).length, 1);
});

test('answers an unknown command with 401 even then', async () => {
  await using cloud = await throttled();
  for (let call = 0; call < 3; call++) await cloud.user.send({ command: 'listZones' });
  assert.equal((await cloud.user.send({ command: 'listUnicorns' })).status, 401);
});

test('spares root from 4.18 on', async () => {
  const last = async (version: string): Promise<number> => {
    await using cloud = await throttled(version);
    for (let call = 0; call < 2; call++) await cloud.admin.send({ command: 'listZones' });
    return (await cloud.admin.send({ command: 'listZones' })).status;
  };
  assert.deepEqual([await last('4.17'), await last('4.18')], [429, 200]);
});

test('tells the limit in the capabilities, and what is left of it', async () => {
  await using cloud = await throttled();
  const { capability } = await cloud.user.call('listCapabilities');
  assert.deepEqual(
    [
      (capability as Record<string, unknown>)['apilimitinterval'],
      (capability as Record<string, unknown>)['apilimitmax'],
    ],
    [10, 2],
  );
  const [limit] = await cloud.user.list('getApiLimit');
  assert.deepEqual([limit?.['apiIssued'], limit?.['apiAllowed']], [2, 0]);
});

test('lets listApis trip the limit by itself', async () => {
  await using cloud = await throttled();
  assert.equal((await cloud.user.refused('listApis')).code, 429);
});
