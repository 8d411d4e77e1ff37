import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCloudConfig } from './cloud-config.ts';
import { CloudConfigError } from './errors.ts';
import { loadCloudConfig } from './load.ts';
import { DEFAULT_NODE_OPTIONS } from './node-options.ts';

const FILE = 'cloud-config';
const NEEDED = 'api-url = https://cloud.example.test/client/api\napi-key = KEY\nsecret-key = SECRET\n';

const read = (lines: string, allowUnknown = false) =>
  readCloudConfig(`[Global]\n${NEEDED}${lines}`, { file: FILE, allowUnknown });

function problemsOf(text: string): CloudConfigError {
  try {
    readCloudConfig(text, { file: FILE });
  } catch (error) {
    if (error instanceof CloudConfigError) return error;
    throw error;
  }
  throw new Error('no problem');
}

test('reads every key of the Go controller', () => {
  const { config, warnings } = read(
    'project-id = team-a\nzone = zone-a\nregion = eu\nssl-no-verify = true\nversion = 4.21.0.0\n',
  );
  assert.equal(config.apiUrl, 'https://cloud.example.test/client/api');
  assert.equal(config.apiKey.reveal(), 'KEY');
  assert.equal(config.secretKey.reveal(), 'SECRET');
  assert.equal(config.projectId, 'team-a');
  assert.equal(config.zone, 'zone-a');
  assert.equal(config.region, 'eu');
  assert.equal(config.sslNoVerify, true);
  assert.equal(config.version, '4.21.0.0');
  assert.deepEqual(warnings, []);
});

test('reads the keys that the Go controller does not have', () => {
  const { config } = read(
    'proxy-url = http://u:p@proxy:3128\ntimeout = 90s\njob-timeout = 10m\nrate-limit = 12.5\nrate-limit-burst = 40\n',
  );
  assert.equal(config.proxyUrl?.reveal(), 'http://u:p@proxy:3128');
  assert.equal(config.timeoutMs, 90_000);
  assert.equal(config.jobTimeoutMs, 600_000);
  assert.deepEqual(config.rateLimit, { perSecond: 12.5, burst: 40 });
});

test('has the defaults that the documentation names', () => {
  const { config } = read('project-id =\nzone = ""\n');
  assert.deepEqual(
    { ...config, apiUrl: '', apiKey: '', secretKey: '' },
    {
      apiUrl: '',
      apiKey: '',
      secretKey: '',
      projectId: undefined,
      zone: undefined,
      region: undefined,
      sslNoVerify: false,
      version: undefined,
      certificateAuthorities: undefined,
      proxyUrl: undefined,
      timeoutMs: 60_000,
      jobTimeoutMs: 300_000,
      rateLimit: { perSecond: 500, burst: 500 },
      nodes: DEFAULT_NODE_OPTIONS,
      deletionLimits: {},
    },
  );
});

test('reads the limits of the deletion guard', () => {
  const { deletionLimits } = read(
    'node-deletion-hold-count = 0\nnode-deletion-hold-percent = 100\nnode-deletion-hold-window = 2m\n',
  ).config;
  assert.deepEqual(deletionLimits, { count: 0, percent: 100, windowMs: 120_000 });
  for (const line of ['count = 1.5', 'count = -1', 'percent = 101', 'window = 0']) {
    assert.throws(() => read(`node-deletion-hold-${line}\n`), /node-deletion-hold-[a-z]+ must be a/);
  }
});

test('sections and keys may be written in any case, and the last of a repeated key wins', () => {
  const { config } = readCloudConfig(`[GLOBAL]\n${NEEDED}Zone = a\n[global]\nZONE = b\n`, { file: FILE });
  assert.equal(config.zone, 'b');
});

for (const [written, value] of [
  ['= true', true],
  ['= Yes', true],
  ['= ON', true],
  ['= 1', true],
  ['', true],
  ['= false', false],
  ['= no', false],
  ['= off', false],
  ['= 0', false],
] as const) {
  test(`ssl-no-verify ${written} is ${value}`, () => {
    assert.equal(read(`ssl-no-verify ${written}\n`).config.sslNoVerify, value);
  });
}

