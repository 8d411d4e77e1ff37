import assert from 'node:assert/strict';
import { test } from 'node:test';
import { content, TestCloud } from './testing/client.ts';

async function login(cloud: TestCloud, password = 'password', method = 'POST'): Promise<Response> {
  const body = new URLSearchParams({
    command: 'login',
    username: 'k8s',
    password,
    domain: '/tenants',
    response: 'json',
  });
  return method === 'POST'
    ? fetch(cloud.simulator.url, { method, body })
    : fetch(`${cloud.simulator.url}?${body.toString()}`);
}

async function listZones(cloud: TestCloud, cookie: string, sessionkey?: string): Promise<Response> {
  const query = new URLSearchParams({
    command: 'listZones',
    response: 'json',
    ...(sessionkey !== undefined && { sessionkey }),
  });
  return fetch(`${cloud.simulator.url}?${query.toString()}`, { headers: { cookie } });
}

function cookies(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

test('opens a session that works by cookies or by cookie and key', async () => {
  await using cloud = await TestCloud.start();
  const answer = await login(cloud);
  const { sessionkey, account, type, timeout } = content(await answer.text());
  assert.deepEqual([account, type, timeout], ['k8s', '0', 1800]);
  const cookie = cookies(answer);
  assert.equal((await listZones(cloud, cookie)).status, 200);
  assert.equal((await listZones(cloud, cookie, String(sessionkey))).status, 200);
});

test('ends the session at the first wrong key', async () => {
  await using cloud = await TestCloud.start();
  const cookie = cookies(await login(cloud));
  const wrong = await listZones(cloud, cookie, 'wrong');
  assert.equal(content(await wrong.text())['errortext'], 'unable to verify user credentials');
  assert.equal((await listZones(cloud, cookie)).status, 401);
});

test('ends a session that nobody uses', async () => {
  await using cloud = await TestCloud.start();
  const cookie = cookies(await login(cloud));
  await cloud.clock.advance(31 * 60_000);
  assert.equal((await listZones(cloud, cookie)).status, 401);
});

test('refuses a wrong password, and a login by GET', async () => {
  await using cloud = await TestCloud.start();
  const refused = await login(cloud, 'wrong');
  assert.equal(refused.status, 531);
  assert.equal(
    content(await refused.text())['errortext'],
    'Failed to authenticate user k8s in domain 2; please provide valid credentials',
  );
  assert.equal(refused.headers.get('x-description'), null);
  const get = await login(cloud, 'password', 'GET');
  assert.deepEqual([get.status, await get.text()], [405, 'Please use HTTP POST to authenticate using this API']);
});
