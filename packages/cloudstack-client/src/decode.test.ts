import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTrue, list, object } from './decode.ts';
import { DecodeError } from './errors.ts';

const port = object((fields) => ({ port: fields.integer('port'), end: fields.optionalInteger('end') }));

test('reads a number that is written as text, as load balancer rules and ACL items have it', () => {
  assert.deepEqual(port({ port: '80', end: 443 }, 'rule'), { port: 80, end: 443 });
  assert.deepEqual(port({ port: 80 }, 'rule'), { port: 80, end: undefined });
});

test('names the path of what is wrong', () => {
  const rules = object((fields) => fields.list('rule', port));
  const wrong = (body: unknown, path: string): void => {
    assert.throws(
      () => rules(body, 'listRules'),
      (error) => error instanceof DecodeError && error.path === path,
    );
  };
  wrong({ rule: [{ port: 1 }, { port: 'http' }] }, 'listRules.rule[1].port');
  wrong({ rule: [{ end: 1 }] }, 'listRules.rule[0].port');
  wrong({ rule: {} }, 'listRules.rule');
  wrong({ rule: [null] }, 'listRules.rule[0]');
  wrong('nothing', 'listRules');
});

test('says what kind a wrong value is, and never the value', () => {
  const name = object((fields) => fields.text('name'));
  assert.throws(() => name({ name: { password: 'hunter2' } }, 'vm'), /vm\.name should be text but is an object$/);
});

test('reads what is missing or null as absent', () => {
  const read = object((fields) => [
    fields.optionalText('a'),
    fields.optionalText('b'),
    fields.list('c', port),
    fields.optional('d', port),
    fields.flag('e'),
  ]);
  assert.deepEqual(read({ b: null, c: null }, 'x'), [undefined, undefined, [], undefined, false]);
});

test('keeps an empty text apart from a missing one', () => {
  const words = object((fields) => fields.optionalWords('cidrlist'));
  assert.deepEqual(words({ cidrlist: '' }, 'rule'), []);
  assert.equal(words({}, 'rule'), undefined);
});

test('splits lists at commas and at blanks, whichever command stored them', () => {
  const words = object((fields) => fields.optionalWords('cidrlist'));
  assert.deepEqual(words({ cidrlist: '10.0.0.0/8 192.0.2.1' }, 'rule'), ['10.0.0.0/8', '192.0.2.1']);
  assert.deepEqual(words({ cidrlist: '10.0.0.0/8,192.0.2.0/24' }, 'rule'), ['10.0.0.0/8', '192.0.2.0/24']);
  assert.deepEqual(words({ cidrlist: '10.0.0.0/8, 192.0.2.0/24' }, 'rule'), ['10.0.0.0/8', '192.0.2.0/24']);
});

test('success is a boolean or a text', () => {
  assert.deepEqual([true, 'true', 'True', false, 'false', undefined].map(isTrue), [
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('a list decoder refuses what is no list', () => {
  assert.throws(() => list(port)({ length: 1 }, 'x'), /x should be a list but is an object/);
});
