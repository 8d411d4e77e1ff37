import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLogger, FakeClock, Scope, silentLogger } from '@cloudstack-ccm/base';
import { Informer, type InformerHandler } from './informer.ts';
import { StatusError } from './errors.ts';
import type { ListWatch } from './list-watch.ts';
import { NODES, type Node } from './objects/node.ts';
import { nodeJson } from './testing/objects.ts';
import type { WatchEvent } from './watch-event.ts';

function node(name: string, resourceVersion: string, zone = 'z1'): Node {
  return NODES.decode(nodeJson(name, resourceVersion, { metadata: { name, resourceVersion, labels: { zone } } }));
}

/** A source whose one watch after another the test feeds itself. */
class Feed implements ListWatch<Node> {
  readonly kind = { plural: 'nodes' };
  readonly #events: WatchEvent<Node>[] = [];
  #wake: () => void = () => undefined;
  #over = false;

  send(...events: WatchEvent<Node>[]): void {
    this.#events.push(...events);
    this.#wake();
  }

  /** Makes the reflector ask for everything again, and answers with these. */
  relist(...nodes: Node[]): void {
    this.#over = true;
    this.#wake();
    for (const object of nodes) this.#events.push({ type: 'ADDED', object });
    this.#events.push({ type: 'BOOKMARK', resourceVersion: '100', initialEventsEnd: true });
  }

  listPage(): Promise<never> {
    return Promise.reject(new Error('nobody should list'));
  }

