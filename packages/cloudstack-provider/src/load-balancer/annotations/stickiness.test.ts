import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PREFIX } from './annotations.ts';
import { fitStickiness, readStickiness, sameStickiness, type StickinessMethod } from './stickiness.ts';

const PARAMETERS = `${PREFIX}stickiness-method-param`;

const METHODS: readonly StickinessMethod[] = [
  {
    name: 'LbCookie',
    parameters: [
      { name: 'cookie-name', required: false, flag: false },
      { name: 'mode', required: false, flag: false },
      { name: 'nocache', required: false, flag: true },
    ],
  },
  { name: 'AppCookie', parameters: [] },
  { name: 'SourceBased', parameters: [{ name: 'expire', required: true, flag: false }] },
];

function problemOf(method: string, parameters: string): string {
  const { stickiness, problems } = readStickiness(method, parameters);
  if (!stickiness) return problems[0]?.message ?? '';
  const fitted = fitStickiness(stickiness, METHODS);
  return 'problem' in fitted ? fitted.problem : '';
}

describe('stickiness', () => {
  it('is not wanted without a method', () => {
    assert.deepEqual(readStickiness(undefined, 'cookie-name=x'), { stickiness: undefined, problems: [] });
  });

  it('gets the server’s spelling; a flag that is off is left out', () => {
    const { stickiness } = readStickiness('lbcookie', ' Cookie-Name=SID , nocache=false,');
    assert.ok(stickiness);
    assert.deepEqual(fitStickiness(stickiness, METHODS), {
      value: { method: 'LbCookie', parameters: { 'cookie-name': 'SID' } },
    });
  });

  it('is not checked where the network does not tell what it offers', () => {
    const { stickiness } = readStickiness('Anything', 'a=b');
    assert.ok(stickiness);
    assert.deepEqual(fitStickiness(stickiness, []), { value: stickiness });
  });

  it('is refused in the words of the Go CCM', () => {
    const invalid = (entry: string, reason: string): string =>
      `invalid stickiness parameter "${entry}" in annotation ${PARAMETERS}: ${reason}`;
    const table: readonly (readonly [string, string, string | RegExp])[] = [
      [
        'AppCookie',
        '',
        /^unsupported stickiness method AppCookie in annotation .*: HAProxy removed the appsession option/,
      ],
      ['LbCookie', '=x', invalid('=x', 'expected key=value')],
      ['LbCookie', 'nocache', invalid('nocache', 'missing value, write flags as nocache=true')],
      ['LbCookie', 'cookie-name=a b', /spaces and the characters = & " ' \\ # are not allowed$/],
      ['LbCookie', 'cookie-name=a=b', /are not allowed$/],
      ['LbCookie', 'mode=insert,MODE=prefix', invalid('MODE=prefix', 'MODE is set twice')],
      ['Magic', '', /^stickiness method "Magic" in annotation .* supported methods: LbCookie, SourceBased$/],
      [
        'LbCookie',
        'colour=red',
        /"colour" in annotation .* is not supported by LbCookie; supported parameters: cookie-name/,
      ],
      [
        'LbCookie',
        'nocache=perhaps',
        /^stickiness flag nocache in annotation .* must be true or false, not "perhaps"$/,
      ],
      ['LbCookie', 'mode=sideways', /must be one of insert, rewrite, prefix, not "sideways"$/],
      ['SourceBased', '', /^stickiness method SourceBased needs parameter expire in annotation/],
    ];
    for (const [method, parameters, expected] of table) {
      const problem = problemOf(method, parameters);
      if (typeof expected === 'string') assert.equal(problem, expected);
      else assert.match(problem, expected);
    }
  });

  it('is the same whatever the order and case of names, and not the same with another value', () => {
    const one = { method: 'LbCookie', parameters: { 'cookie-name': 'a', mode: 'insert' } };
    assert.ok(sameStickiness(one, { method: 'lbcookie', parameters: { MODE: 'insert', 'cookie-name': 'a' } }));
    assert.ok(!sameStickiness(one, { ...one, parameters: { ...one.parameters, mode: 'prefix' } }));
    assert.ok(!sameStickiness(one, { ...one, parameters: { mode: 'insert' } }));
  });
});
