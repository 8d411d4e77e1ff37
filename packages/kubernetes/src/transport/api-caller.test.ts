import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  createLogger,
  createMetrics,
  DeadlineExceededError,
  FakeClock,
  type LogRecord,
  Scope,
  silentLogger,
} from '@cloudstack-ccm/base';
import { FileToken } from '../auth/token-source.ts';
import { ConnectionError, DecodeError, StatusError } from '../errors.ts';
import type { KubernetesClient, KubernetesClientOptions } from '../kubernetes-client.ts';
import { jsonPatch, mergePatch } from '../patch.ts';
import { nodeJson, nodeListJson } from '../testing/objects.ts';
import { ScriptedServer } from '../testing/scripted-server.ts';
import { until } from '../testing/until.ts';

interface World extends AsyncDisposable {
  readonly clock: FakeClock;
  readonly scope: Scope;
  readonly server: ScriptedServer;
  readonly client: KubernetesClient;
}

async function setUp(options: Partial<KubernetesClientOptions> = {}): Promise<World> {
  const clock = new FakeClock();
  const server = await ScriptedServer.start();
  return {
    clock,
    scope: Scope.root(clock),
    server,
    client: server.client(clock, options),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Asks for node a, and gives the outcome whichever it is: a promise that nobody awaits yet must not go unhandled. */
function getNode({ client, scope }: World): Promise<unknown> {
  return client.nodes.get(scope, { name: 'a' }).then(
    (node) => node,
    (thrown: unknown) => thrown,
  );
}

/** Moves the clock once the client sleeps: its own deadline is the other timer. */
async function passPause(clock: FakeClock, ms: number): Promise<void> {
  await until(() => clock.timers === 2, 'the client waits before it tries again');
  await clock.advance(ms);
}

function isNode(value: unknown): void {
  assert.ok(typeof value === 'object' && value !== null && 'metadata' in value, String(value));
}

describe('a call to the API server', () => {
  it('says who asks and takes JSON only', async () => {
    await using world = await setUp();
    const node = getNode(world);
    const request = await world.server.next();
    assert.equal(request.path, '/api/v1/nodes/a');
    assert.equal(request.headers['user-agent'], 'test/v1');
    assert.equal(request.headers.authorization, 'Bearer t0ken');
    assert.equal(request.headers.accept, 'application/json');
    request.json(nodeJson('a', '1'));
    isNode(await node);

    const named = world.client.named('service-controller').nodes.get(world.scope, { name: 'a' });
    const second = await world.server.next();
    assert.equal(second.headers['user-agent'], 'test/v1/service-controller');
    second.json(nodeJson('a', '1'));
    await named;
    assert.equal(world.server.connections, 1);
  });

  it('turns a Status into a typed error', async () => {
    await using world = await setUp();
    const outcome = getNode(world);
    (await world.server.next()).refuse(404, 'NotFound', {}, { name: 'a', kind: 'nodes' });
    const error = await outcome;
    assert.ok(error instanceof StatusError);
    assert.equal(error.isNotFound, true);
    assert.equal(error.message, 'NotFound says the server');
    assert.deepEqual([error.details.kind, error.details.name], ['nodes', 'a']);
  });

  it('makes do with an answer that is no Status, and quotes only its start', async () => {
    await using world = await setUp();
    const outcome = getNode(world);
    (await world.server.next()).text(`<html>\n  bad gateway ${'x'.repeat(5000)}`, 502);
    const error = await outcome;
    assert.ok(error instanceof StatusError);
    assert.equal(error.httpStatus, 502);
    assert.match(error.message, /^GET \/api\/v1\/nodes\/a was answered with HTTP 502: <html> bad gateway x+$/);
    assert.ok(error.message.length < 300);
  });

  it('names the path of what it cannot decode', async () => {
    await using world = await setUp();
    const outcome = getNode(world);
    (await world.server.next()).json(nodeJson('a', '1', { spec: { taints: [{ key: 'k' }, { key: 7 }] } }));
    const error = await outcome;
    assert.ok(error instanceof DecodeError);
    assert.equal(error.message, 'Node.spec.taints[1].key should be a string, but is a number');
  });

  it('never asks for an object without a name: that would be the collection', async () => {
    await using world = await setUp();
    await assert.rejects(world.client.nodes.get(world.scope, { name: '' }), /without a name/);
    await assert.rejects(world.client.nodes.delete(world.scope, { name: '' }), /without a name/);
  });
});

describe('a call that is refused for the moment', () => {
  it('is sent again after the pause the server asks for', async () => {
    await using world = await setUp();
    const outcome = getNode(world);
    (await world.server.next()).refuse(429, 'TooManyRequests', { 'retry-after': '3' });
    await passPause(world.clock, 2999);
    assert.equal(world.server.unanswered, 0);
    await world.clock.advance(1);
    (await world.server.next()).refuse(503, 'ServiceUnavailable', { 'retry-after': '1' });
    await passPause(world.clock, 1000);
    (await world.server.next()).json(nodeJson('a', '1'));
    isNode(await outcome);
  });

  it('is sent again 10 times at most', async () => {
    await using world = await setUp();
    const outcome = getNode(world);
    for (let retry = 0; retry < 10; retry++) {
      (await world.server.next()).refuse(500, 'InternalError', { 'retry-after': '1' });
      await passPause(world.clock, 1000);
    }
    (await world.server.next()).refuse(500, 'InternalError', { 'retry-after': '1' });
    assert.ok((await outcome) instanceof StatusError);
    assert.equal(world.server.unanswered, 0);
  });

  it('fails with the server words when the pause would outlast the deadline', async () => {
    await using world = await setUp();
    const outcome = getNode(world);
    (await world.server.next()).refuse(429, 'TooManyRequests', { 'retry-after': '60' });
    const error = await outcome;
    assert.ok(error instanceof StatusError && error.isTooManyRequests);
  });

  it('is not sent again without a Retry-After, nor for other codes', async () => {
    await using world = await setUp();
    for (const [code, reason, headers] of [
      [500, 'InternalError', {}],
      [409, 'Conflict', { 'retry-after': '1' }],
    ] as const) {
      const outcome = getNode(world);
      (await world.server.next()).refuse(code, reason, headers);
      assert.ok((await outcome) instanceof StatusError);
    }
    assert.equal(world.server.unanswered, 0);
  });
});

describe('a call whose connection breaks', () => {
  async function useConnection(world: World): Promise<void> {
    const first = getNode(world);
    (await world.server.next()).json(nodeJson('a', '1'));
    isNode(await first);
  }

  it('is replayed at once when an idle connection turns out to be closed', async () => {
    await using world = await setUp();
    await useConnection(world);
    const outcome = getNode(world);
    (await world.server.next()).reset();
    (await world.server.next()).json(nodeJson('a', '2'));
    isNode(await outcome);
    assert.equal(world.clock.monotonic(), 0);
  });

  it('is sent again after a second when it reads, on a fresh connection', async () => {
    await using world = await setUp();
    const outcome = getNode(world);
    (await world.server.next()).reset();
    await passPause(world.clock, 1000);
    (await world.server.next()).json(nodeJson('a', '2'));
    isNode(await outcome);
  });

  it('is never sent twice when it creates, or when a JSON patch could be applied twice', async () => {
    await using world = await setUp();
    const { client, scope, server } = world;
    const writes = [
      () => client.events.create(scope, 'default', {}),
      () => client.nodes.patch(scope, { name: 'a' }, jsonPatch([{ op: 'add', path: '/spec/taints/-', value: {} }])),
    ];
    for (const write of writes) {
      await useConnection(world);
      const outcome = write().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      (await server.next()).reset();
      const error = await outcome;
      assert.ok(error instanceof ConnectionError && error.isReset && error.reusedSocket);
    }
    assert.equal(server.unanswered, 0);
  });

  it('is replayed when a merge patch met a closed idle connection', async () => {
    await using world = await setUp();
    await useConnection(world);
    const patched = world.client.nodes.patch(
      world.scope,
      { name: 'a' },
      mergePatch({ metadata: { labels: { a: 'b' } } }),
    );
    (await world.server.next()).reset();
    const again = await world.server.next();
    assert.equal(again.headers['content-type'], 'application/merge-patch+json');
    assert.equal(again.body, '{"metadata":{"labels":{"a":"b"}}}');
    again.json(nodeJson('a', '2'));
    await patched;
  });

  it('tells that nobody listens, without the token', async () => {
    const server = await ScriptedServer.start();
    const clock = new FakeClock();
    const client = server.client(clock);
    await server[Symbol.asyncDispose]();
    await assert.rejects(client.nodes.get(Scope.root(clock), { name: 'a' }), (error: ConnectionError) => {
      assert.ok(error.isRefused);
      assert.match(error.message, /^GET \/api\/v1\/nodes\/a: .*ECONNREFUSED/);
      assert.ok(!JSON.stringify(error).includes('t0ken'));
      return true;
    });
    client.close();
  });

  it('fails when the body is cut off', async () => {
    await using world = await setUp();
    const outcome = getNode(world);
    const request = await world.server.next();
    request.begin({ 'content-length': '1000' });
    request.write('{"kind":"Node"');
    await world.clock.advance(0);
    request.reset();
    assert.ok((await outcome) instanceof ConnectionError);
  });
});

describe('the one deadline of a call', () => {
  it('covers a server that never answers', async () => {
    await using world = await setUp();
    const outcome = getNode(world);
    const request = await world.server.next();
    await world.clock.advance(30_000);
    assert.ok((await outcome) instanceof DeadlineExceededError);
    await request.closed();
    assert.equal(world.clock.timers, 0);
  });

  it('covers a body that trickles', async () => {
    await using world = await setUp();
    const outcome = getNode(world);
    const request = await world.server.next();
    request.begin();
    for (let second = 0; second < 30; second++) {
      request.write(' ');
      await world.clock.advance(1000);
    }
    const error = await outcome;
    assert.ok(error instanceof DeadlineExceededError);
    assert.equal(error.message, 'GET /api/v1/nodes/a did not finish within 30 s');
    await request.closed();
  });

  it('covers the wait for the rate limit', async () => {
    await using world = await setUp({ qps: 0.01, burst: 1 });
    const first = getNode(world);
    (await world.server.next()).json(nodeJson('a', '1'));
    await first;
    const outcome = getNode(world);
    await world.clock.advance(30_000);
    assert.ok((await outcome) instanceof DeadlineExceededError);
    assert.equal(world.server.unanswered, 0);
  });

  it('covers the wait for one of the 64 connections', async () => {
    await using world = await setUp();
    const hanging = Array.from({ length: 64 }, () => getNode(world));
    for (let arrived = 0; arrived < 64; arrived++) await world.server.next();
    const late = getNode({ ...world, client: world.client.named('late', { timeoutMs: 1000 }) });
    await world.clock.advance(1000);
    assert.ok((await late) instanceof DeadlineExceededError);
    assert.equal(world.server.unanswered, 0);
    await world.clock.advance(29_000);
    await Promise.all(hanging);
  });

  it('gives way to the end of the scope', async () => {
    await using world = await setUp();
    const own = world.scope.child();
    const outcome = getNode({ ...world, scope: own });
    const request = await world.server.next();
    const reason = new Error('enough');
    own.cancel(reason);
    assert.equal(await outcome, reason);
    await request.closed();
    assert.equal(world.clock.timers, 0);
  });
});

describe('the transport', () => {
  it('refuses an answer that is too long to hold', async () => {
    await using world = await setUp();
    const outcome = getNode(world);
    const request = await world.server.next();
    request.begin();
    const megabyte = ' '.repeat(1024 * 1024);
    for (let written = 0; written < 17; written++) request.write(megabyte);
    const error = await outcome;
    assert.ok(error instanceof DecodeError);
    assert.match(error.message, /longer than 16777216 bytes/);
    await request.closed();
  });

  it('keeps watches off the connections of calls', async () => {
    await using world = await setUp();
    const outcome = getNode(world);
    const call = await world.server.next();
    call.json(nodeJson('a', '1'));
    isNode(await outcome);
    const watch = world.client.nodes.watch(world.scope, { timeoutSeconds: 300 });
    const first = watch.next();
    const open = await world.server.next();
    assert.notEqual(open.socket, call.socket, 'the idle connection of the call is left for calls');
    open.begin();
    open.event('ADDED', nodeJson('a', '1'));
    assert.equal((await first).value?.type, 'ADDED');
    await watch.return();
    await open.closed();
  });

  it('reads the token file again when the token is refused, and gives up when the new one is too', async (test) => {
    const folder = await mkdtemp(join(tmpdir(), 'token-'));
    test.after(() => rm(folder, { recursive: true }));
    const file = join(folder, 'token');
    await writeFile(file, 'first\n');
    const clock = new FakeClock();
    await using server = await ScriptedServer.start();
    const scope = Scope.root(clock);
    const client = server.client(clock, { config: { ...server.config, token: new FileToken(file, clock) } });
    const outcome = getNode({ clock, scope, server, client, [Symbol.asyncDispose]: () => Promise.resolve() });
    const first = await server.next();
    assert.equal(first.headers.authorization, 'Bearer first');
    await writeFile(file, 'second\n');
    first.refuse(401, 'Unauthorized');
    const second = await server.next();
    assert.equal(second.headers.authorization, 'Bearer second');
    second.refuse(401, 'Unauthorized');
    const error = await outcome;
    assert.ok(error instanceof StatusError && error.isUnauthorized);
    assert.equal(server.unanswered, 0);
  });

  it('limits the rate of each named client on its own', async () => {
    await using world = await setUp({ qps: 1, burst: 1 });
    const other = { ...world, client: world.client.named('other', { qps: 1, burst: 1 }) };
    const outcomes = [getNode(world), getNode(other), getNode(world)];
    for (const request of [await world.server.next(), await world.server.next()]) request.json(nodeJson('a', '1'));
    await until(() => world.clock.timers === 2, 'only the third waits');
    assert.equal(world.server.unanswered, 0);
    await world.clock.advance(1000);
    (await world.server.next()).json(nodeJson('a', '1'));
    await Promise.all(outcomes);
  });

  it('measures requests, retries and sizes', async () => {
    const metrics = createMetrics();
    await using world = await setUp({ metrics });
    const outcome = getNode(world);
    (await world.server.next()).refuse(503, 'ServiceUnavailable', { 'retry-after': '1' });
    await passPause(world.clock, 1000);
    const body = nodeJson('a', '1');
    (await world.server.next()).json(body);
    await outcome;
    const { text } = await metrics.expose();
    const host = world.server.url.slice('http://'.length);
    const has = (line: string): void => assert.ok(text.split('\n').includes(line), `${line} is not in\n${text}`);
    has(`rest_client_requests_total{code="503",method="GET",host="${host}"} 1`);
    has(`rest_client_requests_total{code="200",method="GET",host="${host}"} 1`);
    has(`rest_client_request_retries_total{code="503",verb="GET",host="${host}"} 1`);
    has(`rest_client_request_duration_seconds_count{verb="GET",host="${host}"} 2`);
    has(`rest_client_response_size_bytes_sum{verb="GET",host="${host}"} ${JSON.stringify(body).length}`);
    has(`rest_client_rate_limiter_duration_seconds_count{verb="GET",host="${host}"} 2`);
  });

  it('logs requests at verbosity 6, never the token', async () => {
    const records: LogRecord[] = [];
    const log = createLogger({ sink: (record) => records.push(record), verbosity: { level: 10 }, now: () => 0 });
    await using world = await setUp({ log });
    const list = world.client.nodes.list(world.scope, { labelSelector: 'a=b' });
    (await world.server.next()).json(nodeListJson([], '1'));
    await list;
    assert.deepEqual(
      records.map(({ message, verbosity, fields }) => [
        message,
        verbosity,
        fields['verb'],
        fields['url'],
        fields['status'],
      ]),
      [['Response', 6, 'GET', '/api/v1/nodes?labelSelector=a%3Db&limit=500', '200']],
    );
    assert.ok(!JSON.stringify(records).includes('t0ken'));
    assert.equal(silentLogger.enabled(6), false);
  });
});
