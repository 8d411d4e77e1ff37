import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cacheFolder, cacheKey, kubernetesVersion, moduleFolder, requiredGoVersion } from './go-module.ts';

const folder = mkdtempSync(join(tmpdir(), 'go-module-'));
after(() => rmSync(folder, { recursive: true }));

test('reads the versions it builds with and builds', () => {
  assert.match(requiredGoVersion(), /^1\.\d+\.\d+$/);
  assert.match(kubernetesVersion(), /^v1\.\d+\.\d+$/);
});

test('the cache key stays when the module stays, and changes with each of its files', () => {
  cpSync(moduleFolder, folder, { recursive: true });
  const key = cacheKey(folder);
  assert.equal(key, cacheKey(moduleFolder));
  const keys = ['go.mod', 'go.sum', 'cmd/lite/main.go'].map((file) => {
    writeFileSync(join(folder, file), 'changed');
    return cacheKey(folder);
  });
  assert.equal(new Set([key, ...keys]).size, 4);
});

test('files that Go does not read leave the cache key alone', () => {
  const key = cacheKey(folder);
  writeFileSync(join(folder, 'notes.md'), 'text');
  assert.equal(cacheKey(folder), key);
});

test('the cache is where XDG_CACHE_HOME says, else in the home folder', () => {
  assert.ok(cacheFolder({ XDG_CACHE_HOME: '/somewhere' }).startsWith('/somewhere/cloudstack-ccm/control-plane/'));
  assert.match(cacheFolder({}), /\/\.cache\/cloudstack-ccm\/control-plane\/[0-9a-f]{16}$/);
});
