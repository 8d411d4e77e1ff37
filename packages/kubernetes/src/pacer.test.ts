import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Pacer } from './pacer.ts';

describe('a pacer', () => {
  it('lets others have their turn when 10 ms have been used up, not before', async () => {
    let now = 0;
    let turns = 0;
    const pacer = new Pacer(() => now);
    setImmediate(() => turns++);
    now = 9;
    await pacer.pause();
    assert.equal(turns, 0);
    now = 10;
    await pacer.pause();
    assert.equal(turns, 1);
    setImmediate(() => turns++);
    now = 19;
    await pacer.pause();
    assert.equal(turns, 1);
  });
});
