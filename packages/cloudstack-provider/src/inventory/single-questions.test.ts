import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@cloudstack-ccm/base';
import { SingleQuestions } from './single-questions.ts';

test('a few may be asked for singly, and again when time has passed', async () => {
  const clock = new FakeClock();
  const questions = new SingleQuestions(clock, 2, 1000);
  assert.deepEqual([questions.take(), questions.take(), questions.take()], [true, true, false]);
  await clock.advance(999);
  assert.equal(questions.take(), false);
  await clock.advance(1);
  assert.equal(questions.take(), true);
});

test('those that were refused do not count', async () => {
  const clock = new FakeClock();
  const questions = new SingleQuestions(clock, 1, 1000);
  questions.take();
  await clock.advance(900);
  questions.take();
  await clock.advance(100);
  assert.equal(questions.take(), true);
});
