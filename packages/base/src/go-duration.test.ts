import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatGoDuration, parseGoDuration } from './go-duration.ts';

for (const [text, ms] of [
  ['0', 0],
  ['100ms', 100],
  ['1h30m', 5_400_000],
  ['1.5s', 1500],
  ['-2s', -2000],
  ['.5m', 30_000],
  ['12h0m0s', 43_200_000],
] as const) {
  test(`reads ${text}`, () => assert.equal(parseGoDuration(text), ms));
}

for (const text of ['', '5', 's', '1d', '1s ', '1s,2s', 'x1s', '1h-5m']) {
  test(`refuses ${JSON.stringify(text)}`, () => assert.equal(parseGoDuration(text), undefined));
}

for (const [ms, text] of [
  [43_200_000, '12h0m0s'],
  [300_000, '5m0s'],
  [1500, '1.5s'],
  [100, '100ms'],
  [0, '0s'],
  [-2000, '-2s'],
  [0.0015, '1.5µs'],
] as const) {
  test(`writes ${text}`, () => assert.equal(formatGoDuration(ms), text));
}

test('what is written reads back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e10 }), (ms) => assert.equal(parseGoDuration(formatGoDuration(ms)), ms)),
  );
});
