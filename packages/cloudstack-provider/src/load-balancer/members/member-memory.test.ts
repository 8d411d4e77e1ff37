import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { FakeClock } from '@cloudstack-ccm/base';
import type { Member } from './members.ts';
import { MemberMemory } from './member-memory.ts';

const [one, two]: readonly Member[] = [
  { machineId: 'vm-1', name: 'node-1' },
  { machineId: 'vm-2', name: 'node-2' },
];
if (!one || !two) throw new Error('two members');
const RULE = { id: 'rule' };
const HOUR = 3_600_000;

let clock = new FakeClock();
let memory = new MemberMemory(clock);
beforeEach(() => {
  clock = new FakeClock();
  memory = new MemberMemory(clock);
});

test('what was read is followed by what was done', () => {
  memory.remember('rule', [one]);
  memory.learn({ kind: 'add-members', rule: RULE, ruleName: 'r', members: [two] }, 'done', 'rule');
  assert.deepEqual(memory.recall('rule'), [one, two]);
  memory.learn({ kind: 'remove-members', rule: RULE, ruleName: 'r', members: [one] }, 'done', 'rule');
  assert.deepEqual(memory.recall('rule'), [two]);
});

test('what was done to a rule that was never read tells nothing', () => {
  memory.learn({ kind: 'add-members', rule: RULE, ruleName: 'r', members: [two] }, 'done', 'rule');
  assert.equal(memory.recall('rule'), undefined);
});

test('an action that failed may have done anything', () => {
  memory.remember('rule', [one]);
  memory.learn({ kind: 'add-members', rule: RULE, ruleName: 'r', members: [two] }, 'failed', 'rule');
  assert.equal(memory.recall('rule'), undefined);
});

test('where some addresses of a member come or go, the members are better read', () => {
  memory.remember('rule', [one]);
  const members = [{ ...one, addresses: ['10.0.0.9'] }];
  memory.learn({ kind: 'remove-members', rule: RULE, ruleName: 'r', members }, 'done', 'rule');
  assert.equal(memory.recall('rule'), undefined);
});

test('what was read an hour ago is not believed, whatever was done since', async () => {
  memory.remember('rule', [one]);
  await clock.advance(HOUR - 1);
  memory.learn({ kind: 'add-members', rule: RULE, ruleName: 'r', members: [two] }, 'done', 'rule');
  assert.deepEqual(memory.recall('rule'), [one, two]);
  await clock.advance(1);
  assert.equal(memory.recall('rule'), undefined);
});

test('rules that nobody asks for any more leave nothing behind', async () => {
  memory.remember('old', [one]);
  memory.remember('young', [one]);
  await clock.advance(HOUR / 2);
  memory.remember('young', [two]);
  await clock.advance(HOUR / 2);
  memory.remember('new', [one]);
  assert.equal(memory.size, 2);
  assert.deepEqual(memory.recall('young'), [two]);
});
