import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseLabelSelector, selects } from './label-selector.ts';

function selected(text: string, labels: Readonly<Record<string, string>>): boolean {
  const reading = parseLabelSelector(text);
  assert.ok('value' in reading, text);
  return selects(reading.value, labels);
}

describe('a label selector', () => {
  it('knows equality, sets and existence, as kubectl does', () => {
    const labels = { role: 'edge', zone: 'a', 'example.com/pool': 'x' };
    for (const text of ['role=edge', 'role == edge', 'role!=core', 'tier!=x', 'role', '!tier', 'example.com/pool=x']) {
      assert.equal(selected(text, labels), true, text);
    }
    for (const text of ['role=core', 'role!=edge', '!role', 'tier', 'role in (core)', 'role notin (edge, core)']) {
      assert.equal(selected(text, labels), false, text);
    }
    assert.equal(selected('role in (core, edge), zone notin (b), !tier', labels), true);
  });

  it('is refused when a condition is none', () => {
    for (const text of ['role=', 'role=edge=x', 'role in edge', '=x', 'a b', 'role in (a,b']) {
      const reading = parseLabelSelector(text);
      assert.equal('problem' in reading, text !== 'role=', text);
    }
  });
});
