import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bitString, der, integer, objectIdentifier, sequence, time } from './der.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

test('lengths take one, two or three bytes', () => {
  assert.deepEqual(der(0x04, Buffer.alloc(127)).subarray(0, 2), hex('04 7f'));
  assert.deepEqual(der(0x04, Buffer.alloc(200)).subarray(0, 3), hex('04 81 c8'));
  assert.deepEqual(der(0x04, Buffer.alloc(300)).subarray(0, 4), hex('04 82 01 2c'));
});

test('an integer whose first bit is set gets a zero in front, as it would be negative', () => {
  assert.deepEqual(integer(hex('80')), hex('02 02 00 80'));
  assert.deepEqual(integer(hex('7f')), hex('02 01 7f'));
});

test('object identifiers are written in base 128', () => {
  assert.deepEqual(objectIdentifier('1.2.840.10045.4.3.2'), hex('06 08 2a 86 48 ce 3d 04 03 02'));
  assert.deepEqual(objectIdentifier('2.5.29.17'), hex('06 03 55 1d 11'));
});

test('a bit string tells how many of its last bits do not count', () => {
  assert.deepEqual(bitString(hex('06'), 1), hex('03 02 01 06'));
});

test('a time is written to the second, in UTC', () => {
  assert.equal(time(new Date('2026-03-04T05:06:07.890Z')).subarray(2).toString(), '260304050607Z');
});

test('a sequence holds its items in order', () => {
  assert.deepEqual(sequence(integer(hex('01')), integer(hex('02'))), hex('30 06 02 01 01 02 01 02'));
});
