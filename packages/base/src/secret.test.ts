import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Secret } from './secret.ts';

test('only reveal gives the value', () => {
  const secret = new Secret('hunter2');
  const shown = [
    String(secret),
    `${String(secret)}!`,
    JSON.stringify({ secret }),
    inspect(secret),
    inspect({ secret }, { showHidden: true }),
  ];
  assert.ok(shown.every((text) => text.includes('<redacted>') && !text.includes('hunter2')));
  assert.equal(secret.reveal(), 'hunter2');
});

test('secrets compare by value', () => {
  assert.equal(new Secret('a').equals(new Secret('a')), true);
  assert.equal(new Secret('a').equals(new Secret('b')), false);
  assert.equal(new Secret('').empty, true);
});
