import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { holdAgainstRecordings } from './contract.ts';

describe('the contract with a real management server', () => {
  it('is kept in every recorded case but the known differences', async () => {
    const { faults, outcomes, summary } = await holdAgainstRecordings();
    assert.deepEqual(faults, [], summary);
    assert.ok(outcomes.length > 1300, `only ${outcomes.length} cases were replayed`);
  });
});
