import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CancelledError, FakeClock, Scope } from '@cloudstack-ccm/base';
import { NetworkQueue, type Turn } from './network-queue.ts';

/** Somebody's command, from when it is sent to the end of its job. */
interface Sent {
  readonly at: number;
  readonly turn: Turn;
  readonly end: () => void;
}

class Play {
  readonly clock = new FakeClock();
  readonly queue: NetworkQueue;
  readonly sent = new Map<string, Sent>();
  readonly scope = Scope.root(this.clock);
  readonly #start = this.clock.monotonic();

  constructor(width = 2) {
    this.queue = new NetworkQueue(this.clock, width);
  }

  get now(): number {
    return this.clock.monotonic() - this.#start;
  }

  /** Wants a command to be sent, which then waits to be accepted and ended. */
  async want(name: string, { network = 'net', scope = this.scope } = {}): Promise<void> {
    const work = async (turn: Turn): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.sent.set(name, { at: this.now, turn, end: resolve });
      await promise;
    };
    void this.queue.run(scope, network, work).catch(() => undefined);
    await this.pass(0);
  }

  get(name: string): Sent {
    const one = this.sent.get(name);
    assert.ok(one, `${name} is not sent`);
    return one;
  }

  /** @returns when the job is thought to begin, by the time of the play */
  async accept(name: string, expectedMs: number): Promise<() => number> {
    const begins = this.get(name).turn.accepted(expectedMs);
    await this.pass(0);
    return () => begins() - this.#start;
  }

  async end(name: string): Promise<void> {
    this.get(name).end();
    await this.pass(0);
  }

  pass(ms: number): Promise<void> {
    return this.clock.advance(ms);
  }

  /** `name@time` of what was sent, in order. */
  get log(): string {
    return [...this.sent].map(([name, { at }]) => `${name}@${at}`).join(' ');
  }
}

describe('the queue of a network', () => {
  it('sends a command so that it arrives when the job before ends', async () => {
    const play = new Play();
    await play.want('a');
    await play.want('b');
    await play.pass(50);
    await play.accept('a', 200);
    await play.pass(169);
    assert.equal(play.log, 'a@0');
    await play.pass(1);
    assert.equal(play.log, 'a@0 b@220', '0.6 of the 50 ms that the answer took before the end at 250');
  });

  it('sends at once when the job before has ended early, and when there is none', async () => {
    const play = new Play();
    await play.want('a');
    await play.accept('a', 5000);
    await play.want('b');
    await play.pass(70);
    await play.end('a');
    assert.equal(play.log, 'a@0 b@70');
    await play.end('b');
    await play.want('c');
    assert.equal(play.log, 'a@0 b@70 c@70');
  });

  it('gives a late job company, and no more than the width allows', async () => {
    const play = new Play();
    for (const name of ['a', 'b', 'c', 'd']) await play.want(name);
    await play.accept('a', 100);
    await play.pass(100);
    await play.accept('b', 100);
    await play.pass(60_000);
    assert.equal(play.log, 'a@0 b@100', 'two hang');
    await play.end('b');
    assert.equal(play.log, 'a@0 b@100 c@60100');
    await play.accept('c', 100);
    await play.end('a');
    assert.equal(play.log, 'a@0 b@100 c@60100', 'd waits for the time at which c is expected to end');
    await play.pass(100);
    assert.equal(play.log, 'a@0 b@100 c@60100 d@60200');
  });

  it('waits for an answer to know when the job ends, but not for ever', async () => {
    const play = new Play();
    await play.want('a');
    await play.want('b');
    await play.pass(1999);
    assert.equal(play.log, 'a@0');
    await play.pass(1);
    assert.equal(play.log, 'a@0 b@2000');
  });

  it('knows that a job begins when those before it have ended', async () => {
    const play = new Play();
    await play.want('a');
    const first = await play.accept('a', 100);
    await play.want('b');
    await play.pass(100);
    await play.pass(20);
    const second = await play.accept('b', 300);
    assert.equal(first(), 0);
    assert.equal(second(), 120, 'a is overdue: it ends now at the earliest');
    await play.pass(40);
    assert.equal(second(), 160);
    await play.end('a');
    assert.equal(second(), 120, 'a was expected to have ended before b was accepted');
    await play.want('c');
    await play.pass(500);
    assert.equal(second(), 120);
  });

  it('begins a job that is accepted before the end of the one before at that end', async () => {
    const play = new Play();
    await play.want('a');
    await play.want('b');
    await play.pass(50);
    await play.accept('a', 200);
    await play.pass(170);
    const second = await play.accept('b', 100);
    assert.equal(second(), 250);
    await play.pass(10);
    await play.end('a');
    assert.equal(second(), 230, 'it ended 20 ms earlier than expected');
  });

  it('counts the commands of one turn one after another', async () => {
    const play = new Play();
    await play.want('a');
    await play.accept('a', 100);
    await play.pass(90);
    const again = await play.accept('a', 100);
    assert.equal(again(), 90);
    await play.want('b');
    await play.pass(99);
    assert.equal(play.log, 'a@0');
    await play.pass(1);
    assert.equal(play.log, 'a@0 b@190');
  });

  it('counts a further command of a turn behind those that were accepted meanwhile', async () => {
    const play = new Play();
    await play.want('a');
    await play.accept('a', 100);
    await play.want('b');
    await play.pass(100);
    const second = await play.accept('b', 50);
    assert.equal(second(), 100);
    const third = await play.accept('a', 100);
    assert.equal(third(), 150);
    await play.end('b');
    await play.want('c');
    await play.pass(99);
    assert.equal(play.log, 'a@0 b@100');
    await play.pass(1);
    assert.equal(play.log, 'a@0 b@100 c@200', 'b had ended at once');
  });

  it('keeps the order of those who wait, and forgets those who do so no more', async () => {
    const play = new Play(1);
    const impatient = play.scope.child();
    await play.want('a');
    await play.want('b', { scope: impatient });
    await play.want('c');
    await play.want('d');
    impatient.cancel(new CancelledError('enough'));
    await play.end('a');
    await play.end('c');
    await play.end('d');
    assert.deepEqual([...play.sent.keys()], ['a', 'c', 'd']);
    assert.equal(play.queue.size, 0);
    assert.equal(play.clock.timers, 0);
  });

  it('sends nothing for one who waits no more before having begun', async () => {
    const play = new Play();
    const over = play.scope.child();
    over.cancel(new CancelledError('enough'));
    await play.want('a', { scope: over });
    assert.equal(play.log, '');
    assert.equal(play.queue.size, 0);
  });

  it('holds up nobody in another network', async () => {
    const play = new Play();
    await play.want('a');
    await play.want('b', { network: 'other' });
    assert.equal(play.log, 'a@0 b@0');
    assert.equal(play.queue.size, 2);
    await play.end('a');
    await play.end('b');
    assert.equal(play.queue.size, 0);
  });
});
