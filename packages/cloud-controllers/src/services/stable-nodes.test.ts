import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { AUTOSCALER_TAINT, EXCLUDE_LABEL } from '../nodes/well-known.ts';
import { aNode } from '../testing/objects.ts';
import { describeNodes, isIncluded, isStable, membershipChanged, stableNodes } from './stable-nodes.ts';

const excluded = (value: string) => ({ labels: { [EXCLUDE_LABEL]: value } });
const CA = { taints: [{ key: AUTOSCALER_TAINT, effect: 'NoSchedule' }] };
const GOING = { deletionTimestamp: '2026-01-01T00:00:00Z' };

describe('A node belongs to load balancers', () => {
  test('whether it is ready or not (W7, W12)', () => {
    for (const ready of ['True', 'False', 'Unknown'] as const) assert.equal(isStable(aNode('n', { ready })), true);
    assert.equal(isStable(aNode('n', { taints: [{ key: 'a', effect: 'NoExecute' }] })), true);
  });

  test('unless it goes, or the autoscaler says so (W8, W11)', () => {
    assert.equal(isStable(aNode('n', CA)), false);
    assert.equal(isStable(aNode('n', GOING)), false);
  });

  test('unless its label says so, and only Go’s false is a no (W9, W29)', () => {
    for (const value of ['', 'true', 'no', 'foo']) assert.equal(isIncluded(aNode('n', excluded(value))), false, value);
    for (const value of ['0', 'F', 'false']) assert.equal(isIncluded(aNode('n', excluded(value))), true, value);
    assert.equal(isStable(aNode('n', excluded(''))), false);
  });
});

describe('A change of a node touches load balancers', () => {
  test('when the exclude label comes or goes, whatever else the node carries (W19, W22)', () => {
    for (const parts of [{}, CA, { ready: 'False' as const }, { providerID: 'a' }]) {
      const plain = aNode('n', parts);
      const out = aNode('n', { ...parts, ...excluded('') });
      assert.equal(membershipChanged(plain, out), true);
      assert.equal(membershipChanged(out, plain), true);
      assert.equal(membershipChanged(out, out), false);
    }
  });

  test('when the provider ID changes (W21, W23)', () => {
    for (const parts of [{}, CA, excluded(''), { ready: 'False' as const }]) {
      assert.equal(membershipChanged(aNode('n', parts), aNode('n', { ...parts, providerID: 'a' })), true);
      assert.equal(membershipChanged(aNode('n', { ...parts, providerID: 'a' }), aNode('n', parts)), true);
    }
    assert.equal(membershipChanged(aNode('n', { providerID: 'a' }), aNode('n', { providerID: 'b' })), true);
  });

  test('and by nothing else (W20, W24)', () => {
    for (const parts of [CA, GOING, { ready: 'True' as const }, { ready: 'False' as const }, { labels: { a: 'b' } }]) {
      assert.equal(membershipChanged(aNode('n'), aNode('n', parts)), false);
      assert.equal(
        membershipChanged(aNode('n', excluded('')), aNode('n', { ...parts, labels: { [EXCLUDE_LABEL]: '' } })),
        false,
      );
    }
  });
});

test('Only matching nodes are listed (W26)', () => {
  const nodes = [aNode('a'), aNode('b', CA), aNode('c', GOING), aNode('d', excluded('')), aNode('e')];
  assert.deepEqual(
    stableNodes(nodes).map(({ name }) => name),
    ['a', 'e'],
  );
});

test('At most twenty names are told (W28)', () => {
  const nodes = Array.from({ length: 25 }, (_, index) => aNode(`n${String(25 - index).padStart(2, '0')}`));
  const text = describeNodes(stableNodes(nodes));
  assert.equal(text.split(' ').length, 22);
  assert.match(text, /^n06 n07 .* n25 <5 more>$/);
  assert.equal(describeNodes(stableNodes(nodes.slice(0, 2))), 'n24 n25');
});
