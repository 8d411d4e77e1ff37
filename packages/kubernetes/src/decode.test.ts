import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseJson, Reader } from './decode.ts';
import { DecodeError } from './errors.ts';

function refused(read: () => unknown, message: string): void {
  assert.throws(read, (error) => error instanceof DecodeError && error.message === message);
}

describe('a reader of fields', () => {
  it('gives the zero value for what is absent or null', () => {
    for (const value of [{}, { a: null }]) {
      const fields = Reader.of(value, 'X');
      assert.deepEqual(
        [fields.string('a'), fields.number('a'), fields.boolean('a'), fields.strings('a'), fields.stringMap('a')],
        ['', 0, false, [], {}],
      );
      assert.deepEqual(
        [fields.optionalString('a'), fields.optionalNumber('a'), fields.has('a')],
        [undefined, undefined, false],
      );
      assert.equal(fields.boolean('a', true), true);
      assert.equal(fields.object('a').object('b').string('c'), '');
      assert.deepEqual(
        fields.list('a', (item) => item.string('b')),
        [],
      );
    }
  });

  it('gives what is there', () => {
    const fields = Reader.of({ s: 'x', n: 7, b: true, l: [{ s: 'y' }], t: ['z'], m: { k: 'v' }, e: { k: ['v'] } }, 'X');
    assert.deepEqual([fields.string('s'), fields.number('n'), fields.boolean('b')], ['x', 7, true]);
    assert.deepEqual(
      fields.list('l', (item) => item.string('s')),
      ['y'],
    );
    assert.deepEqual(
      [fields.strings('t'), fields.stringMap('m'), fields.stringLists('e')],
      [['z'], { k: 'v' }, { k: ['v'] }],
    );
    assert.deepEqual([fields.numberOrString('s'), fields.numberOrString('n')], ['x', 7]);
  });

  it('names the path of a field that is something else', () => {
    const fields = Reader.of({ a: { b: [{}, { c: 7 }] }, d: 'text', m: { k: 1 } }, 'Service');
    refused(
      () => fields.object('a').list('b', (item) => item.string('c')),
      'Service.a.b[1].c should be a string, but is a number',
    );
    refused(() => fields.object('a').strings('b'), 'Service.a.b[0] should be a string, but is an object');
    refused(() => fields.number('d'), 'Service.d should be a number, but is a string');
    refused(() => fields.boolean('d'), 'Service.d should be a boolean, but is a string');
    refused(() => fields.object('d'), 'Service.d should be an object, but is a string');
    refused(() => fields.list('a', () => 0), 'Service.a should be a list, but is an object');
    refused(() => fields.stringMap('m'), 'Service.m should be an object of strings, but is an object');
    refused(() => Reader.of([], 'Node'), 'Node should be an object, but is a list');
    refused(() => Reader.of(null, 'Node'), 'Node should be an object, but is null');
  });

  it('quotes the start of what is not JSON', () => {
    refused(() => parseJson('<html>', 'the answer'), 'the answer is not JSON: "<html>"');
  });
});
