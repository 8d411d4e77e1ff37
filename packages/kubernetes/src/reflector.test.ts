import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { FakeClock, Scope, silentLogger, type Timer } from '@cloudstack-ccm/base';
import type { Node } from './objects/node.ts';
import { Reflector } from './reflector.ts';
import { nodeJson, nodeListJson } from './testing/objects.ts';
import { type Exchange, ScriptedServer, status } from './testing/scripted-server.ts';
import { until } from './testing/until.ts';

/** Remembers the delays that were asked for. */
class WatchedClock extends FakeClock {
  readonly delays: number[] = [];

  override setTimer(delayMs: number, callback: () => void): Timer {
    this.delays.push(delayMs);
    return super.setTimer(delayMs, callback);
  }
}

interface World extends AsyncDisposable {
  readonly clock: FakeClock;
  readonly server: ScriptedServer;
  /** What the sink was told. */
  readonly told: string[];
  /** Waits for a pause of the reflector, and checks its length in milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
}

async function setUp(): Promise<World> {
  const clock = new WatchedClock();
  const server = await ScriptedServer.start();
  const scope = Scope.root(clock);
  const told: string[] = [];
  const of = ({ metadata }: Node): string => `${metadata.name}@${metadata.resourceVersion}`;
  const reflector = new Reflector({
    source: server.client(clock).nodes,
    log: silentLogger,
    random: () => 0.5,
    sink: {
      replace: (nodes) => told.push(`replace ${nodes.map(of).join(' ')}`),
      changed: (node) => told.push(`changed ${of(node)}`),
      deleted: (node) => told.push(`deleted ${of(node)}`),
    },
  });
  const running = reflector.run(scope);
  return {
    clock,
    server,
    told,
    pause: async (ms) => {
      await until(() => clock.delays.at(-1) === ms, `the reflector pauses for ${ms} ms`);
      clock.delays.length = 0;
      await clock.advance(ms - 1);
      assert.equal(server.unanswered, 0);
      assert.equal(clock.timers, 1);
      await clock.advance(1);
    },
    [Symbol.asyncDispose]: async () => {
      scope.cancel();
      await running;
      await server[Symbol.asyncDispose]();
      assert.equal(clock.timers, 0);
    },
  };
}

/** Answers the streamed list with these nodes, complete at version 10, and leaves the watch open. */
async function stream(server: ScriptedServer, ...nodes: readonly object[]): Promise<Exchange> {
  const watch = await server.next();
  assert.equal(watch.query['sendInitialEvents'], 'true');
  watch.begin();
  for (const node of nodes) watch.event('ADDED', node);
  watch.initialEnd('10');
  return watch;
}

/** Gives what was written time to get through the loopback interface: nothing in the client shows a bookmark. */
async function received(exchange: Exchange): Promise<void> {
  await until(() => exchange.socket.writableLength === 0);
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}

describe('a reflector', () => {
  it('streams the list, then follows the same stream', async () => {
    await using world = await setUp();
    const watch = await world.server.next();
    assert.equal(watch.path, '/api/v1/nodes');
    assert.deepEqual(watch.query, {
      watch: 'true',
      allowWatchBookmarks: 'true',
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      timeoutSeconds: '450',
    });
    watch.begin();
    watch.event('ADDED', nodeJson('a', '1'));
    watch.event('ADDED', nodeJson('b', '2'));
    watch.event('DELETED', nodeJson('b', '3'));
    watch.event('MODIFIED', nodeJson('a', '4'));
    watch.bookmark('4');
    await received(watch);
    assert.deepEqual(world.told, []);
    watch.initialEnd('10');
    watch.event('MODIFIED', nodeJson('a', '11'));
    watch.event('DELETED', nodeJson('a', '12'));
    await until(() => world.told.length === 3);
    assert.deepEqual(world.told, ['replace a@4', 'changed a@11', 'deleted a@12']);
  });

  it('opens the watch again at once where it was when the server ends it in good order', async () => {
    await using world = await setUp();
    const first = await stream(world.server);
    first.event('ADDED', nodeJson('a', '11'));
    first.bookmark('42');
    first.end();
    const second = await world.server.next();
    assert.deepEqual(second.query, {
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: '42',
      timeoutSeconds: '450',
    });
    assert.deepEqual(world.told, ['replace ', 'changed a@11']);
    assert.equal(world.clock.monotonic(), 0);
  });

  it('does not hammer a server that ends watches at once', async () => {
    await using world = await setUp();
    (await stream(world.server)).end();
    for (const pause of [1200, 2400, 4800]) {
      const watch = await world.server.next();
      watch.begin();
      watch.end();
      await world.pause(pause);
    }
  });

  it('lists in pages when the server refuses to stream, and does not ask again', async () => {
    await using world = await setUp();
    (await world.server.next()).refuse(422, 'Invalid');
    const first = await world.server.next();
    assert.deepEqual(first.query, { limit: '500', resourceVersion: '0' });
    first.json(nodeListJson([nodeJson('a', '1')], '10', 'next'));
    const second = await world.server.next();
    assert.deepEqual(second.query, { limit: '500', continue: 'next' });
    second.json(nodeListJson([nodeJson('b', '2')], '10'));
    const watch = await world.server.next();
    assert.equal(watch.query['resourceVersion'], '10');
    assert.deepEqual(world.told, ['replace a@1 b@2']);

    watch.begin();
    watch.event('ERROR', status(410, 'Expired'));
    await world.pause(1200);
    const again = await world.server.next();
    assert.deepEqual(again.query, { limit: '500', resourceVersion: '10' });
  });

  it('lists when the stream turns into an error as with an old etcd, and tries to stream next time', async () => {
    await using world = await setUp();
    const failing = await world.server.next();
    failing.begin();
    failing.event('ERROR', status(500, 'InternalError'));
    const list = await world.server.next();
    assert.equal(list.query['limit'], '500');
    list.json(nodeListJson([nodeJson('a', '1')], '10'));
    const watch = await world.server.next();
    watch.begin();
    watch.event('ERROR', status(410, 'Expired'));
    await world.pause(1200);
    assert.equal((await world.server.next()).query['sendInitialEvents'], 'true');
    assert.deepEqual(world.told, ['replace a@1']);
  });

  it('lists when the stream never comes to its end', async () => {
    await using world = await setUp();
    const silent = await world.server.next();
    silent.begin();
    silent.event('ADDED', nodeJson('a', '1'));
    await world.clock.advance(10);
    await world.clock.advance(120_000);
    await silent.closed();
    (await world.server.next()).json(nodeListJson([nodeJson('a', '1')], '10'));
    await world.server.next();
    assert.deepEqual(world.told, ['replace a@1']);
  });

  it('asks for the whole list at once when a page has expired half-way', async () => {
    await using world = await setUp();
    (await world.server.next()).refuse(400, 'BadRequest');
    (await world.server.next()).json(nodeListJson([nodeJson('old', '1')], '10', 'next'));
    (await world.server.next()).refuse(410, 'Expired');
    const whole = await world.server.next();
    assert.deepEqual(whole.query, { resourceVersion: '0' });
    whole.json(nodeListJson([nodeJson('a', '11')], '12'));
    await world.server.next();
    assert.deepEqual(world.told, ['replace a@11']);
  });

  it('asks for everything again, not older than what it knows, when its version has expired', async () => {
    await using world = await setUp();
    const watch = await stream(world.server, nodeJson('a', '1'));
    watch.event('MODIFIED', nodeJson('a', '11'));
    watch.event('ERROR', status(410, 'Expired'));
    await world.pause(1200);
    const again = await world.server.next();
    assert.equal(again.query['sendInitialEvents'], 'true');
    assert.equal(again.query['resourceVersion'], '11');
    again.refuse(410, 'Gone');
    await world.pause(2400);
    assert.equal((await world.server.next()).query['resourceVersion'], undefined);
    assert.deepEqual(world.told, ['replace a@1', 'changed a@11']);
  });

  it('takes whatever the server has when that was restored from an older backup', async () => {
    await using world = await setUp();
    const watch = await stream(world.server, nodeJson('a', '1'));
    watch.end();
    const tooLarge = { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] };
    (await world.server.next()).refuse(504, 'Timeout', {}, tooLarge);
    await world.pause(1200);
    const again = await world.server.next();
    assert.equal(again.query['sendInitialEvents'], 'true');
    assert.equal(again.query['resourceVersion'], undefined);
    again.begin();
    again.initialEnd('3');
    again.end();
    assert.equal((await world.server.next()).query['resourceVersion'], '3');
    assert.deepEqual(world.told, ['replace a@1', 'replace ']);
  });

  it('goes on where it was after half an event, losing and repeating nothing', async () => {
    await using world = await setUp();
    const watch = await stream(world.server);
    watch.event('ADDED', nodeJson('a', '11'));
    const line = JSON.stringify({ type: 'ADDED', object: nodeJson('b', '12') });
    watch.write(line.slice(0, 40));
    await until(() => world.told.length === 2);
    watch.reset();
    await world.pause(1200);
    const next = await world.server.next();
    assert.equal(next.query['resourceVersion'], '11');
    next.begin();
    next.write(line.slice(0, 40));
    await world.clock.advance(5);
    next.write(`${line.slice(40)}\n`);
    await until(() => world.told.length === 3);
    assert.deepEqual(world.told, ['replace ', 'changed a@11', 'changed b@12']);
  });

  it('does not take the half event before a clean end for a whole one', async () => {
    await using world = await setUp();
    const watch = await stream(world.server);
    watch.write(JSON.stringify({ type: 'ADDED', object: nodeJson('b', '12') }));
    watch.end();
    assert.equal((await world.server.next()).query['resourceVersion'], '10');
    assert.deepEqual(world.told, ['replace ']);
  });

  it('cuts a watch that has gone silent, but not one that sends bookmarks', async () => {
    await using world = await setUp();
    const watch = await stream(world.server);
    await until(() => world.told.length === 1);
    for (let minute = 1; minute <= 5; minute++) {
      await world.clock.advance(60_000);
      watch.bookmark(`${10 + minute}`);
      await received(watch);
    }
    assert.equal(world.server.unanswered, 0);
    await world.clock.advance(121_000);
    await watch.closed();
    await world.clock.advance(1200);
    assert.equal((await world.server.next()).query['resourceVersion'], '15');
  });

  it('waits longer after each failure, up to 30 s and jitter, and less again after two good minutes', async () => {
    await using world = await setUp();
    for (const pause of [1200, 2400, 4800, 9600, 19_200, 38_400, 45_000, 45_000]) {
      (await world.server.next()).refuse(503, 'ServiceUnavailable');
      await world.pause(pause);
    }
    const watch = await stream(world.server);
    await until(() => world.told.length === 1);
    await world.clock.advance(80_000);
    watch.reset();
    await world.pause(1200);
    await world.server.next();
  });

  it('never gives up on refusals that only an administrator can end', async () => {
    await using world = await setUp();
    (await world.server.next()).refuse(401, 'Unauthorized');
    await world.pause(1200);
    (await world.server.next()).refuse(403, 'Forbidden');
    await world.pause(2400);
    await stream(world.server, nodeJson('a', '1'));
    await until(() => world.told.length === 1);
  });

  it('survives an event that makes no sense', async () => {
    await using world = await setUp();
    const watch = await stream(world.server);
    watch.write('{"type":"ADDED","object":{"metadata":{"name":7}}}\n');
    await world.pause(1200);
    const next = await world.server.next();
    assert.equal(next.query['resourceVersion'], '10');
    next.begin();
    next.write('not json\n');
    await world.pause(2400);
    await world.server.next();
  });
});
