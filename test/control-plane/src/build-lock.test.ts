import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { tryLock } from './build-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'build-lock-'));
after(() => rmSync(folder, { recursive: true }));

test('only one can hold the lock, until it gives it back', () => {
  const path = join(folder, 'deep', 'one.lock');
  const unlock = tryLock(path);
  assert.ok(unlock);
  assert.equal(tryLock(path), undefined);
  unlock();
  assert.equal(existsSync(path), false);
  assert.ok(tryLock(path));
});

test('the lock of a process that is gone is taken over', () => {
  const path = join(folder, 'two.lock');
  const { pid } = spawnSync('true');
  writeFileSync(path, String(pid));
  assert.ok(tryLock(path));
});

test('a lock that is just being written is respected', () => {
  const path = join(folder, 'three.lock');
  writeFileSync(path, '');
  assert.equal(tryLock(path), undefined);
});
