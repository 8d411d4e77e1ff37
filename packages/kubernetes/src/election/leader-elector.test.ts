import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMetrics, FakeClock, Scope, silentLogger } from '@cloudstack-ccm/base';
import fc from 'fast-check';
import { LeadershipLostError } from '../errors.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { type LeaseFault, LeaseStore, type LeaseVerb } from '../testing/lease-store.ts';
import { electionIdentity, LeaderElector, type LeaderElectorOptions } from './leader-elector.ts';

const TIMES = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000 };

interface Candidate {
  readonly elector: LeaderElector;
  readonly scope: Scope;
  /** Settles as `run` does, but never rejects. */
  readonly ended: Promise<Error | undefined>;
  /** The scope of the work, once it has begun. */
  work: Scope | undefined;
  /** Lets the work end after its scope was cancelled. */
  finish: () => void;
}

interface CandidateOptions extends Partial<LeaderElectorOptions> {
  readonly fault?: (verb: LeaseVerb) => LeaseFault | undefined;
  /** The work does not end by itself when cancelled, but when `finish` is called. */
  readonly slow?: boolean;
}

function candidate(clock: FakeClock, store: LeaseStore, identity: string, options: CandidateOptions = {}): Candidate {
  const scope = Scope.root(clock);
  const { fault, slow = false, ...more } = options;
  const client = {
    named: (_name: string, { timeoutMs = 0 }) => {
      const api = store.api(fault);
      const limited =
        <A extends unknown[], R>(call: (own: Scope, ...rest: A) => Promise<R>) =>
        async (outer: Scope, ...rest: A) => {
          using own = outer.withDeadline(timeoutMs, 'the call');
          return await call(own, ...rest);
        };
      return { leases: { get: limited(api.get), create: limited(api.create), update: limited(api.update) } };
    },
  };
  const elector = new LeaderElector({
    client,
    namespace: 'kube-system',
    name: 'ccm',
    identity,
    log: silentLogger,
    clock,
    random: () => 0,
    ...TIMES,
    ...more,
  });
  const self: Candidate = {
    elector,
    scope,
    work: undefined,
    finish: () => undefined,
    ended: elector
      .run(scope, async (work) => {
        self.work = work;
        await work.race((_resolve, _reject) => undefined).catch(() => undefined);
        if (slow) await new Promise<void>((resolve) => (self.finish = resolve));
      })
      .then(
        () => undefined,
        (thrown: Error) => thrown,
      ),
  };
  return self;
}

const unavailable: LeaseFault = { when: 'before', error: new Error('unavailable') };

