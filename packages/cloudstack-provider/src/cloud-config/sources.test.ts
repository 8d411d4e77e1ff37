import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Secret } from '@cloudstack-ccm/base';
import { completeCloudConfig, type CloudConfigReading } from './cloud-config.ts';
import { Draft } from './draft.ts';
import { CloudConfigError } from './errors.ts';
import type { FileContent, FileKey } from './sources.ts';

const URL_LINE = 'api-url = https://cloud.example.test/client/api\n';
const API_KEY = 'api-key = KEY\n';
const BOTH_FILES = 'api-key-file = a\nsecret-key-file = b\n';

interface Given {
  readonly files?: Readonly<Partial<Record<FileKey, string | FileContent>>>;
  readonly environment?: Readonly<Record<string, string>>;
}

function read(lines: string, { files = {}, environment = {} }: Given = {}): CloudConfigReading {
  const contents = new Map<FileKey, FileContent>();
  for (const key of ['caFile', 'apiKeyFile', 'secretKeyFile'] as const) {
    const file = files[key];
    if (file !== undefined) contents.set(key, typeof file === 'string' ? { content: new Secret(file) } : file);
  }
  return completeCloudConfig(new Draft(`[Global]\n${lines}`, { file: 'f' }), { files: contents, environment });
}

function problems(lines: string, given: Given = {}): readonly string[] {
  try {
    read(lines, given);
  } catch (error) {
    if (error instanceof CloudConfigError) return error.problems;
    throw error;
  }
  return [];
}

const keys = ({ config }: CloudConfigReading): readonly string[] => [config.apiKey.reveal(), config.secretKey.reveal()];

test('reads each key from a file of its own, without the newline at its end', () => {
  const files = { apiKeyFile: 'KEY\n', secretKeyFile: ' S#;"\r\n' };
  assert.deepEqual(keys(read(URL_LINE + BOTH_FILES, { files })), ['KEY', ' S#;"']);
});

test('a key may stand in cloud-config and the other in a file', () => {
  const lines = `${URL_LINE}${API_KEY}secret-key-file = b\n`;
  assert.deepEqual(keys(read(lines, { files: { secretKeyFile: 'SECRET' } })), ['KEY', 'SECRET']);
});

test('a key together with a file for it is an error that names the place of the file', () => {
  const given = { files: { apiKeyFile: 'K2', secretKeyFile: 'S2' } };
  assert.deepEqual(problems(URL_LINE + API_KEY + BOTH_FILES, given), [
    'f:4:1: api-key is given too: remove one of them',
  ]);
});

test('all files that cannot be used are told at once, and none of what they hold', () => {
  const files = {
    apiKeyFile: '\n',
    secretKeyFile: 'hunter2\nhunter3\n',
    caFile: { problem: "ENOENT: no such file or directory, open '/ca'" },
  };
  const told = problems(`${URL_LINE}${BOTH_FILES}ca-file = ca\ntimeout = soon\n`, { files });
  assert.deepEqual(told, [
    'f:3:1: api-key-file names an empty file: it must hold the key and nothing else',
    'f:4:1: secret-key-file names a file of several lines: it must hold the key and nothing else',
    "f:5:1: could not read ca-file: ENOENT: no such file or directory, open '/ca'",
    'f:6:1: timeout must be a duration longer than 0, such as 60s or 5m',
  ]);
  assert.doesNotMatch(told.join(), /hunter/);
});

test('what is missing is told together with everything else', () => {
  assert.deepEqual(problems('timeout = soon\napi-url = nowhere\n'), [
    'f:2:1: timeout must be a duration longer than 0, such as 60s or 5m',
    'f:3:1: api-url must be a complete URL that starts with http:// or https://',
    'api-key, secret-key missing in section [Global] of f',
  ]);
});

const ENVIRONMENT = {
  CLOUDSTACK_API_URL: 'https://env.example.test/client/api',
  CLOUDSTACK_API_KEY: 'ENV-KEY',
  CLOUDSTACK_SECRET_KEY: 'ENV-SECRET',
};

test('takes from the environment what cloud-config does not have', () => {
  const reading = read('', { environment: ENVIRONMENT });
  assert.equal(reading.config.apiUrl, ENVIRONMENT.CLOUDSTACK_API_URL);
  assert.deepEqual(keys(reading), ['ENV-KEY', 'ENV-SECRET']);
  assert.deepEqual(reading.warnings, []);
});

test('cloud-config and its files go before the environment, and a warning names what is not used', () => {
  const files = { secretKeyFile: 'SECRET' };
  const lines = `${URL_LINE}${API_KEY}secret-key-file = b\n`;
  const reading = read(lines, { files, environment: ENVIRONMENT });
  assert.equal(reading.config.apiUrl, 'https://cloud.example.test/client/api');
  assert.deepEqual(keys(reading), ['KEY', 'SECRET']);
  assert.deepEqual(reading.warnings, [
    'CLOUDSTACK_API_URL in the environment is not used, since api-url is given in f',
    'CLOUDSTACK_API_KEY in the environment is not used, since api-key is given in f',
    'CLOUDSTACK_SECRET_KEY in the environment is not used, since secret-key-file is given in f',
  ]);
});

test('an endpoint in the environment that is no URL is told without its value', () => {
  const environment = { ...ENVIRONMENT, CLOUDSTACK_API_URL: 'hunter2' };
  const told = problems('', { environment });
  assert.match(told.join(), /^CLOUDSTACK_API_URL must be a complete URL/);
  assert.doesNotMatch(told.join(), /hunter2/);
});

test('the example with keys in files is read', () => {
  const example = readFileSync(join(import.meta.dirname, '../../../../examples/keys-in-files.yaml'), 'utf8');
  const text = /cloud-config: \|\n((?: {4}.*\n)+)/.exec(example)?.[1]?.replaceAll(/^ {4}\[Global\]\n/gm, '') ?? '';
  const { config } = read(text, { files: { apiKeyFile: 'KEY', secretKeyFile: 'SECRET' } });
  assert.equal(config.nodes.networks.length, 2);
  assert.deepEqual(config.nodes.tagLabelPrefixes, ['example.org/']);
});
