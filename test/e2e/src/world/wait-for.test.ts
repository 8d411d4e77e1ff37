import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stays, waitFor } from './wait-for.ts';

test('waits until the check passes and gives back its result', async () => {
  let looks = 0;
  const result = await waitFor('it is the third look', () => {
    looks += 1;
    assert.equal(looks, 3);
    return 'done';
  });
  assert.equal(result, 'done');
});

test('when time is up it tells what it waited for and the last failure', async () => {
  const check = (): never => assert.fail('it is 4');
  await assert.rejects(
    waitFor('it is 5', check, 120),
    (error) => error instanceof Error && error.message === 'It did not become true within 0.12 s that it is 5\nit is 4',
  );
});

test('what must stay true fails at the first time it does not', async () => {
  let looks = 0;
  await stays('it is quiet', () => looks++, 250);
  assert.ok(looks >= 2);
  await assert.rejects(
    stays('it is quiet', () => assert.fail('a noise'), 10_000),
    (error) => error instanceof Error && error.message === 'It did not stay true that it is quiet\na noise',
  );
});
