import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playHistory } from './history.ts';

/** `npm run node-histories` plays many more. */
const COUNT = 60;

test('no node of a living machine is lost and no node of a dead one stays, whatever happens', async () => {
  let deletions = 0;
  for (let seed = 1; seed <= COUNT; seed++) {
    const verdict = await playHistory(seed);
    deletions += verdict.deletions;
    const again = `npm run node-histories -- --seed=${seed} --count=1`;
    assert.equal(verdict.broken, undefined, `play it again with: ${again}\n${verdict.story.join('\n')}`);
  }
  assert.ok(deletions > COUNT / 2, `in ${COUNT} histories only ${deletions} nodes were deleted: they prove little`);
});
