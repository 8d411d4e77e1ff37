import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readParts, sourceOf } from './source-of.ts';

test('finds where each source file begins in a bundle', () => {
  const bundle =
    '// a banner\n// packages/base/src/log.ts\nfunction log() {}\n// note\n// apps/ccm/src/run.ts\nrun();\n';
  assert.deepEqual(readParts(bundle), [
    { line: 2, file: 'packages/base/src/log.ts' },
    { line: 5, file: 'apps/ccm/src/run.ts' },
  ]);
});

test('outside of a bundle the caller is the source already', () => {
  assert.equal(sourceOf('run.ts:12'), 'run.ts:12');
});
