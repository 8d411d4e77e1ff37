import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { Causes, type Cause } from './causes.ts';

async function taken(causes: Causes, key: string): Promise<Cause | undefined> {
  let seen: Cause | undefined;
  await causes.take(key, async (cause) => {
    seen = cause;
  });
  return seen;
}

describe('The causes of a sync', () => {
  test('are the nodes only if nothing else happened, in whatever order', async () => {
    const causes = new Causes();
    void causes.noteNodes('a');
    assert.equal(await taken(causes, 'a'), 'nodes');
    void causes.noteNodes('a');
    causes.note('a');
    assert.equal(await taken(causes, 'a'), 'service');
    causes.note('a');
    void causes.noteNodes('a');
    assert.equal(await taken(causes, 'a'), 'service');
  });

  test('are taken with the key, and count as the whole Service when none was noted', async () => {
    const causes = new Causes();
    void causes.noteNodes('a');
    await taken(causes, 'a');
    assert.equal(await taken(causes, 'a'), 'service');
  });

  test('that come during the work are for the next time', async () => {
    const causes = new Causes();
    causes.note('a');
    await causes.take('a', async () => void causes.noteNodes('a'));
    assert.equal(await taken(causes, 'a'), 'nodes');
  });

  test('tell whoever waits for the nodes when the work has ended, even badly', async () => {
    const causes = new Causes();
    const waiting = [causes.noteNodes('a'), causes.noteNodes('a')];
    await assert.rejects(
      causes.take('a', () => Promise.reject(new Error('no'))),
      /no/,
    );
    await Promise.all(waiting);
  });
});