  async *watch(scope: Scope): AsyncGenerator<WatchEvent<Node>> {
    for (;;) {
      if (this.#over) {
        this.#over = false;
        throw new StatusError({ httpStatus: 410, reason: 'Expired', message: 'too old' });
      }
      const event = this.#events.shift();
      if (event) yield event;
      else await scope.race((resolve) => void (this.#wake = resolve));
    }
  }
}

interface World {
  readonly clock: FakeClock;
  readonly scope: Scope;
  readonly feed: Feed;
  readonly informer: Informer<Node>;
}

function setUp(): World {
  const clock = new FakeClock();
  const feed = new Feed();
  const informer = new Informer(feed, {
    log: silentLogger,
    indexes: { zone: ({ metadata }) => [metadata.labels['zone'] ?? ''] },
    random: () => 0,
  });
  return { clock, scope: Scope.root(clock), feed, informer };
}

/** Writes down what it is told. */
function scribe(told: string[]): Required<InformerHandler<Node>> {
  const of = ({ metadata }: Node): string => `${metadata.name}@${metadata.resourceVersion}`;
  return {
    added: (object, initial) => told.push(`added ${of(object)}${initial ? ' initially' : ''}`),
    updated: (before, after) => told.push(`updated ${of(before)} to ${of(after)}`),
    deleted: (last, tombstone) => told.push(`deleted ${of(last)}${tombstone ? ' unseen' : ''}`),
  };
}

const names = (nodes: readonly Node[]): string[] => nodes.map(({ metadata }) => metadata.name).sort();

describe('an informer', () => {
  it('tells its handlers, in order, what is there and what changes', async () => {
    const { clock, scope, feed, informer } = setUp();
    const told: string[] = [];
    const registration = informer.addHandler(scribe(told));
    feed.relist(node('a', '1'), node('b', '2'));
    assert.equal(registration.hasSynced(), false);
    informer.start(scope);
    await clock.advance(1000);
    assert.equal(registration.hasSynced(), true);
    feed.send(
      { type: 'MODIFIED', object: node('a', '3') },
      { type: 'ADDED', object: node('c', '4') },
      { type: 'DELETED', object: node('b', '5') },
    );
    await clock.advance(0);
    assert.deepEqual(told, [
      'added a@1 initially',
      'added b@2 initially',
      'updated a@1 to a@3',
      'added c@4',
      'deleted b@5',
    ]);
    assert.deepEqual(names(informer.lister.list()), ['a', 'c']);
    scope.cancel();
    await informer.stopped();
    assert.equal(clock.timers, 0);
  });

  it('finds out at a relist what it has missed, and is silent about what has not changed', async () => {
    const { clock, scope, feed, informer } = setUp();
    feed.relist(node('same', '1'), node('changed', '2'), node('gone', '3'));
    informer.start(scope);
    await clock.advance(1000);
    const told: string[] = [];
    informer.addHandler(scribe(told));
    told.length = 0;
    feed.relist(node('same', '1'), node('changed', '7'), node('new', '8'));
    await clock.advance(2000);
    assert.deepEqual(told.sort(), ['added new@8', 'deleted gone@3 unseen', 'updated changed@2 to changed@7']);
    scope.cancel();
    await informer.stopped();
  });

  it('keeps indexes in step with every change', async () => {
    const { clock, scope, feed, informer } = setUp();
    feed.relist(node('a', '1', 'z1'), node('b', '2', 'z1'));
    informer.start(scope);
    await clock.advance(1000);
    assert.deepEqual(names(informer.lister.byIndex('zone', 'z1')), ['a', 'b']);
    feed.send({ type: 'MODIFIED', object: node('a', '3', 'z2') }, { type: 'DELETED', object: node('b', '4', 'z1') });
    await clock.advance(0);
    assert.deepEqual(names(informer.lister.byIndex('zone', 'z1')), []);
    assert.deepEqual(names(informer.lister.byIndex('zone', 'z2')), ['a']);
    assert.throws(() => informer.lister.byIndex('rack', 'r1'), /no index "rack"/);
    scope.cancel();
    await informer.stopped();
  });

  it('tells a late handler about everything that is there, and a removed one nothing more', async () => {
    const { clock, scope, feed, informer } = setUp();
    feed.relist(node('a', '1'));
    informer.start(scope);
    await clock.advance(1000);
    const told: string[] = [];
    const registration = informer.addHandler(scribe(told));
    assert.deepEqual(told, ['added a@1 initially']);
    registration.remove();
    feed.send({ type: 'DELETED', object: node('a', '2') });
    await clock.advance(0);
    assert.deepEqual(told, ['added a@1 initially']);
    scope.cancel();
    await informer.stopped();
  });

  it('tells only the handlers that asked for it about every object again, period by period', async () => {
    const { clock, scope, feed, informer } = setUp();
    const often: string[] = [];
    const never: string[] = [];
    const registration = informer.addHandler(scribe(often), { resyncMs: 30_000 });
    informer.addHandler(scribe(never));
    feed.relist(node('a', '1'));
    informer.start(scope);
    await clock.advance(61_000);
    assert.deepEqual(often, ['added a@1 initially', 'updated a@1 to a@1', 'updated a@1 to a@1']);
    assert.deepEqual(never, ['added a@1 initially']);
    registration.remove();
    await clock.advance(60_000);
    assert.equal(often.length, 3);
    scope.cancel();
    await informer.stopped();
  });

  it('goes on when a handler fails', async () => {
    const errors: unknown[] = [];
    const log = createLogger({ sink: ({ error }) => errors.push(error), verbosity: { level: 0 }, now: () => 0 });
    const clock = new FakeClock();
    const scope = Scope.root(clock);
    const feed = new Feed();
    const informer = new Informer(feed, { log, random: () => 0 });
    const failure = new Error('handler');
    const told: string[] = [];
    informer.addHandler({
      added: () => {
        throw failure;
      },
    });
    informer.addHandler(scribe(told));
    feed.relist(node('a', '1'));
    informer.start(scope);
    await clock.advance(1000);
    assert.deepEqual(told, ['added a@1 initially']);
    assert.ok(errors.includes(failure));
    assert.equal(informer.lister.size, 1);
    scope.cancel();
    await informer.stopped();
  });

  it('lets others wait until it is complete, or until they no longer care', async () => {
    const { clock, scope, feed, informer } = setUp();
    const impatient = scope.child();
    const gaveUp = assert.rejects(informer.waitForSync(impatient), /enough/);
    let synced = false;
    const patient = informer.waitForSync(scope).then(() => (synced = true));
    informer.start(scope);
    impatient.cancel(new Error('enough'));
    await gaveUp;
    assert.equal(synced, false);
    feed.relist();
    await clock.advance(1000);
    await patient;
    await informer.waitForSync(scope);
    scope.cancel();
    await informer.stopped();
  });
});
