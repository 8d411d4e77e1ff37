import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DecodeError } from '../errors.ts';
import { LineSplitter } from './lines.ts';

describe('the splitter of lines', () => {
  it('gives back the lines wherever chunks end, and never the unfinished last one', () => {
    const line = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => text.trim() !== '' && !/[\n\r]/.test(text));
    fc.assert(
      fc.property(fc.array(line), fc.string(), fc.integer({ min: 1, max: 20 }), (lines, rest, chunkBytes) => {
        const splitter = new LineSplitter('a line', 1_000_000);
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join('') + rest.replaceAll('\n', ''));
        const found: string[] = [];
        for (let at = 0; at < bytes.length; at += chunkBytes) {
          found.push(...splitter.push(bytes.subarray(at, at + chunkBytes)).map(String));
        }
        assert.deepEqual(
          found,
          lines.map((text) => Buffer.from(text).toString()),
        );
      }),
    );
  });

  it('passes over empty lines', () => {
    assert.deepEqual(new LineSplitter('a line', 100).push(Buffer.from('\na\n \r\nb\n')).map(String), ['a', 'b']);
  });

  it('refuses a line that never ends', () => {
    const splitter = new LineSplitter('an event', 1000);
    const grow = (): void => {
      for (;;) splitter.push(Buffer.alloc(100, 'x'));
    };
    assert.throws(
      grow,
      (error) => error instanceof DecodeError && error.message === 'an event is longer than 1000 bytes',
    );
  });
});
