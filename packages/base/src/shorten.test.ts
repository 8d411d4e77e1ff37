import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shorten } from './shorten.ts';

test('a text that fits stays, a longer one is cut and shows it', () => {
  assert.equal(shorten('abcd', 4), 'abcd');
  assert.equal(shorten('abcde', 4), 'abc…');
});
