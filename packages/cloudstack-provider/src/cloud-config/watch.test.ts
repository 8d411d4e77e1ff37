import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as realPause } from 'node:timers/promises';
import { test } from 'node:test';
import { FakeClock, Scope, silentLogger } from '@cloudstack-ccm/base';
import { loadCloudConfig, type LoadedCloudConfig } from './load.ts';
import { CloudConfigWatcher } from './watch.ts';

const text = (zone: string): string =>
  `[Global]\napi-url = http://127.0.0.1:1/\napi-key = KEY\nsecret-key = SECRET\nzone = ${zone}\n`;

/** A watched file, and what the watcher told. `refuse` makes each attempt fail. */
async function world() {
  const directory = await mkdtemp(join(tmpdir(), 'watch-'));
  const path = join(directory, 'cloud-config');
  await writeFile(path, text('a'));
  const clock = new FakeClock();
  const scope = Scope.root(clock);
  const told: string[] = [];
  const attempts: string[] = [];
  const state = { config: (await loadCloudConfig(path)).config, refuse: '' };
  const adopt = async (_scope: Scope, config: LoadedCloudConfig): Promise<void> => {
    if (state.refuse !== '') throw new Error(state.refuse);
    state.config = config;
  };
  const watcher = new CloudConfigWatcher({
    path,
    load: {},
    log: silentLogger,
    current: () => state.config,
    adopt,
    attempted: (result) => attempts.push(result),
    notify: ({ type, reason, message }) => told.push(`${type} ${reason}: ${message}`),
  });
  watcher.run(scope).catch(() => undefined);
  /** Files are real, so only the watcher knows when it has read them: it sleeps then. */
  const asleep = async (): Promise<void> => {
    while (clock.timers === 0) await realPause(1);
  };
  /** Lets the watcher look a few times. */
  const pass = async (): Promise<void> => {
    for (let period = 0; period < 5; period++) {
      await asleep();
      await clock.advance(10_000);
    }
    await asleep();
  };
  return {
    attempts,
    pass,
    state,
    told,
    write: async (zone: string) => {
      await asleep();
      await writeFile(path, text(zone));
    },
    async [Symbol.asyncDispose]() {
      scope.cancel();
      await rm(directory, { recursive: true });
    },
  };
}

test('tells nothing while nothing changes', async () => {
  await using it = await world();
  await it.pass();
  assert.deepEqual([it.told, it.attempts], [[], []]);
});

test('takes a change once, and tells of it', async () => {
  await using it = await world();
  await it.write('b');
  await it.pass();
  assert.equal(it.state.config.zone, 'b');
  assert.deepEqual(it.told, ['Normal CloudConfigReloaded: Took a changed cloud-config into use']);
  assert.deepEqual(it.attempts, ['success']);
});

test('tries a refused change again and again, and tells each reason once', async () => {
  await using it = await world();
  it.state.refuse = 'CloudStack says 401';
  await it.write('b');
  await it.pass();
  assert.ok(it.attempts.length > 2);
  assert.deepEqual(it.told, ['Warning CloudConfigRefused: Kept the old cloud-config: CloudStack says 401']);
  it.state.refuse = 'HTTP 503';
  await it.pass();
  assert.equal(it.told.length, 2);
  it.state.refuse = '';
  await it.pass();
  assert.match(it.told.at(-1) ?? '', /CloudConfigReloaded/);
  assert.equal(it.state.config.zone, 'b');
});
