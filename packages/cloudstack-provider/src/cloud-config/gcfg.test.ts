import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGcfg } from './gcfg.ts';

/** The value of the only variable in a file. */
function valueOf(written: string): string | undefined {
  const { entries, problems } = readGcfg(`[Global]\nname${written}`);
  assert.deepEqual(problems, []);
  assert.equal(entries.length, 1);
  return entries[0]?.value;
}

/** `line:column message` of each problem. */
function problemsOf(text: string): readonly string[] {
  return readGcfg(text).problems.map(({ place, message }) => `${place.line}:${place.column} ${message}`);
}

for (const [written, value] of [
  ['=value', 'value'],
  ['  =  value  ', 'value'],
  ['\t=\ta  b\t', 'a  b'],
  ['=', ''],
  ['= # comment', ''],
  ['= value # comment', 'value'],
  ['= value ; comment', 'value'],
  ['= a#b', 'a'],
  ['= "a#b;c"', 'a#b;c'],
  ['= "  spaces  "', '  spaces  '],
  ['= a"b c"d', 'ab cd'],
  ['= "a" "b"', 'a b'],
  ['= ""', ''],
  [String.raw`= "a\"b\\c"`, String.raw`a"b\c`],
  [String.raw`= a\"b\\c`, String.raw`a"b\c`],
  [String.raw`= "a\tb\nc\bd"`, 'a\tb\nc\bd'],
  ['= one \\\ntwo', 'one two'],
  ['= one\\\r\ntwo', 'onetwo'],
  ['= value\r', 'value'],
  ['= [not = a] header', '[not = a] header'],
  ['= https://host:8080/client/api?x=y', 'https://host:8080/client/api?x=y'],
  ['= Zürich–1 ', 'Zürich–1'],
] as const) {
  test(`reads ${JSON.stringify(written)} as Go does`, () => assert.equal(valueOf(written), value));
}

test('a name that stands alone has no value', () => {
  assert.equal(valueOf(''), undefined);
  assert.equal(valueOf(' # comment'), undefined);
});

test('reads sections, subsections, comments and empty lines', () => {
  const text = '\uFEFF# first\n\n[Global] ; one\na = 1\n  [ Other "Sub \\" x" ]\nb-2 = 2\n[global]\nC = 3';
  assert.deepEqual(
    readGcfg(text).entries.map(({ section, name, value }) => [section, name, value]),
    [
      ['Global', 'a', '1'],
      ['Other "Sub " x"', 'b-2', '2'],
      ['global', 'C', '3'],
    ],
  );
});

test('names the place of each variable', () => {
  const { entries } = readGcfg('[Global]\r\n\r\n   a = 1\nb = "x\\\\"\n\tc');
  assert.deepEqual(
    entries.map(({ place }) => [place.line, place.column]),
    [
      [3, 4],
      [4, 1],
      [5, 2],
    ],
  );
});

test('reports all problems with their places, and reads on after each', () => {
  const text = [
    'early = 1',
    '[Global',
    '[Global]',
    'a 1',
    'b = "open',
    'c = \\x',
    '[]',
    '[Global] d = 1',
    '[Other ""]',
    '%',
    'e = 5',
  ].join('\n');
  assert.deepEqual(problemsOf(text), [
    '1:1 expected a section header before the first variable',
    '2:8 expected a right bracket',
    "4:3 expected '='",
    '5:5 the quotes are not closed',
    '6:6 unknown escape sequence: write a backslash as \\\\',
    '7:2 expected a section name',
    '8:10 expected the end of the line or a comment',
    '9:8 empty subsection name',
    '10:1 expected a section header or a variable',
  ]);
  assert.deepEqual(
    readGcfg(text)
      .entries.map(({ name }) => name)
      .filter((name) => name === 'e'),
    ['e'],
  );
});

test('quotes do not reach over the end of a line', () => {
  assert.deepEqual(problemsOf('[Global]\na = "one\ntwo"'), ['2:5 the quotes are not closed', "3:4 expected '='"]);
});

test('refuses an escape that Go does not know', () => {
  assert.deepEqual(problemsOf(String.raw`[Global]` + '\n' + String.raw`a = "C:\dir"`), [
    String.raw`2:9 unknown escape sequence: write a backslash as \\`,
  ]);
});

test('refuses NUL and what is no UTF-8', () => {
  assert.deepEqual(problemsOf('[Global]\na = x\u0000y\nb = \uFFFD'), [
    '2:6 illegal character NUL',
    '3:5 the text is not UTF-8',
  ]);
});

test('tells where a comment cut an unquoted value', () => {
  const cuts = readGcfg('[Global]\na = x#y\nb = x #y\nc = #y\nd = "x"#y\ne = "x#y"').entries;
  assert.deepEqual(
    cuts.map(({ name, cutAt }) => [name, cutAt?.column]),
    [
      ['a', 6],
      ['b', undefined],
      ['c', 5],
      ['d', undefined],
      ['e', undefined],
    ],
  );
});
