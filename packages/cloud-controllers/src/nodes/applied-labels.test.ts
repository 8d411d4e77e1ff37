import assert from 'node:assert/strict';
import { test } from 'node:test';

import { APPLIED_LABELS, readAppliedLabels, writeAppliedLabels } from './applied-labels.ts';

test('what is written can be read, and is the same text in whatever order it came', () => {
  const written = writeAppliedLabels({ b: '2', a: '1' }, {});
  assert.deepEqual(written, { [APPLIED_LABELS]: '{"a":"1","b":"2"}' });
  assert.deepEqual(readAppliedLabels({ [APPLIED_LABELS]: '{"a":"1","b":"2"}' }), { a: '1', b: '2' });
  assert.deepEqual(writeAppliedLabels({ a: '1', b: '2' }, { [APPLIED_LABELS]: '{"a":"1","b":"2"}' }), {});
});

test('nothing is written for nothing, and the annotation goes when nothing is left', () => {
  assert.deepEqual(writeAppliedLabels({}, {}), {});
  assert.deepEqual(writeAppliedLabels({}, { [APPLIED_LABELS]: '{"a":"1"}' }), { [APPLIED_LABELS]: null });
});

for (const text of ['', 'nonsense', 'null', '"text"', '{"a":1}', '{"a":{"b":"c"}}']) {
  test(`an annotation of ${JSON.stringify(text)} tells of no labels`, () => {
    assert.deepEqual(readAppliedLabels({ [APPLIED_LABELS]: text }), {});
  });
}
