import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import {
  boolFlag,
  durationFlag,
  FlagError,
  float32Flag,
  int32Flag,
  int32ListFlag,
  intFlag,
  ipFlag,
  parseFlags,
  stringFlag,
  stringListFlag,
} from './flags.ts';

const FLAGS = {
  elect: boolFlag('leader-elect', true, 'elect'),
  burst: int32Flag('kube-api-burst', 30, 'burst'),
  qps: float32Flag('kube-api-qps', 20, 'qps'),
  port: intFlag('secure-port', 10258, 'port'),
  period: durationFlag('retry-period', 2000, 'period'),
  name: stringFlag('cluster-name', 'kubernetes', 'name'),
  controllers: stringListFlag('controllers', ['*'], 'controllers'),
  curves: int32ListFlag('curves', [], 'curves'),
  bind: ipFlag('bind-address', '0.0.0.0', 'bind'),
  level: int32Flag('v', 0, 'verbosity', { shorthand: 'v' }),
  help: boolFlag('help', false, 'help', { shorthand: 'h' }),
  untagged: boolFlag('allow-untagged', false, 'untagged', { deprecated: 'it will go.' }),
};

const parse = (...args: string[]): ReturnType<typeof parseFlags> => parseFlags([{ title: 'All', flags: FLAGS }], args);
const values = (...args: string[]) => parse(...args).values(FLAGS);
const fails = (args: string[], message: string): void =>
  assert.throws(
    () => parse(...args),
    (error) => error instanceof FlagError && error.message === message,
  );

describe('A command line', () => {
  test('gives every flag its default when it is empty', () => {
    assert.deepEqual(values().controllers, ['*']);
    assert.equal(values().elect, true);
    assert.equal(parse().changed(FLAGS.elect), false);
  });

  test('takes a value after = or as the next word', () => {
    assert.equal(values('--cluster-name=a=b').name, 'a=b');
    assert.equal(values('--cluster-name', '--x').name, '--x');
    assert.equal(values('--cluster-name=').name, '');
  });

  test('reads underscores in a name as hyphens', () => {
    assert.equal(values('--kube_api_burst=7').burst, 7);
  });

  test('lets a boolean stand alone and never eats the next word for it', () => {
    const parsed = parse('--help', 'false');
    assert.equal(parsed.valueOf(FLAGS.help), true);
    assert.deepEqual(parsed.positional, ['false']);
    assert.equal(values('--leader-elect=F').elect, false);
  });

  test('reads shorthands joined, separate, with = and in a run', () => {
    for (const args of [['-v4'], ['-v', '4'], ['-v=4'], ['-hv4'], ['-hv', '4'], ['--v=4'], ['--v', '4']])
      assert.equal(values(...args).level, 4, args.join(' '));
  });

  test('reads numbers as Go does', () => {
    assert.equal(values('--kube-api-burst=0x10').burst, 16);
    assert.equal(values('--kube-api-burst=010').burst, 8);
    assert.equal(values('--kube-api-burst=1_000').burst, 1000);
    assert.equal(values('--kube-api-burst=-5').burst, -5);
    assert.equal(values('--kube-api-qps=2.5e1').qps, 25);
    assert.equal(values('--retry-period=1h30m').period, 5_400_000);
  });

  test('lets the first list replace the default and later ones append', () => {
    assert.deepEqual(values('--controllers=a,"b,c"', '--controllers', 'd').controllers, ['a', 'b,c', 'd']);
    assert.deepEqual(values('--controllers=').controllers, []);
    assert.deepEqual(values('--curves=1,2', '--curves=3').curves, [1, 2, 3]);
  });

  test('lets the last of a repeated scalar win', () => {
    assert.equal(values('--cluster-name=a', '--cluster-name=b').name, 'b');
  });

  test('ends the flags at --', () => {
    assert.deepEqual(parse('x', '--', '--help').positional, ['x', '--help']);
    assert.deepEqual(parse('-').positional, ['-']);
  });

  test('warns about deprecated flags', () => {
    assert.deepEqual(parse('--allow-untagged').warnings, ['Flag --allow-untagged has been deprecated, it will go.']);
  });

  test('names what it does not know', () => {
    fails(['--foo=1'], 'unknown flag: --foo');
    fails(['-x'], "unknown shorthand flag: 'x' in -x");
    fails(['-hx'], "unknown shorthand flag: 'x' in -x");
    fails(['--=1'], 'bad flag syntax: --=1');
    fails(['---v'], 'bad flag syntax: ---v');
    fails(['--cluster-name'], 'flag needs an argument: --cluster-name');
    fails(['-v'], "flag needs an argument: 'v' in -v");
  });

  test('gives the reason of Go for a wrong value', () => {
    const wrong = (flag: string, value: string, reason: string): void =>
      fails([`--${flag}=${value}`], `invalid argument "${value}" for "--${flag}" flag: ${reason}`);
    wrong('kube-api-burst', 'abc', 'strconv.ParseInt: parsing "abc": invalid syntax');
    wrong('kube-api-burst', '2147483648', 'strconv.ParseInt: parsing "2147483648": value out of range');
    wrong('kube-api-burst', '09', 'strconv.ParseInt: parsing "09": invalid syntax');
    wrong('kube-api-qps', 'x', 'strconv.ParseFloat: parsing "x": invalid syntax');
    wrong('leader-elect', 'yes', 'strconv.ParseBool: parsing "yes": invalid syntax');
    wrong('retry-period', 'abc', 'time: invalid duration "abc"');
    wrong('retry-period', '5', 'time: missing unit in duration "5"');
    wrong('retry-period', '1h5d', 'time: unknown unit "d" in duration "1h5d"');
    wrong('bind-address', '1.2.3', 'failed to parse IP: "1.2.3"');
    fails(['-v=x'], 'invalid argument "x" for "-v, --v" flag: strconv.ParseInt: parsing "x": invalid syntax');
    fails(
      ['--controllers=a"b'],
      String.raw`invalid argument "a\"b" for "--controllers" flag: parse error on line 1, column 2: bare " in non-quoted field`,
    );
  });

  test('shows all values as the log prints them', () => {
    const shown = new Map(parse('--controllers=a,b', '--retry-period=90s').entries());
    assert.equal(shown.get('controllers'), '[a,b]');
    assert.equal(shown.get('retry-period'), '1m30s');
    assert.equal(shown.get('kube-api-qps'), '20');
    assert.equal(shown.get('leader-elect'), 'true');
    assert.deepEqual([...shown.keys()], [...shown.keys()].sort());
  });
});
