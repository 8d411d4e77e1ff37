import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { KEYS } from './keys.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/reference/cloud-config.md'), 'utf8');

test('the reference page describes each key, and no other', () => {
  const rows = PAGE.split('\n').filter((line) => line.startsWith('| `'));
  const cells = rows.map((row) => row.split('|')[1] ?? '').join('');
  const described = [...cells.matchAll(/`([a-z-]+)`/g)].map(([, key]) => key);
  assert.deepEqual(new Set(described), new Set(Object.values(KEYS).map(({ name }) => name)));
});
