import assert from 'node:assert/strict';
import { test } from 'node:test';

import { mayFollow, type ManagerState } from './manager-state.ts';

test('A manager only goes forward, and nothing follows its end', () => {
  const order: readonly ManagerState[] = ['starting', 'standby', 'leading', 'stopping', 'stopped'];
  for (const [index, from] of order.entries()) {
    for (const to of order.slice(0, index)) assert.equal(mayFollow(from, to), false, `${from} to ${to}`);
  }
  for (const from of ['starting', 'standby', 'leading', 'stopping'] as const) {
    assert.equal(mayFollow(from, 'lost'), true);
  }
  assert.equal(mayFollow('stopped', 'lost'), false);
  assert.equal(mayFollow('lost', 'leading'), false);
});
