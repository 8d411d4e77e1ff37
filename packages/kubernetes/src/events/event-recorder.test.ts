import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLogger, FakeClock, type LogRecord, Scope } from '@cloudstack-ccm/base';
import type { ObjectReference } from '../objects/event.ts';
import { type Exchange, ScriptedServer } from '../testing/scripted-server.ts';
import { until } from '../testing/until.ts';
import { EventRecorder } from './event-recorder.ts';

const SERVICE: ObjectReference = {
  apiVersion: 'v1',
  kind: 'Service',
  namespace: 'shop',
  name: 'web',
  uid: 'u-1',
  resourceVersion: '7',
};

interface World extends AsyncDisposable {
  readonly clock: FakeClock;
  readonly scope: Scope;
  readonly server: ScriptedServer;
  readonly recorder: EventRecorder;
  readonly records: LogRecord[];
}

async function setUp(): Promise<World> {
  const clock = new FakeClock(Date.UTC(2026, 5, 1));
  const scope = Scope.root(clock);
  const server = await ScriptedServer.start();
  const records: LogRecord[] = [];
  const log = createLogger({ sink: (record) => records.push(record), verbosity: { level: 0 }, now: () => clock.now() });
  const recorder = new EventRecorder({
    client: server.client(clock),
    source: 'service-controller',
    log,
    clock,
    random: () => 0.5,
  });
  recorder.start(scope);
  return {
    clock,
    scope,
    server,
    recorder,
    records,
    [Symbol.asyncDispose]: async () => {
      scope.cancel();
      await server[Symbol.asyncDispose]();
    },
  };
}

function sent(exchange: Exchange): Record<string, unknown> {
  return JSON.parse(exchange.body) as Record<string, unknown>;
}

/** Answers as the API server does: with the Event. */
function accept(exchange: Exchange): void {
  exchange.json({ kind: 'Event', ...sent(exchange) });
}

async function acceptNext(server: ScriptedServer): Promise<Exchange> {
  const exchange = await server.next();
  accept(exchange);
  return exchange;
}

