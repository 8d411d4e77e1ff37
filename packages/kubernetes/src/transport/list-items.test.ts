import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DecodeError } from '../errors.ts';
import { ListItemSplitter } from './list-items.ts';

function split(text: string, chunkBytes: number): { readonly items: unknown[]; readonly envelope: unknown } {
  const splitter = new ListItemSplitter('the list', 1_000_000);
  const bytes = Buffer.from(text);
  const items: string[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    items.push(...splitter.push(bytes.subarray(at, at + chunkBytes)).map(String));
  }
  return {
    items: items.map((item) => JSON.parse(item) as unknown),
    envelope: JSON.parse(splitter.envelope()) as unknown,
  };
}

describe('the splitter of lists', () => {
  it('cuts any list into its items and an envelope, however it is written and wherever chunks end', () => {
    const object = fc.dictionary(fc.oneof(fc.string(), fc.constant('items')), fc.jsonValue());
    fc.assert(
      fc.property(
        fc.array(object, { maxLength: 5 }),
        object,
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(undefined, 2),
        fc.boolean(),
        (items, envelope, chunkBytes, indent, first) => {
          const list = first ? { ...envelope, items } : Object.assign({ items }, envelope, { items });
          const result = split(JSON.stringify(list, null, indent), chunkBytes);
          assert.deepEqual(result.items, JSON.parse(JSON.stringify(items)));
          assert.deepEqual(result.envelope, JSON.parse(JSON.stringify({ ...list, items: [] })));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('takes null items for none', () => {
    assert.deepEqual(split('{"items":null,"metadata":{"resourceVersion":"7"}}', 5), {
      items: [],
      envelope: { items: null, metadata: { resourceVersion: '7' } },
    });
  });

  it('is not misled by a field called items deeper down, or by a value "items"', () => {
    const list = { kind: 'items', metadata: { items: [{ no: 1 }] }, items: [{ items: [{ yes: '"items":[' }] }] };
    assert.deepEqual(split(JSON.stringify(list), 3).items, list.items);
  });

  it('keeps the text of an item whole when a character spans two chunks', () => {
    assert.deepEqual(split('{"items":[{"name":"Zürich – 東京"}]}', 1).items, [{ name: 'Zürich – 東京' }]);
  });

  it('refuses an item that is longer than it may be', () => {
    const splitter = new ListItemSplitter('the list of nodes', 100);
    const push = (text: string): unknown[] => splitter.push(Buffer.from(text)).map(String);
    assert.deepEqual(push('{"items":[{"a":1},'), ['{"a":1}']);
    assert.throws(
      () => push(`{"b":"${'x'.repeat(200)}`),
      (error) =>
        error instanceof DecodeError && /an item of the list of nodes is longer than 100 bytes/.test(error.message),
    );
  });
});
