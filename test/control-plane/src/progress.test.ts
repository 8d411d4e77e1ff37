import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progressLine, progressPrinter } from './progress.ts';

test('says what is done, how far it is, and for how long', () => {
  const line = progressLine({
    doing: 'compiling',
    detail: 'k8s.io/api/core/v1',
    compiled: 12,
    packages: 1300,
    elapsedMs: 61_500,
  });
  assert.equal(line, ' 61 s  compiling kube-apiserver and etcd: 12 of up to 1300 packages (k8s.io/api/core/v1)');
});

test('on a terminal each line replaces the one before and fits', () => {
  const written: string[] = [];
  const print = progressPrinter((text) => written.push(text), 10);
  print(0, 'a line that is longer');
  print(1, 'short');
  assert.deepEqual(written, ['\r\u001B[Ka line th', '\r\u001B[Kshort']);
});

test('in a log there is a line every ten seconds', () => {
  const written: string[] = [];
  const print = progressPrinter((text) => written.push(text), undefined);
  for (let second = 0; second <= 25; second++) print(second * 1000, `second ${second}`);
  assert.deepEqual(written, ['second 0\n', 'second 10\n', 'second 20\n']);
});
