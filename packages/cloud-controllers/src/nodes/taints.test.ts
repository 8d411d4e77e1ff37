import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { hasTaint, hasTaintKey, withoutTaint, withTaint } from './taints.ts';

const TAINT = { key: 'foo', value: 'bar', effect: 'NoSchedule' };

describe('A taint', () => {
  test('exists when key and effect are the same (X15)', () => {
    assert.equal(hasTaint([TAINT], { key: 'foo', effect: 'NoSchedule' }), true);
    assert.equal(hasTaint([TAINT], { key: 'other', effect: 'NoSchedule' }), false);
    assert.equal(hasTaint([TAINT], { key: 'foo', effect: 'NoExecute' }), false);
    assert.equal(hasTaintKey([TAINT], 'foo'), true);
  });

  test('is removed only where it matches (X16, X17)', () => {
    assert.deepEqual(withoutTaint([TAINT], { key: 'foo', effect: 'NoSchedule' }), []);
    assert.deepEqual(withoutTaint([TAINT], { key: 'foo', effect: 'NoExecute' }), [TAINT]);
    assert.deepEqual(withoutTaint([TAINT], { key: 'bar', effect: 'NoSchedule' }), [TAINT]);
    assert.deepEqual(withoutTaint([], TAINT), []);
  });

  test('is replaced in place, or appended', () => {
    const other = { key: 'a', effect: 'NoExecute' };
    const added = { key: 'foo', effect: 'NoSchedule' };
    assert.deepEqual(withTaint([TAINT, other], added), [added, other]);
    assert.deepEqual(withTaint([other], added), [other, added]);
  });
});
