import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { TestClient } from './testing/client.ts';

const MAIN = new URL('main.ts', import.meta.url).pathname;

function run(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** What a process prints until it ends, and its exit code. */
async function output(args: readonly string[]): Promise<{ code: unknown; out: string; err: string }> {
  const child = run(args);
  const texts = { out: '', err: '' };
  child.stdout?.on('data', (chunk: Buffer) => (texts.out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (texts.err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [unknown];
  return { code, ...texts };
}

test('explains itself', async () => {
  const { code, out } = await output(['--help']);
  assert.equal(code, 0);
  for (const option of ['--port', '--control-port', '--host', '--scene', '--version', '--timing', '--seed']) {
    assert.ok(out.includes(option), option);
  }
});

test('says what is wrong with its options', async () => {
  const port = await output(['--port', 'http']);
  assert.deepEqual([port.code, port.err], [2, '--port must be a whole number, not http\nTry --help.\n']);
  assert.match((await output(['--nonsense'])).err, /--nonsense/);
  assert.match((await output(['--version', '3.0', '--port', '0'])).err, /There is no profile for CloudStack 3\.0/);
});

test('serves a scene from a file, prints where and with which keys, and ends when told to', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'scene-'));
  const file = join(folder, 'scene.yaml');
  await writeFile(file, 'zones: [{ name: zone-x }]\naccounts: [{ name: me, apiKey: KEY, secretKey: SECRET }]\n');
  const child = run(['--port', '0', '--scene', file, '--version', '4.20']);
  try {
    const out = await firstOutput(child);
    const url = /at (http:\/\/127\.0\.0\.1:\d+\/client\/api)/.exec(out)?.[1] ?? '';
    assert.match(out, /me\n {2}api key {5}KEY\n {2}secret key {2}SECRET\n/);
    const zones = await new TestClient(url, { apiKey: 'KEY', secretKey: 'SECRET' }).list('listZones');
    assert.equal(zones[0]?.['name'], 'zone-x');
    const page = /state at (http:\S+)/.exec(out)?.[1] ?? '';
    assert.equal((await fetch(page)).status, 200);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'close'), [0, null]);
  } finally {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true });
  }
});

async function firstOutput(child: ChildProcess): Promise<string> {
  const [chunk] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  return chunk.toString();
}
