import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { KEYS } from './keys.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/reference/cloud-config.md'), 'utf8');

test('the reference page describes each key, and no other', () => {
  const rows = PAGE.split('\n').filter((line) => /^\| `/.test(line));
  const described = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, key]) => key),
  );
  assert.deepEqual(
    described.sort(),
    Object.values(KEYS)
      .map(({ name }) => name)
      .sort(),
  );
});
