import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findChromium } from './chromium.ts';

describe('finding Chromium', () => {
  let folder = '';
  const program = async (name: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, '#!/bin/sh\n');
    await chmod(path, 0o755);
    return path;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'programs-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('takes what CHROMIUM names, then CHROME_PATH, then what PATH has', async () => {
    const [one, two, three] = [await program('one'), await program('two'), await program('chromium')];
    assert.equal(findChromium({ CHROMIUM: one, CHROME_PATH: two, PATH: folder }), one);
    assert.equal(findChromium({ CHROME_PATH: two, PATH: folder }), two);
    assert.equal(findChromium({ CHROMIUM: 'two', PATH: folder }), two);
    assert.equal(findChromium({ CHROMIUM: '', PATH: folder }), three);
  });

  it('says how to install one where there is none', () => {
    assert.throws(() => findChromium({ PATH: join(folder, 'empty') }), /apt-get install chromium.*CHROMIUM/);
    assert.throws(() => findChromium({ CHROMIUM: '/nothing/here', PATH: folder }), /No Chromium was found/);
  });
});
