import assert from 'node:assert/strict';
import { test } from 'node:test';

import { describeFlags } from './flag-usage.ts';
import { boolFlag, durationFlag, int32Flag, stringFlag, stringListFlag, type FlagGroup } from './flags.ts';

const GROUPS: readonly FlagGroup[] = [
  {
    title: 'Generic',
    flags: {
      name: stringFlag('cluster-name', 'kubernetes', 'The prefix for the cluster.'),
      list: stringListFlag('controllers', ['*'], 'A list of controllers.\nAll: a, b'),
      off: boolFlag('off', false, 'Off by default.', { deprecated: 'gone' }),
      on: boolFlag('on', true, 'On by default.'),
      file: stringFlag('config', '', 'Read `path` at start.'),
    },
  },
  {
    title: 'Global',
    flags: {
      help: boolFlag('help', false, 'help', { shorthand: 'h' }),
      period: durationFlag('period', 5000, 'A pause.'),
      count: int32Flag('count', 0, 'A number.'),
    },
  },
];

test('Help shows one block per group, sorted, with types and defaults, without deprecated flags', () => {
  assert.equal(
    describeFlags(GROUPS),
    `
Generic flags:

      --cluster-name string   The prefix for the cluster. (default "kubernetes")
      --config path           Read path at start.
      --controllers strings   A list of controllers.
                              All: a, b (default [*])
      --on                    On by default. (default true)

Global flags:

      --count int32       A number.
  -h, --help              help
      --period duration   A pause. (default 5s)
`,
  );
});

test('Help on a terminal folds descriptions below their flags', () => {
  const long = stringFlag('words', '', 'one two three four five six seven eight nine ten eleven twelve');
  assert.equal(
    describeFlags([{ title: 'Long', flags: { long } }], 60),
    `
Long flags:

      --words string
                one two three four five six seven
                eight nine ten eleven twelve
`,
  );
});
