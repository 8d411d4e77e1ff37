import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { describeHealth, HealthChecks, type HealthCheck } from './health.ts';

const good = (name: string): HealthCheck => ({ name, check: () => undefined });
const bad = (name: string): HealthCheck => ({
  name,
  check: () => {
    throw new Error('secret cause');
  },
});

async function health(checks: HealthChecks, view: { verbose?: boolean; exclude?: string[]; reveal?: boolean } = {}) {
  const results = await checks.evaluate(new Set(view.exclude));
  const unknown = (view.exclude ?? []).filter((name) => results.every((result) => result.name !== name));
  return describeHealth(results, {
    what: 'healthz',
    verbose: view.verbose ?? false,
    reveal: view.reveal ?? false,
    unknown,
  });
}

function checksOf(...checks: HealthCheck[]): HealthChecks {
  const all = new HealthChecks();
  all.add(...checks);
  return all;
}

describe('Health', () => {
  test('is ok without checks, by a ping (H1)', async () => {
    assert.deepEqual(await health(new HealthChecks()), { ok: true, body: 'ok' });
    assert.equal((await health(new HealthChecks(), { verbose: true })).body, '[+]ping ok\nhealthz check passed\n');
  });

  test('is ok when all is well, in one word or in full (H2, H3)', async () => {
    assert.deepEqual(await health(checksOf(good('good'))), { ok: true, body: 'ok' });
    assert.equal((await health(checksOf(good('good')), { verbose: true })).body, '[+]good ok\nhealthz check passed\n');
  });

  test('is told in full when something is not well, without the cause (H4)', async () => {
    const body = '[+]good ok\n[-]bad failed: reason withheld\nhealthz check failed\n';
    assert.deepEqual(await health(checksOf(good('good'), bad('bad'))), { ok: false, body });
    const batches = checksOf(good('good'));
    batches.add(bad('bad'));
    assert.deepEqual(await health(batches), { ok: false, body });
  });

  test('tells the cause to whom it may', async () => {
    assert.match((await health(checksOf(bad('bad')), { reveal: true })).body, /\[-\]bad failed: secret cause\n/);
  });

  test('looks at checks that are added later (H5)', async () => {
    const checks = checksOf(good('a'), good('b'));
    assert.equal((await health(checks)).ok, true);
    checks.add(bad('c'));
    assert.equal((await health(checks)).ok, false);
  });

  test('leaves out what it is asked to, and says what it does not know', async () => {
    const { ok, body } = await health(checksOf(good('good'), bad('bad')), { exclude: ['bad', 'none'], verbose: true });
    assert.equal(ok, true);
    assert.equal(
      body,
      '[+]good ok\n[+]bad excluded: ok\n' +
        'warn: some health checks cannot be excluded: no matches for "none"\nhealthz check passed\n',
    );
  });

  test('does not let one request wait for another (H7)', async () => {
    let waiting = 0;
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const checks = checksOf({
      name: 'slow',
      check: async () => {
        waiting++;
        await gate;
        return undefined;
      },
    });
    const five = Array.from({ length: 5 }, () => health(checks));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(waiting, 5);
    release();
    for (const { ok } of await Promise.all(five)) assert.equal(ok, true);
  });

  test('shows what an operator should know though all is well', async () => {
    const checks = checksOf({ name: 'guard', check: () => 'holds the deletion of 2 nodes' });
    const { ok, body } = await health(checks, { verbose: true });
    assert.equal(ok, true);
    assert.equal(body, '[+]guard ok: holds the deletion of 2 nodes\nhealthz check passed\n');
  });
});