test('reports all problems at once, with file, line and column, and no value', () => {
  const error = problemsOf(
    [
      '[Global]',
      'api-url = cloud.example.test/hunter2',
      'api-key',
      'secret-key = "hunter2',
      'ssl-no-verify = hunter2',
      '  timeout = hunter2',
      'job-timeout = 0',
      'rate-limit = -1',
      'proxy-url = socks://hunter2',
      'no-such-key = hunter2',
      '[Other]',
      'a = hunter2',
    ].join('\n'),
  );
  assert.deepEqual(error.problems.map((problem) => problem.replace(/ must be .*/, ' must be')).sort(), [
    'cloud-config:10:1: unknown key no-such-key',
    'cloud-config:12:1: unknown section [Other]',
    'cloud-config:2:1: api-url must be',
    'cloud-config:3:1: api-key must be',
    'cloud-config:4:14: the quotes are not closed',
    'cloud-config:5:1: ssl-no-verify must be',
    'cloud-config:6:3: timeout must be',
    'cloud-config:7:1: job-timeout must be',
    'cloud-config:8:1: rate-limit must be',
    'cloud-config:9:1: proxy-url must be',
  ]);
  assert.match(error.message, /^could not parse cloud provider config: cloud-config:/);
  assert.doesNotMatch(error.message, /hunter2/);
});

test('an unknown key is a warning when the operator allows it', () => {
  const { warnings } = read('global-key = x\n', true);
  assert.deepEqual(warnings, ['cloud-config:5:1: unknown key global-key']);
});

test('a subsection of Global is unknown, as in Go', () => {
  assert.match(problemsOf(`[Global "a"]\n${NEEDED}`).message, /unknown section \[Global "a"\]/);
});

test('says what is missing', () => {
  const error = problemsOf('[Global]\napi-url = http://cloud.example.test/client/api\nsecret-key =\n');
  assert.equal(
    error.message,
    'no cloud provider config given: api-key, secret-key missing in section [Global] of cloud-config',
  );
  assert.match(problemsOf('').message, /^no cloud provider config given: api-url, api-key, secret-key missing/);
});

test('warns where a secret was cut at a comment sign, without repeating it', () => {
  const { config, warnings } = read('secret-key = hunter2#hunter3\n');
  assert.equal(config.secretKey.reveal(), 'hunter2');
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', /^cloud-config:5:21: secret-key ends here, since a comment begins: put the value in/);
  assert.doesNotMatch(warnings[0] ?? '', /hunter/);
});

test('a comment after a blank is meant as one', () => {
  assert.deepEqual(read('zone = zone-a # the only one\n').warnings, []);
});

test('secrets do not show when the config is printed', () => {
  const { config } = read('proxy-url = http://u:hunter2@proxy:3128\n');
  assert.doesNotMatch(JSON.stringify(config), /KEY|SECRET|hunter2/);
});

test('loads the file and the authorities that it names', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cloud-config-'));
  try {
    const path = join(directory, 'cloud-config');
    await writeFile(join(directory, 'ca.pem'), 'PEM');
    await writeFile(path, `[Global]\n${NEEDED}ca-file = ${join(directory, 'ca.pem')}\n`);
    assert.equal((await loadCloudConfig(path)).config.certificateAuthorities, 'PEM');
    await writeFile(path, `[Global]\n${NEEDED}ca-file = ${join(directory, 'none.pem')}\n`);
    await assert.rejects(loadCloudConfig(path), /could not read ca-file: ENOENT/);
    await assert.rejects(
      loadCloudConfig(join(directory, 'none')),
      /could not read cloud provider config: ENOENT.*: it is the file that --cloud-config names/,
    );
    await assert.rejects(loadCloudConfig(''), /^CloudConfigError: no cloud provider config given/);
  } finally {
    await rm(directory, { recursive: true });
  }
});

test('the environment may have it all, and without a file it must', async () => {
  const environment = {
    CLOUDSTACK_API_URL: 'https://cloud.example.test/client/api',
    CLOUDSTACK_API_KEY: 'KEY',
    CLOUDSTACK_SECRET_KEY: 'SECRET',
  };
  const { config } = await loadCloudConfig(undefined, { environment });
  assert.equal(config.secretKey.reveal(), 'SECRET');
  await assert.rejects(loadCloudConfig('', { environment: { ...environment, CLOUDSTACK_API_KEY: '' } }), {
    message:
      'no cloud provider config given: name a file with --cloud-config, or set CLOUDSTACK_API_URL, CLOUDSTACK_API_KEY, CLOUDSTACK_SECRET_KEY',
  });
});
