import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { aService } from '../testing/objects.ts';
import { OwnAnnotations } from './own-annotations.ts';
import { needsUpdate } from './predicates.ts';

const KEY = 'default/web';
const web = (annotations: Record<string, string>) => aService('web', { metadata: { annotations } });

describe('Annotations that a sync wrote itself', () => {
  const isNews = (own: OwnAnnotations, before: Record<string, string>, after: Record<string, string>): boolean =>
    needsUpdate(own.appliedTo(KEY, web(before), web(after)), web(after));

  test('are no news when they come back, be they set or removed', () => {
    const own = new OwnAnnotations();
    own.note(KEY, { a: '1' });
    own.note(KEY, { b: null });
    assert.equal(isNews(own, { b: 'x' }, { a: '1', b: 'x' }), false);
    assert.equal(isNews(own, { a: '1', b: 'x' }, { a: '1' }), false);
  });

  test('hide nothing that somebody else changed', () => {
    const own = new OwnAnnotations();
    own.note(KEY, { a: '1' });
    assert.equal(isNews(own, {}, { a: '1', c: '2' }), true);
    own.note(KEY, { a: '1' });
    assert.equal(isNews(own, {}, { a: '2' }), true);
  });

  test('count once: a user who sets the same value later is heard', () => {
    const own = new OwnAnnotations();
    own.note(KEY, { a: '1' });
    assert.equal(isNews(own, {}, { a: '1' }), false);
    assert.equal(isNews(own, { a: '2' }, { a: '1' }), true);
  });

  test('are forgotten with their Service, and when they could not be written', () => {
    const own = new OwnAnnotations();
    own.note(KEY, { a: '1', b: '2' });
    own.drop(KEY, ['a']);
    assert.equal(isNews(own, { b: '2' }, { a: '1', b: '2' }), true);
    own.note(KEY, { a: '1' });
    own.forget(KEY);
    assert.equal(isNews(own, {}, { a: '1' }), true);
  });
});
