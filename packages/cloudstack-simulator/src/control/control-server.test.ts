import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCloud } from '../testing/client.ts';
import { routeNames } from './routes.ts';

async function control(cloud: TestCloud, route: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const [method = '', path = ''] = route.split(' ');
  const url = new URL(path, cloud.simulator.controlUrl);
  const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await fetch(url, init);
  return { status: response.status, body: await response.json() };
}

function start(): Promise<TestCloud> {
  return TestCloud.start({ controlPort: 0 });
}

test('adds a fault, lists it with its hits, and takes it away', async () => {
  await using cloud = await start();
  const rule = { command: 'list*', count: 2, action: { kind: 'api-error', code: 530, text: 'broken' } };
  const added = await control(cloud, 'POST /faults', rule);
  assert.equal(added.status, 201);
  assert.equal((await cloud.user.refused('listZones')).text, 'broken');
  assert.deepEqual((await control(cloud, 'GET /faults')).body, [{ id: 1, hits: 1, ...rule }]);
  await control(cloud, 'DELETE /faults/1');
  assert.equal((await cloud.user.list('listZones')).length, 1);
});

test('says which field of a fault is wrong', async () => {
  await using cloud = await start();
  const cases: readonly [unknown, RegExp][] = [
    [{}, /rule\.action must be a mapping/],
    [{ action: { kind: 'earthquake' } }, /rule\.action\.kind must be one of latency, http/],
    [{ action: { kind: 'latency' } }, /rule\.action\.ms is missing/],
    [{ action: { kind: 'latency', ms: 'long' } }, /rule\.action\.ms must be a span/],
    [{ often: 5, action: { kind: 'reset' } }, /rule has no field often/],
    [{ toString: 5, action: { kind: 'reset' } }, /rule has no field toString/],
    [{ action: { kind: 'toString' } }, /rule\.action\.kind must be one of/],
    [{ action: { kind: 'http', status: 0 } }, /rule\.action\.status must be an HTTP status/],
    [{ action: { kind: 'http', status: 200, contentType: 'a\nb' } }, /rule\.action\.contentType must be a text of one/],
    [{ action: { kind: 'api-error', code: 7, text: 'x' } }, /rule\.action\.code must be an HTTP status/],
    [{ action: { kind: 'latency', ms: -1 } }, /rule\.action\.ms must be a span/],
    [{ action: { kind: 'latency', ms: [5, 1] } }, /rule\.action\.ms must be a span/],
    [{ action: { kind: 'slow-job', ms: 1e12 } }, /rule\.action\.ms must be a number of milliseconds/],
    [{ action: { kind: 'list-changes', change: 'burn' } }, /rule\.action\.change must be delete, create or move/],
    [
      { action: { kind: 'list-changes', change: 'move', objects: [1] } },
      /rule\.action\.objects must be a list of texts/,
    ],
    [{ count: 1.5, action: { kind: 'reset' } }, /rule\.count must be a whole number/],
    [{ probability: 7, action: { kind: 'reset' } }, /rule\.probability must be a number from 0 to 1/],
  ];
  for (const [rule, message] of cases) {
    const { status, body } = await control(cloud, 'POST /faults', rule);
    assert.equal(status, 400);
    assert.match((body as { error: string }).error, message);
  }
});

test('keeps snapshots by name, and resets', async () => {
  await using cloud = await start();
  await control(cloud, 'POST /snapshots/clean');
  await cloud.result(cloud.user, 'associateIpAddress', { networkid: cloud.id('networks', 'k8s-net') });
  assert.equal((await cloud.user.list('listPublicIpAddresses')).length, 2);
  await control(cloud, 'POST /snapshots/clean/restore');
  assert.equal((await cloud.user.list('listPublicIpAddresses')).length, 1);
  assert.equal((await control(cloud, 'POST /snapshots/other/restore')).status, 400);
  await control(cloud, 'POST /reset');
  assert.deepEqual((await control(cloud, 'GET /writes')).body, { counts: {}, calls: [] });
});

