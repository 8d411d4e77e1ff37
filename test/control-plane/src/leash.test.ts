import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Leash } from './leash.ts';

// Started as a process of its own, this is the parent that crashes.
const PARENT = `
  import { spawn } from 'node:child_process';
  import { Leash } from ${JSON.stringify(join(import.meta.dirname, 'leash.ts'))};
  const leash = new Leash(process.argv[1]);
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  leash.hold(child.pid);
  console.log(child.pid);
`;

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 200 && !condition(); tries++) await pause(25);
  return condition();
}

for (const signal of ['SIGKILL', 'SIGINT', 'SIGTERM'] as const) {
  test(`what a parent started ends when the parent ends by ${signal}, and its folder goes`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'leash-'));
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', PARENT, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface({ input: parent.stdout }), 'line');
    const child = Number(line);
    assert.equal(alive(child), true);
    parent.kill(signal);
    assert.ok(await until(() => !alive(child)), 'the child lives on');
    assert.ok(await until(() => !existsSync(folder)), 'the folder is still there');
  });
}

test('what was released is left alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'leash-'));
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  const pid = child.pid ?? 0;
  const leash = new Leash(folder);
  leash.hold(pid);
  leash.release(pid);
  await leash.close();
  assert.equal(existsSync(folder), false);
  assert.equal(alive(pid), true);
  child.kill('SIGKILL');
});
