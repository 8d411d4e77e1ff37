import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { Scope } from '@cloudstack-ccm/base';

import { run } from './run.ts';

const BUILD = { version: 'v1.2.3', commit: '0123456789abcdef', buildDate: '2026-01-02T03:04:05Z' };

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloudstack-ccm-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command as in an empty container. */
const ran = (...args: string[]): Promise<Ran> => ranWith({}, ...args);

async function ranWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Ran> {
  let out = '';
  let err = '';
  const code = await run(args, {
    env: { HOME: folder, ...env },
    stdout: (text) => (out += text),
    stderr: (text) => (err += text),
    columns: 0,
    build: BUILD,
    stop: Scope.root(),
  });
  return { code, out, err };
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** A kubeconfig whose API server nobody asks in these tests. */
const kubeconfig = (): string =>
  file(
    'kubeconfig',
    'apiVersion: v1\nkind: Config\ncurrent-context: a\n' +
      'clusters: [{name: a, cluster: {server: "https://127.0.0.1:1"}}]\n' +
      'contexts: [{name: a, context: {cluster: a, user: a}}]\nusers: [{name: a, user: {token: t}}]\n',
  );

describe('The command', () => {
  test('prints its help, with its own flags last, and ends well', async () => {
    const { code, out, err } = await ran('--help');
    assert.equal(code, 0);
    assert.match(out, /^The Cloud controller manager/);
    assert.equal([...out.matchAll(/^(.+) flags:$/gm)].at(-1)?.[1], 'CloudStack');
    assert.equal(err, '');
  });

  test('prints its version before it looks at anything else', async () => {
    assert.deepEqual(await ran('--version', '--controllers=foo'), { code: 0, out: 'Kubernetes v1.2.3\n', err: '' });
    assert.match((await ran('--version=raw')).out, /GitCommit:"0123456789abcdef".*BuildDate:"2026-01-02T03:04:05Z"/);
    assert.equal((await ran('--version=v9.9.9')).code, 1);
  });

  test('prints usage and the fault of a wrong command line', async () => {
    for (const [args, message] of [
      [['--foo'], 'unknown flag: --foo'],
      [
        ['--kube-api-burst=x'],
        'invalid argument "x" for "--kube-api-burst" flag: strconv.ParseInt: parsing "x": invalid syntax',
      ],
      [['x'], '"cloud-controller-manager" does not take any arguments, got ["x"]'],
    ] as const) {
      const { code, out, err } = await ran(...args);
      assert.equal(code, 1);
      assert.equal(out, '');
      assert.match(err, /^Usage:\n {2}cloud-controller-manager \[flags\]\n/);
      assert.ok(err.endsWith(`\nError: ${message}\n`), err.slice(-200));
    }
  });

  test('prints a fault of the flags’ values once and logs it once, without usage', async () => {
    const { code, err } = await ran('--controllers=foo');
    assert.equal(code, 1);
    assert.match(
      err,
      /^"foo" is not in the list of known controllers\nE\d{4} .*\] "command failed" err="\\"foo\\" is not in the list of known controllers"\n$/,
    );
  });

  test('checks the log flags first, and its own too', async () => {
    assert.match((await ran('--logging-format=xml', '--controllers=foo')).err, /^format: Invalid value: "xml"/);
    assert.match((await ran('--access-rules=some')).err, /^--access-rules must be "all" or "none", not "some"/);
    assert.match((await ran('--concurrent-services-per-network=0')).err, /must be a positive number/);
  });

  test('logs in JSON when asked to, and every flag at verbosity 1', async () => {
    const { err } = await ran('--logging-format=json', '-v=1', '--secure-port=70000');
    const lines = err.trim().split('\n');
    const logged = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as { msg: string });
    assert.ok(logged.some(({ msg }) => msg === 'FLAG: --secure-port="70000"'));
    assert.equal(logged.at(-1)?.msg, 'command failed');
  });

  test('says when no cluster is configured', async () => {
    const { code, err } = await ran();
    assert.equal(code, 1);
    assert.match(err, /invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER/);
  });

  test('ends with 255 when the cloud cannot be set up', async () => {
    for (const [args, message] of [
      [['--cloud-provider=aws'], 'Cloud provider could not be initialized: unknown cloud provider \\"aws\\"'],
      [['--cloud-provider=external'], 'Cloud provider is nil'],
      [[], 'could not init cloud provider \\"external-cloudstack\\": no cloud provider config given'],
      [[`--cloud-config=${file('bad', '[Global]\nnonsense = 1\n')}`], 'could not parse cloud provider config'],
      [[`--cloud-config=${join(folder, 'none')}`], 'could not read cloud provider config'],
    ] as const) {
      const { code, err } = await ran(`--kubeconfig=${kubeconfig()}`, ...args);
      assert.equal(code, 255, err);
      assert.ok(err.includes(message), err);
    }
  });

  test('takes what cloud-config lacks from the environment', async () => {
    const config = file('keyless', '[Global]\nproject-id = p\n');
    const flags = [`--kubeconfig=${kubeconfig()}`, `--cloud-config=${config}`];
    const env = { CLOUDSTACK_API_URL: 'http://127.0.0.1:1/client/api', CLOUDSTACK_API_KEY: 'hunter2' };
    const { code, err } = await ranWith(env, ...flags);
    assert.equal(code, 255);
    assert.match(err, /no cloud provider config given: secret-key missing in section \[Global\]/);
    assert.doesNotMatch(err, /hunter2/);
    const whole = { ...env, CLOUDSTACK_SECRET_KEY: 's' };
    const started = await ranWith(whole, ...flags, '--tls-cipher-suites=TLS_NONE');
    assert.match(started.err, /^Cipher suite TLS_NONE not supported/m);
  });

  test('takes the provider name of a fork, and a broken port or certificate ends it with 1', async () => {
    const config = file('good', '[Global]\napi-url = http://127.0.0.1:1/client/api\napi-key = k\nsecret-key = s\n');
    const flags = [`--kubeconfig=${kubeconfig()}`, `--cloud-config=${config}`, '--cloud-provider=cloudstack'];
    const { code, err } = await ran(...flags, '--tls-cert-file=/nowhere.crt', '--tls-private-key-file=/nowhere.key');
    assert.equal(code, 1);
    assert.match(err, /^unable to load server certificate: ENOENT.*nowhere/m);
    const cipher = await ran(...flags, '--tls-cipher-suites=TLS_NONE');
    assert.match(cipher.err, /^Cipher suite TLS_NONE not supported or doesn't exist$/m);
  });
});
