import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { LruMap } from './lru-map.ts';
import { keyOfName, splitKey } from './object-key.ts';
import { Store } from './store.ts';

describe('a store', () => {
  it('finds by index exactly what it holds, after any changes', () => {
    const key = fc.constantFrom('a', 'b', 'c');
    const values = fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 });
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.option(values))), (changes) => {
        const store = new Store<readonly string[]>({ value: (object) => object });
        const model = new Map<string, readonly string[]>();
        for (const [name, object] of changes) {
          assert.equal(object ? store.set(name, object) : store.delete(name), model.get(name));
          if (object) model.set(name, object);
          else model.delete(name);
        }
        assert.equal(store.size, model.size);
        for (const value of ['x', 'y', 'z']) {
          const expected = [...model.values()].filter((object) => object.includes(value));
          assert.deepEqual(new Set(store.byIndex('value', value)), new Set(expected));
        }
      }),
    );
  });
});

describe('a map with room for few', () => {
  it('forgets what was used least recently', () => {
    const map = new LruMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    assert.equal(map.get('a'), 1);
    map.set('c', 3);
    assert.deepEqual([map.get('a'), map.get('b'), map.get('c'), map.size], [1, undefined, 3, 2]);
  });
});

describe('a key', () => {
  it('names an object with and without a namespace, and nothing else', () => {
    for (const key of ['node-1', 'shop/web']) assert.equal(keyOfName(splitKey(key)), key);
    assert.throws(() => splitKey('a/b/c'), /unexpected key format: "a\/b\/c"/);
  });
});
