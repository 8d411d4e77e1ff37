import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isLabelKey, instanceType, labelValue } from './label-values.ts';

const VALID = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

for (const [name, value] of [
  ['A-B', 'A-B'],
  ['eu.west_1', 'eu.west_1'],
  ['North Zone (1)', 'North_Zone__1'],
  ['-zone-', 'zone'],
  ['Zürich', 'Z_rich'],
  ['東京', ''],
  ['', ''],
  ['x'.repeat(70), 'x'.repeat(63)],
  [`${'x'.repeat(62)}-y`, 'x'.repeat(62)],
] as const) {
  test(`zone ${JSON.stringify(name)} becomes label ${JSON.stringify(value)}`, () =>
    assert.equal(labelValue(name), value));
}

for (const [offering, type] of [
  ['Small Instance', 'SmallInstance'],
  ['4C-8G', '4C8G'],
  ['Small (4 GB / 2 CPU)', 'Small4GB2CPU'],
  ['Größe M', 'GreM'],
  ['---', ''],
  ['a'.repeat(80), 'a'.repeat(63)],
] as const) {
  test(`offering ${JSON.stringify(offering)} becomes type ${JSON.stringify(type)}, as the Go controller has it`, () =>
    assert.equal(instanceType(offering), type));
}

test('whatever a name is, Kubernetes takes its label, and the same name gives the same label', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (name) => {
      assert.match(labelValue(name), VALID);
      assert.match(instanceType(name), VALID);
      assert.equal(labelValue(labelValue(name)), labelValue(name));
    }),
  );
});

test('knows which keys Kubernetes takes', () => {
  for (const key of ['rack', 'example.org/rack', 'a', 'x'.repeat(63), 'Team_1.a-b']) assert.ok(isLabelKey(key), key);
  const wrong = [
    '',
    '/',
    'a/',
    '/a',
    'a/b/c',
    'Example.org/a',
    '-a',
    'a b',
    'x'.repeat(64),
    'a..b/c',
    `${'d'.repeat(254)}/a`,
  ];
  for (const key of wrong) assert.ok(!isLabelKey(key), key);
});