describe('an event recorder', () => {
  it('creates an event as client-go writes it, and logs it', async () => {
    await using world = await setUp();
    world.recorder.event(SERVICE, 'Normal', 'EnsuredLoadBalancer', 'Ensured load balancer');
    const request = await acceptNext(world.server);
    assert.deepEqual([request.method, request.path], ['POST', '/api/v1/namespaces/shop/events']);
    const { metadata, ...event } = sent(request);
    assert.deepEqual(event, {
      apiVersion: 'v1',
      kind: 'Event',
      involvedObject: SERVICE,
      type: 'Normal',
      reason: 'EnsuredLoadBalancer',
      message: 'Ensured load balancer',
      source: { component: 'service-controller' },
      reportingComponent: 'service-controller',
      reportingInstance: '',
      count: 1,
      firstTimestamp: '2026-06-01T00:00:00Z',
      lastTimestamp: '2026-06-01T00:00:00Z',
    });
    const { name, namespace } = metadata as { name: string; namespace: string };
    assert.equal(namespace, 'shop');
    assert.equal(Number.parseInt(name.slice('web.'.length, -5), 16), Math.floor((world.clock.now() * 1e6) / 16 ** 5));
    assert.deepEqual(
      world.records.map(({ message, fields }) => [message, fields['object'], fields['kind'], fields['reason']]),
      [['Event occurred', 'shop/web', 'Service', 'EnsuredLoadBalancer']],
    );
  });

  it('puts events about cluster-scoped objects into the default namespace', async () => {
    await using world = await setUp();
    const node = { apiVersion: 'v1', kind: 'Node', namespace: '', name: 'Node A', uid: 'u-2' };
    world.recorder.event(node, 'Warning', 'DeletingNode', 'Deleting node');
    const request = await acceptNext(world.server);
    assert.equal(request.path, '/api/v1/namespaces/default/events');
    const { name } = sent(request)['metadata'] as { name: string };
    assert.match(name, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'a UUID where the name would not be valid');
  });

  it('counts an event that happens again, and creates it anew when it has expired', async () => {
    await using world = await setUp();
    const repeat = (): void => world.recorder.event(SERVICE, 'Warning', 'SyncFailed', 'timeout');
    repeat();
    const { name } = sent(await acceptNext(world.server))['metadata'] as { name: string };
    await world.clock.advance(60_000);
    repeat();
    const patch = await world.server.next();
    assert.deepEqual([patch.method, patch.path], ['PATCH', `/api/v1/namespaces/shop/events/${name}`]);
    assert.equal(patch.headers['content-type'], 'application/strategic-merge-patch+json');
    assert.deepEqual(sent(patch), { count: 2, lastTimestamp: '2026-06-01T00:01:00Z', message: 'timeout' });
    accept(patch);
    repeat();
    (await world.server.next()).refuse(404, 'NotFound');
    const again = await acceptNext(world.server);
    assert.equal(again.method, 'POST');
    assert.equal(sent(again)['count'], 3);
    assert.equal(sent(again)['firstTimestamp'], '2026-06-01T00:00:00Z');
  });

  it('tells events with the same words about different objects apart', async () => {
    await using world = await setUp();
    for (const uid of ['u-1', 'u-2']) world.recorder.event({ ...SERVICE, uid }, 'Normal', 'R', 'm');
    for (let event = 0; event < 2; event++) assert.equal((await acceptNext(world.server)).method, 'POST');
  });

  it('combines events that differ in their words only, from the tenth on', async () => {
    await using world = await setUp();
    const requests: Exchange[] = [];
    for (let event = 1; event <= 12; event++) {
      world.recorder.event(SERVICE, 'Warning', 'SyncFailed', `error ${event}`);
      requests.push(await acceptNext(world.server));
    }
    assert.deepEqual(
      requests.slice(8).map((request) => [request.method, sent(request)['message'], sent(request)['count']]),
      [
        ['POST', 'error 9', 1],
        ['POST', '(combined from similar events): error 10', 1],
        ['PATCH', '(combined from similar events): error 11', 2],
        ['PATCH', '(combined from similar events): error 12', 3],
      ],
    );
    await world.clock.advance(600_001);
    world.recorder.event(SERVICE, 'Warning', 'SyncFailed', 'error 13');
    assert.equal(sent(await acceptNext(world.server))['message'], 'error 13');
  });

  it('drops spam about one object and type, but counts it', async () => {
    await using world = await setUp();
    const repeat = (): void => world.recorder.event(SERVICE, 'Warning', 'SyncFailed', 'timeout');
    for (let event = 0; event < 25; event++) {
      repeat();
      await acceptNext(world.server);
    }
    for (let event = 0; event < 10; event++) repeat();
    world.recorder.event(SERVICE, 'Normal', 'Other', 'm');
    assert.equal(sent(await acceptNext(world.server))['reason'], 'Other', 'another type is not held back');
    await world.clock.advance(300_000);
    repeat();
    assert.equal(sent(await acceptNext(world.server))['count'], 36);
  });

  it('drops what the API server refuses, and goes on', async () => {
    await using world = await setUp();
    world.recorder.event(SERVICE, 'Normal', 'First', 'm');
    (await world.server.next()).refuse(403, 'Forbidden');
    world.recorder.event(SERVICE, 'Normal', 'Second', 'm');
    assert.equal(sent(await acceptNext(world.server))['reason'], 'Second');
    assert.ok(world.records.some(({ message }) => message === 'Unable to write event'));
  });

  it('tries 12 times, 10 s apart, when the API server cannot be reached', async () => {
    await using world = await setUp();
    world.recorder.event(SERVICE, 'Normal', 'First', 'm');
    world.recorder.event(SERVICE, 'Normal', 'Second', 'm');
    for (let tries = 1; tries <= 12; tries++) {
      const request = await world.server.next();
      assert.equal(sent(request)['reason'], 'First');
      request.reset();
      if (tries === 12) break;
      const pause = tries === 1 ? 5000 : 10_000;
      await until(() => world.clock.timers === 1 && world.records.filter(({ error }) => error).length === tries);
      await world.clock.advance(pause - 1);
      assert.equal(world.server.unanswered, 0);
      await world.clock.advance(1);
    }
    assert.equal(sent(await acceptNext(world.server))['reason'], 'Second');
  });

  it('takes an event that exists already for one that an earlier try has brought there', async () => {
    await using world = await setUp();
    world.recorder.event(SERVICE, 'Normal', 'First', 'm');
    (await world.server.next()).refuse(409, 'AlreadyExists');
    await world.recorder.flush(world.scope);
    assert.deepEqual(
      world.records.flatMap(({ error }) => error ?? []),
      [],
    );
  });

  it('cuts a message that nobody would read to its end, in the log too', async () => {
    await using world = await setUp();
    world.recorder.event(SERVICE, 'Warning', 'R', 'm'.repeat(60_000));
    const { message } = sent(await acceptNext(world.server)) as { message: string };
    assert.equal(message, `${'m'.repeat(1023)}…`);
    assert.deepEqual(
      world.records.map(({ fields }) => fields['message']),
      [message],
    );
  });

  it('holds 1,000 events at most, and never makes its caller wait', async () => {
    await using world = await setUp();
    for (let event = 0; event < 1500; event++) {
      world.recorder.event({ ...SERVICE, uid: `u-${event}` }, 'Normal', 'R', 'm');
    }
    assert.equal(world.records.length, 1500);
    const flushed = world.recorder.flush(world.scope).then(() => true);
    let requests = 0;
    while (requests < 1000) {
      await acceptNext(world.server);
      requests++;
    }
    assert.equal(await flushed, true);
    assert.equal(world.server.unanswered, 0);
  });

  it('only logs when its scope has ended', async () => {
    await using world = await setUp();
    world.scope.cancel();
    await world.clock.advance(0);
    world.recorder.event(SERVICE, 'Normal', 'R', 'm');
    await world.recorder.flush(Scope.root(world.clock));
    assert.equal(world.records.length, 1);
    assert.equal(world.server.unanswered, 0);
  });
});