describe('an elector', () => {
  it('creates the lease when there is none, and leads', async () => {
    const clock = new FakeClock(Date.UTC(2026, 5, 1, 12, 0, 0, 123));
    const store = new LeaseStore();
    const a = candidate(clock, store, 'a');
    assert.equal(a.elector.state, 'acquiring');
    await clock.advance(0);
    assert.deepEqual(store.verbs, ['get', 'create']);
    assert.deepEqual(store.spec, {
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2026-06-01T12:00:00.123000Z',
      renewTime: '2026-06-01T12:00:00.123000Z',
      leaseTransitions: 0,
    });
    assert.equal(a.elector.state, 'leading');
    assert.ok(a.elector.isLeader() && a.elector.mayWrite());
    assert.ok(a.work && !a.work.cancelled);
    a.scope.cancel();
    await a.ended;
  });

  it('renews with one request every retry period, keeping what it does not own', async () => {
    const clock = new FakeClock();
    const store = new LeaseStore();
    store.put(
      { holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 4, strategy: 'OldestEmulationVersion' },
      { labels: { keep: 'me' } },
    );
    const a = candidate(clock, store, 'a');
    await clock.advance(0);
    const taken = store.spec;
    await clock.advance(6000);
    assert.deepEqual(store.verbs, ['get', 'update', 'update', 'update', 'update']);
    assert.equal(store.spec?.leaseTransitions, 5);
    assert.equal(store.spec.acquireTime, taken?.acquireTime);
    assert.equal(store.spec.renewTime, '2026-01-01T00:00:06.000000Z');
    assert.deepEqual(store.raw?.metadata['labels'], { keep: 'me' });
    assert.equal(store.raw.spec['strategy'], 'OldestEmulationVersion');
    a.scope.cancel();
    await a.ended;
  });

  it('takes over when it has seen the same record for the duration that the record names, whatever clocks say', async () => {
    const clock = new FakeClock();
    const store = new LeaseStore();
    store.put({
      holderIdentity: 'dead',
      leaseDurationSeconds: 30,
      renewTime: '1999-01-01T00:00:00.000000Z',
      leaseTransitions: 2,
    });
    const b = candidate(clock, store, 'b');
    await clock.advance(29_999);
    assert.equal(b.elector.state, 'acquiring');
    assert.equal(b.elector.holder, 'dead');
    await clock.advance(1);
    assert.equal(b.elector.state, 'leading');
    assert.equal(store.spec?.leaseTransitions, 3);
    b.scope.cancel();
    await b.ended;
  });

  it('stands by for as long as the record keeps changing', async () => {
    const clock = new FakeClock();
    const store = new LeaseStore();
    const a = candidate(clock, store, 'a');
    await clock.advance(0);
    const b = candidate(clock, store, 'b');
    await clock.advance(120_000);
    assert.equal(a.elector.state, 'leading');
    assert.equal(b.elector.state, 'acquiring');
    assert.equal(b.elector.isLeader() || b.elector.mayWrite(), false);
    assert.equal(b.elector.healthError(), undefined);
    b.scope.cancel();
    assert.equal(await b.ended, undefined);
    assert.equal(b.elector.state, 'stopped');
    assert.equal(store.spec?.holderIdentity, 'a');
    a.scope.cancel();
    await a.ended;
  });

  it('spreads its tries by up to 1.2 retry periods', async () => {
    const clock = new FakeClock();
    const store = new LeaseStore();
    store.put({ holderIdentity: 'other', leaseDurationSeconds: 3600 });
    const b = candidate(clock, store, 'b', { random: () => 0.999_999 });
    await clock.advance(4399);
    assert.equal(store.verbs.length, 1);
    await clock.advance(1);
    assert.equal(store.verbs.length, 2);
    b.scope.cancel();
    await b.ended;
  });

  it('reads the lease when its version is outdated, and counts that', async () => {
    const clock = new FakeClock();
    const store = new LeaseStore();
    const metrics = createMetrics();
    const a = candidate(clock, store, 'a', { metrics });
    await clock.advance(0);
    store.put({ ...store.spec }, { labels: { somebody: 'labelled' } });
    await clock.advance(2000);
    assert.deepEqual(store.verbs, ['get', 'create', 'update', 'get', 'update']);
    assert.equal(store.spec?.leaseTransitions, 0);
    assert.match((await metrics.expose()).text, /leader_election_slowpath_total\{name="ccm"\} 1/);
    a.scope.cancel();
    await a.ended;
  });

  it('recovers when a renewal was stored but its answer was lost', async () => {
    const clock = new FakeClock();
    const store = new LeaseStore();
    let faults = 0;
    const fault = (verb: LeaseVerb): LeaseFault | undefined =>
      verb === 'update' && faults++ === 0 ? { when: 'after', error: new Error('cut off') } : undefined;
    const a = candidate(clock, store, 'a', { fault });
    await clock.advance(30_000);
    assert.equal(a.elector.state, 'leading');
    assert.equal(store.spec?.holderIdentity, 'a');
    assert.ok(a.elector.mayWrite());
    a.scope.cancel();
    await a.ended;
  });

  it('gives up leading within the lease duration when it cannot renew, and waits for nobody', async () => {
    const clock = new FakeClock();
    const store = new LeaseStore();
    let down = false;
    const a = candidate(clock, store, 'a', { fault: () => (down ? unavailable : undefined), slow: true });
    await clock.advance(1000);
    down = true;
    await clock.advance(10_900);
    assert.equal(a.elector.state, 'leading');
    await clock.advance(100);
    const error = await a.ended;
    assert.ok(error instanceof LeadershipLostError);
    assert.match(error.message, /^leaderelection lost: lease kube-system\/ccm/);
    assert.equal(a.elector.state, 'lost');
    assert.equal(a.work?.reason, error);
    assert.equal(a.elector.isLeader() || a.elector.mayWrite(), false);
    assert.equal(store.spec?.holderIdentity, 'a');
    assert.equal(clock.timers, 0);
  });

  it('gives up just the same when its requests hang', async () => {
    const clock = new FakeClock();
    const store = new LeaseStore();
    let down = false;
    const a = candidate(clock, store, 'a', { fault: () => (down ? { when: 'before' } : undefined) });
    await clock.advance(0);
    down = true;
    await clock.advance(12_000);
    assert.ok((await a.ended) instanceof LeadershipLostError);
    assert.equal(clock.timers, 0);
  });

  it('stops leading at once when it sees that another one holds the lease', async () => {
    const clock = new FakeClock();
    const store = new LeaseStore();
    const a = candidate(clock, store, 'a');
    await clock.advance(0);
    store.put({ holderIdentity: 'thief', leaseDurationSeconds: 15 });
    await clock.advance(2000);
    const error = await a.ended;
    assert.ok(error instanceof LeadershipLostError);
    assert.match(error.message, /thief holds it now/);
    assert.equal(store.spec?.holderIdentity, 'thief');
  });

  it('keeps the lease until the work has stopped, then lets it go', async () => {
    const clock = new FakeClock();
    const store = new LeaseStore();
    const a = candidate(clock, store, 'a', { slow: true });
    await clock.advance(0);
    const b = candidate(clock, store, 'b');
    a.scope.cancel();
    await clock.advance(60_000);
    assert.equal(a.elector.state, 'draining');
    assert.ok(a.work?.cancelled && a.elector.mayWrite());
    assert.equal(b.elector.state, 'acquiring');
    a.finish();
    await clock.advance(0);
    assert.equal(await a.ended, undefined);
    assert.equal(a.elector.state, 'stopped');
    assert.equal(a.elector.isLeader() || a.elector.mayWrite(), false);
    assert.equal(store.spec?.holderIdentity, '');
    assert.equal(store.spec.leaseDurationSeconds, 1);
    await clock.advance(2000);
    assert.equal(b.elector.state, 'leading');
    assert.equal(store.spec.holderIdentity, 'b');
    b.scope.cancel();
    await b.ended;
  });

  it('leaves the lease to expire if it is told to, or if the work failed', async () => {
    const clock = new FakeClock();
    const store = new LeaseStore();
    const kept = candidate(clock, store, 'kept', { releaseOnStop: false });
    await clock.advance(0);
    kept.scope.cancel();
    assert.equal(await kept.ended, undefined);
    assert.equal(store.spec?.holderIdentity, 'kept');

    const failing = new LeaderElector({
      client: { named: () => ({ leases: new LeaseStore().api() }) },
      namespace: 'kube-system',
      name: 'ccm',
      identity: 'failing',
      log: silentLogger,
      clock,
      ...TIMES,
    });
    const failure = new Error('a controller could not start');
    await assert.rejects(
      failing.run(Scope.root(clock), () => Promise.reject(failure)),
      failure,
    );
    assert.equal(failing.holder, 'failing');
    assert.equal(failing.state, 'stopped');
    assert.equal(clock.timers, 0);
  });

  it('stops writes when the lease has run out while nothing in the process could run', async () => {
    const clock = new (class extends FakeClock {
      asleepMs = 0;
      override now(): number {
        return super.now() + this.asleepMs;
      }
    })();
    const store = new LeaseStore();
    const a = candidate(clock, store, 'a');
    await clock.advance(0);
    clock.asleepMs = 14_999;
    assert.ok(a.elector.mayWrite());
    clock.asleepMs = 15_000;
    assert.equal(a.elector.mayWrite(), false);
    await clock.advance(2000);
    assert.ok(a.elector.mayWrite());
    a.scope.cancel();
    await a.ended;
  });

  it('is unhealthy when it holds the lease and has not renewed for 20 s more than it lasts', async () => {
    const clock = new FakeClock();
    const store = new LeaseStore();
    let down = false;
    const a = candidate(clock, store, 'a', { fault: () => (down ? unavailable : undefined) });
    await clock.advance(0);
    down = true;
    await clock.advance(35_000);
    assert.equal(a.elector.healthError(), undefined);
    await clock.advance(1);
    assert.equal(a.elector.healthError()?.message, 'failed election to renew leadership on lease ccm');
    await a.ended;
  });

  it('shows in its metric and on the lease who leads', async () => {
    const clock = new FakeClock();
    const metrics = createMetrics();
    const events: string[] = [];
    const recorder: Pick<EventRecorder, 'event'> = {
      event: (about, type, reason, message) =>
        events.push(`${about.kind} ${about.namespace}/${about.name} ${type} ${reason} ${message}`),
    };
    const store = new LeaseStore();
    const status = async (): Promise<string | undefined> =>
      /leader_election_master_status\{name="ccm"\} (\d)/.exec((await metrics.expose()).text)?.[1];
    store.put({ holderIdentity: 'other', leaseDurationSeconds: 10 });
    const a = candidate(clock, store, 'a', { metrics, recorder });
    assert.equal(await status(), '0');
    await clock.advance(10_000);
    assert.equal(await status(), '1');
    a.scope.cancel();
    await a.ended;
    assert.equal(await status(), '0');
    assert.deepEqual(events, [
      'Lease kube-system/ccm Normal LeaderElection a became leader',
      'Lease kube-system/ccm Normal LeaderElection a stopped leading',
    ]);
  });

  it('refuses times that do not fit together, in the words of client-go', () => {
    const refused = (times: Partial<typeof TIMES>, message: string): void =>
      assert.throws(() => candidate(new FakeClock(), new LeaseStore(), 'a', times), { message });
    refused({ leaseDurationMs: 10_000 }, 'leaseDuration must be greater than renewDeadline');
    refused({ renewDeadlineMs: 2400 }, 'renewDeadline must be greater than retryPeriod*JitterFactor');
    refused({ retryPeriodMs: 0 }, 'retryPeriod must be greater than zero');
  });

  it('has an identity of its own even beside another process on the same host', () => {
    assert.notEqual(electionIdentity(), electionIdentity());
    assert.match(electionIdentity(), /^.+_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});

describe('an election', () => {
  it('never lets two candidates write at the same time, whatever fails', async () => {
    const faults = fc.constantFrom<LeaseFault | undefined>(
      undefined,
      undefined,
      undefined,
      unavailable,
      { when: 'after', error: new Error('cut off') },
      { when: 'before' },
      { when: 'after' },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.infiniteStream(faults),
        fc.infiniteStream(fc.double({ min: 0, max: 0.99, noNaN: true })),
        async (stream, chances) => {
          const clock = new FakeClock();
          const store = new LeaseStore();
          const fault = (): LeaseFault | undefined => stream.next().value;
          const random = (): number => chances.next().value ?? 0;
          const all = ['a', 'b', 'c'].map((identity) => candidate(clock, store, identity, { fault, random }));
          let led = 0;
          for (let step = 0; step < 300; step++) {
            await clock.advance(250);
            const writers = all.filter(({ elector }) => elector.mayWrite());
            assert.ok(writers.length <= 1, `${writers.length} may write`);
            led += writers.length;
          }
          for (const { scope, ended } of all) {
            scope.cancel();
            await clock.advance(20_000);
            await ended;
          }
          assert.ok(led > 0, 'somebody leads some time');
          assert.equal(clock.timers, 0);
        },
      ),
      { numRuns: 25 },
    );
  });
});
