import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock, Scope } from '@cloudstack-ccm/base';
import { StatusError } from './errors.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

const conflict = (): StatusError => new StatusError({ httpStatus: 409, reason: 'Conflict', message: 'modified' });

describe('retrying on conflict', () => {
  it('tries as often as it may, with pauses of one to two times the base', async () => {
    const clock = new FakeClock();
    const times: number[] = [];
    const last = conflict();
    const outcome = retryOnConflict(
      Scope.root(clock),
      async () => {
        times.push(clock.monotonic());
        throw times.length === 4 ? last : conflict();
      },
      { tries: 4, baseMs: 50, random: () => 0.5 },
    ).catch((thrown: unknown) => thrown);
    await clock.advance(1000);
    assert.equal(await outcome, last);
    assert.deepEqual(times, [0, 75, 150, 225]);
  });

  it('gives the result of the first try that works', async () => {
    const clock = new FakeClock();
    let tries = 0;
    const outcome = retryOnConflict(Scope.root(clock), async () => {
      if (++tries < 3) throw conflict();
      return 'stored';
    });
    await clock.advance(1000);
    assert.equal(await outcome, 'stored');
  });

  it('does not try again after any other error, nor when the object exists already', async () => {
    const errors = [
      new StatusError({ httpStatus: 404, reason: 'NotFound', message: 'gone' }),
      new StatusError({ httpStatus: 409, reason: 'AlreadyExists', message: 'exists' }),
      new Error('unrelated'),
    ];
    for (const error of errors) {
      let tries = 0;
      const outcome = retryOnConflict(Scope.root(new FakeClock()), () => {
        tries++;
        return Promise.reject(error);
      });
      await assert.rejects(outcome, error);
      assert.equal(tries, 1);
    }
  });
});