test('changes clock, settings, keys and routers', async () => {
  await using cloud = await start();
  await control(cloud, 'PUT /settings', { defaultPageSize: 2 });
  assert.equal((await cloud.user.list('listVirtualMachines')).length, 2);
  await control(cloud, 'PUT /clock', { skewMs: -5000 });
  assert.equal(cloud.simulator.conditions.clockSkewMs, -5000);
  await control(cloud, 'PUT /routers/k8s-net', { state: 'Stopped' });
  assert.equal((await cloud.admin.list('listRouters'))[0]?.['state'], 'Stopped');
  await control(cloud, 'PUT /timing', { name: 'recorded' });
  assert.equal((await control(cloud, 'PUT /timing', { name: 'slow' })).status, 400);
  await control(cloud, 'PUT /timing', { name: 'instant' });
  await control(cloud, 'POST /accounts/k8s/move-keys', { to: 'admin' });
  await control(cloud, 'POST /accounts/k8s/revoke-keys');
  assert.equal((await control(cloud, 'POST /accounts/nobody/revoke-keys')).status, 400);
});

test('changes nothing for values that can not be', async () => {
  await using cloud = await start();
  const cases: readonly [string, unknown, RegExp][] = [
    ['PUT /settings', { defaultPageSize: 1.5 }, /settings\.defaultPageSize must be a whole number/],
    ['PUT /settings', { maxAccountPublicIps: -7 }, /settings\.maxAccountPublicIps must be a whole number/],
    ['PUT /clock', { skewMs: 9e15 }, /within a hundred years/],
    ['PUT /routers/k8s-net', { state: 'Exploded' }, /state must be Running or Stopped/],
    ['POST /accounts/%zz/revoke-keys', undefined, /malformed part %zz/],
  ];
  for (const [route, wrong, message] of cases) {
    const { status, body } = await control(cloud, route, wrong);
    assert.equal(status, 400, route);
    assert.match((body as { error: string }).error, message);
  }
  assert.equal((await cloud.user.list('listVirtualMachines')).length, 3);
});

test('restarts the management server', async () => {
  await using cloud = await start();
  const { jobid } = await cloud.user.call('associateIpAddress', { networkid: cloud.id('networks', 'k8s-net') });
  await control(cloud, 'POST /restart');
  assert.equal((await cloud.user.call('queryAsyncJobResult', { jobid: String(jobid) }))['jobstatus'], 2);
});

test('shows calls with counts, and the state by names', async () => {
  await using cloud = await start();
  await cloud.user.list('listZones');
  const { body: calls } = await control(cloud, 'GET /calls');
  assert.deepEqual((calls as { counts: unknown }).counts, { listZones: 1 });
  await control(cloud, 'DELETE /calls');
  const { body } = await control(cloud, 'GET /state');
  const { networks, lastCalls } = body as Record<string, Record<string, unknown>[]>;
  assert.deepEqual([networks?.[0]?.['name'], networks?.[0]?.['router'], lastCalls], ['k8s-net', 'Running', []]);
});

test('knows no other paths', async () => {
  await using cloud = await start();
  assert.equal((await control(cloud, 'GET /nothing')).status, 404);
  assert.ok(routeNames.length > 15);
});

test('serves a page that shows rules with their members, and escapes what users wrote', async () => {
  await using cloud = await start();
  const { user } = cloud;
  const { ipaddress } = await cloud.result(user, 'associateIpAddress', { networkid: cloud.id('networks', 'k8s-net') });
  const rule = { algorithm: 'source', name: '<b>web</b>', publicport: '80', privateport: '30080' };
  await cloud.result(user, 'createLoadBalancerRule', { ...rule, publicipid: (ipaddress as { id: string }).id });
  const members = {
    id: cloud.id('loadBalancerRules', rule.name),
    virtualmachineids: cloud.id('virtualMachines', 'node-2'),
  };
  await cloud.result(user, 'assignToLoadBalancerRule', members);
  const page = await (await fetch(cloud.simulator.controlUrl ?? '')).text();
  assert.match(page, /<h2>Load balancer rules <small>1<\/small><\/h2>/);
  assert.match(page, /<td>&lt;b&gt;web&lt;\/b&gt;<\/td>/);
  assert.match(page, /<td>80 → 30080<\/td>/);
  assert.match(page, /<td>node-2<\/td><td><span class="mark active">Active<\/span><\/td>/);
  const tables = await (await fetch(new URL('/tables', cloud.simulator.controlUrl))).text();
  assert.ok(page.includes(tables.slice(0, 200)));
});

test('says how many there are where it shows only some', async () => {
  await using cloud = await start();
  for (let call = 0; call < 35; call++) await cloud.user.list('listZones');
  const page = await (await fetch(cloud.simulator.controlUrl ?? '')).text();
  assert.match(page, /<h2>Latest calls <small>30 of 35<\/small><\/h2>/);
  assert.match(page, /<h2>Virtual machines <small>3<\/small><\/h2>/);
});
