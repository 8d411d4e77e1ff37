import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { annotationReference, eventReference } from './reference.ts';

const FOLDER = join(import.meta.dirname, '../../../../../docs/reference');

describe('the reference pages', () => {
  for (const [file, text] of [
    ['annotations.md', annotationReference()],
    ['load-balancer-events.md', eventReference()],
  ] as const) {
    it(`say what the code does: ${file} (made anew with UPDATE_REFERENCE=1)`, async () => {
      const path = join(FOLDER, file);
      if (process.env['UPDATE_REFERENCE'] === '1') await writeFile(path, text);
      assert.equal(words(await readFile(path, 'utf8')), words(text));
    });
  }
});

/** The formatter aligns tables: how much white space there is does not matter. */
function words(text: string): string {
  return text.replaceAll(/-{3,}/g, '---').replaceAll(/\s+/g, ' ').trim();
}
