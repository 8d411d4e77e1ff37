import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { GoToolchainError } from './errors.ts';
import { requiredGoVersion } from './go-module.ts';
import { atLeast, checkGo } from './go-toolchain.ts';

const folder = mkdtempSync(join(tmpdir(), 'go-toolchain-'));
after(() => rmSync(folder, { recursive: true }));

function installGo(script: string): NodeJS.ProcessEnv {
  writeFileSync(join(folder, 'go'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'go'), 0o755);
  return { PATH: folder };
}

const tells = (text: string) => (error: unknown) =>
  error instanceof GoToolchainError &&
  error.message.startsWith(text) &&
  error.message.includes(`needs Go ${requiredGoVersion()} or newer. Install it from https://go.dev/dl`) &&
  error.message.includes('KUBEBUILDER_ASSETS');

test('without Go the error says what to install', async () => {
  await assert.rejects(checkGo({ PATH: '/nonexistent' }), tells('Go is not installed'));
});

test('with an old Go the error names both versions', async () => {
  await assert.rejects(checkGo(installGo('echo go1.21.3')), tells('Go 1.21.3 is installed'));
});

test('what a Go that cannot be used says is passed on', async () => {
  const environment = installGo('echo "go: go.mod requires go >= 9 (running go 1.22; GOTOOLCHAIN=local)" >&2; exit 1');
  await assert.rejects(checkGo(environment), tells('Go cannot be used (go: go.mod requires go >= 9'));
});

test('a new enough Go passes', async () => {
  assert.equal(await checkGo(installGo('echo go9.1.2')), '9.1.2');
});

test('versions are compared as numbers', () => {
  assert.equal(atLeast('1.26.0', '1.26.0'), true);
  assert.equal(atLeast('1.27', '1.26.5'), true);
  assert.equal(atLeast('1.9.9', '1.26.0'), false);
  assert.equal(atLeast('1.26.2', '1.26.10'), false);
});
