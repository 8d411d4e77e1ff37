import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Decision } from './deletion-guard.ts';
import { describeHeld, heldDeletions } from './held-deletions.ts';

const LIMITS = { count: 3, percent: 20, windowMs: 0 };
const hold = (reason: 'no-witness' | 'too-many'): Decision => ({ action: 'hold', reason });

test('Held deletions are gathered by name, whatever else was decided', () => {
  const decisions = new Map<string, Decision>([
    ['b', hold('no-witness')],
    ['x', { action: 'none' }],
    ['a', hold('no-witness')],
  ]);
  assert.deepEqual(heldDeletions(decisions), { reason: 'no-witness', nodes: ['a', 'b'] });
  assert.equal(heldDeletions(new Map([['x', { action: 'wait' }]])), undefined);
});

test('The description names the nodes, the cause and what a person can do', () => {
  const text = describeHeld({ reason: 'no-witness', nodes: ['a', 'b'] }, LIMITS, 2);
  assert.match(text, /^Deletion of 2 of 2 nodes is held \(a, b\): /);
  assert.match(text, /cloudstack\.apache\.org\/confirm-deletion=true/);
  assert.match(describeHeld({ reason: 'too-many', nodes: ['a'] }, LIMITS, 10), /more than 3 nodes and more than 20 %/);
});

test('The description of very many nodes stays short', () => {
  const nodes = Array.from({ length: 5000 }, (_, index) => `node-${index}`);
  const text = describeHeld({ reason: 'too-many', nodes }, LIMITS, 5000);
  assert.ok(text.length < 1024, `${text.length}`);
  assert.match(text, /and 4980 more/);
});
