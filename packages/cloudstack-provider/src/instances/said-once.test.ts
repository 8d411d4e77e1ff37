import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@cloudstack-ccm/base';
import { SaidOnce } from './said-once.ts';

test('says a thing once for as long as it keeps coming up', async () => {
  const clock = new FakeClock();
  const said = new SaidOnce(clock);
  assert.equal(said.first('a'), true);
  for (let hour = 0; hour < 5; hour++) {
    await clock.advance(50 * 60_000);
    assert.equal(said.first('a'), false);
  }
});

test('forgets what does not come up any more', async () => {
  const clock = new FakeClock();
  const said = new SaidOnce(clock);
  for (let index = 0; index < 100; index++) said.first(`node-${index}`);
  await clock.advance(60 * 60_000);
  assert.equal(said.first('another'), true);
  assert.equal(said.size, 1);
});
