import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from './log.ts';
import { readVmodule } from './vmodule.ts';

test('a pattern names files without folder and extension, and the first that matches counts', () => {
  const level = readVmodule('node-*=4, workers.ts=6,node-initializer=9');
  assert.equal(level?.('packages/x/src/node-initializer.ts:12'), 4);
  assert.equal(level?.('workers.ts:3'), 6);
  assert.equal(level?.('my-workers.ts:3'), undefined);
});

test('no pattern costs nothing', () => assert.equal(readVmodule(' ,'), undefined));

test('lines of a file that a pattern names show at its verbosity, others at the usual one', () => {
  const shown: string[] = [];
  const logger = (vmodule: string) =>
    createLogger({
      sink: ({ message }) => void shown.push(message),
      verbosity: { level: 1 },
      now: () => 0,
      fileVerbosity: readVmodule(vmodule),
    }).with({ a: 1 });
  const [named, other] = [logger('vmodule*=5'), logger('another=5')];
  for (const log of [named, other]) {
    log.debug(1, 'one');
    log.debug(5, 'five');
    log.debug(6, 'six');
  }
  assert.deepEqual(shown, ['one', 'five', 'one']);
  assert.deepEqual([named.enabled(5), named.enabled(6), other.enabled(5)], [true, false, false]);
});
