import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DecodeError } from '../errors.ts';
import { FieldSkipper } from './skip-fields.ts';

const SKIPPED = ['images', 'managedFields'];
const KEYS = ['"images', '\\"images', 'images":[{'];
const OBJECT = { maxKeys: 3, noNullPrototype: true };
const TEXTS = ['"images":[{', '\\', '"', '}]', '}],', '}],"', '}]}', ',"', '\\"images":[{"'];

describe('the skipper of fields', () => {
  const skipper = new FieldSkipper(SKIPPED);
  const parse = (text: string): unknown => skipper.parse(Buffer.from(text), 'a node');

  it('changes nothing but the named lists, whatever is in them and around them', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...TEXTS));
    const others = fc.oneof(text, fc.constantFrom(...KEYS));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 5 }, text, fc.constant(null), tie('object'), tie('objects'), fc.array(text)),
      objects: fc.oneof({ maxDepth: 5 }, fc.constant([]), fc.array(tie('object'), { maxLength: 3 })),
      object: fc
        .tuple(
          fc.dictionary(others, tie('value'), OBJECT),
          fc.dictionary(fc.constantFrom(...SKIPPED), tie('objects'), OBJECT),
        )
        .map(([any, lists]) => ({ ...lists, ...any })),
    }));
    fc.assert(
      fc.property(value, (json) => {
        const whole: unknown = JSON.parse(JSON.stringify(json));
        // A cut that would have been wrong is not made, so there what is named may be left in.
        assert.deepEqual(withoutNamed(parse(JSON.stringify(json))), withoutNamed(whole));
      }),
      { numRuns: 3000 },
    );
  });

  it('makes the named lists null wherever they are', () => {
    assert.deepEqual(
      parse(
        '{"status":{"images":[{"names":["a","b"]},{}],"phase":"x"},"metadata":{"managedFields":[{"f":{}}],"name":"ä"}}',
      ),
      { status: { images: null, phase: 'x' }, metadata: { managedFields: null, name: 'ä' } },
    );
  });

  it('parses all of it where the end of a list can not be told by its bytes', () => {
    for (const images of [[{ names: ['}]'] }], [{ layers: [{ size: 1 }], name: 'x' }], [{ '}],"a":1': 1 }]]) {
      const whole = { images, phase: 'x' };
      assert.deepEqual(parse(JSON.stringify(whole)), whole);
    }
  });

  it('keeps what comes after a list that is empty', () => {
    const whole = { images: [], conditions: [{ type: 'Ready' }] };
    assert.deepEqual(parse(JSON.stringify(whole)), whole);
  });

  it('says what was not JSON', () => {
    const unreadable = (error: unknown): boolean =>
      error instanceof DecodeError && error.message.startsWith('a node is not');
    for (const text of ['{"images":[{"names":["a', '{"images":[{}],', '{"a":'])
      assert.throws(() => parse(text), unreadable);
  });
});

function withoutNamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNamed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !SKIPPED.includes(key))
      .map(([key, field]) => [key, withoutNamed(field)]),
  );
}
