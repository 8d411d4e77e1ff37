import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FieldSkipper } from './skip-fields.ts';

function skipped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(skipped);
  if (typeof value !== 'object' || value === null) return value;
  const isSkipped = (key: string, field: unknown): boolean =>
    (key === 'images' || key === 'managedFields') && typeof field === 'object' && field !== null;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, isSkipped(key, field) ? null : skipped(field)]),
  );
}

describe('the skipper of fields', () => {
  const skipper = new FieldSkipper(['managedFields', 'images']);

  it('makes the named fields null wherever they are, and changes nothing else', () => {
    const key = fc.oneof(fc.string(), fc.constantFrom('images', 'managedFields', '"images', '\\"images', 'images":['));
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('"images":[', '\\', '"', '\\"images":{', '}]'),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.boolean(), fc.constant(null), tie('object'), tie('list')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      object: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    }));
    fc.assert(
      fc.property(value, (json) => {
        const text = JSON.stringify(json);
        assert.deepEqual(JSON.parse(skipper.text(Buffer.from(text))), skipped(JSON.parse(text)));
      }),
      { numRuns: 1000 },
    );
  });

  it('leaves no trace of what it skips in the text', () => {
    const json =
      '{"status":{"images":[{"names":["a]\\"b"]}],"phase":"x"},"metadata":{"managedFields":[{}],"name":"ä"}}';
    assert.equal(
      skipper.text(Buffer.from(json)),
      '{"status":{"images":null,"phase":"x"},"metadata":{"managedFields":null,"name":"ä"}}',
    );
  });

  it('leaves JSON that was cut off for the parser to refuse', () => {
    assert.throws(() => JSON.parse(skipper.text(Buffer.from('{"images":[{"names":["a'))));
  });
});
