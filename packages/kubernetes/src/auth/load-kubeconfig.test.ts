import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { after, before, describe, it } from 'node:test';
import { createLogger, FakeClock } from '@cloudstack-ccm/base';
import { KubeconfigError } from '../errors.ts';
import { loadKubeconfig, type LoadKubeconfigOptions } from './load-kubeconfig.ts';
import { readPem } from './pem-source.ts';

let folder = '';
before(async () => void (folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'))));
after(() => rm(folder, { recursive: true }));

/** No pod, no home: only what a test gives. */
function load(options: LoadKubeconfigOptions = {}): ReturnType<typeof loadKubeconfig> {
  return loadKubeconfig({ env: { HOME: join(folder, 'nobody') }, clock: new FakeClock(), ...options });
}

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

function kubeconfig(cluster: string, user: string): string {
  return `
apiVersion: v1
kind: Config
current-context: main
contexts: [{name: main, context: {cluster: c, user: u, namespace: shop}}, {name: bare, context: {cluster: c}}]
clusters: [{name: c, cluster: {${cluster}}}]
users: [{name: u, user: {${user}}}]
`;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a kubeconfig', () => {
  it('gives server, certificates from data and from files beside it, and a token', async () => {
    await file('ca.pem', 'CA FILE');
    const path = await file(
      'full',
      kubeconfig(
        'server: "https://api:6443/prefix/", certificate-authority: ca.pem, tls-server-name: kubernetes',
        `client-certificate-data: ${base64('CERT')}, client-key-data: ${base64('KEY')}, client-key: ignored, token: t0p`,
      ),
    );
    const config = await load({ kubeconfig: path });
    assert.equal(config.server, 'https://api:6443/prefix');
    assert.equal(config.tls.serverName, 'kubernetes');
    assert.equal(config.namespace, 'shop');
    assert.equal(config.origin, path);
    const { ca, clientCertificate } = config.tls;
    assert.ok(ca && clientCertificate);
    assert.equal((await readPem(ca)).reveal(), 'CA FILE');
    assert.equal((await readPem(clientCertificate.certificate)).reveal(), 'CERT');
    assert.equal((await readPem(clientCertificate.key)).reveal(), 'KEY');
    assert.equal((await config.token?.current())?.reveal(), 't0p');
    assert.ok(!/t0p|KEY/.test(inspect(config, { depth: 9 }) + JSON.stringify(config)));
  });

  it('is overruled by --master in nothing but the server', async () => {
    const path = await file('master', kubeconfig('server: "https://old", insecure-skip-tls-verify: true', 'token: t'));
    const config = await load({ kubeconfig: path, master: '10.0.0.1:6443' });
    assert.equal(config.server, 'https://10.0.0.1:6443');
    assert.equal(config.tls.insecureSkipVerify, true);
    assert.ok(config.token);
  });

  it('may name a token file, which wins over a token and is read again', async () => {
    const tokenFile = await file('token', 'one\n');
    const path = await file('tokenfile', kubeconfig('server: "https://api"', 'token: old, tokenFile: token'));
    const clock = new FakeClock();
    const { token } = await load({ kubeconfig: path, clock });
    assert.equal((await token?.current())?.reveal(), 'one');
    await writeFile(tokenFile, 'two\n');
    await clock.advance(59_999);
    assert.equal((await token?.current())?.reveal(), 'one');
    await clock.advance(1);
    assert.equal((await token?.current())?.reveal(), 'two');
    await writeFile(tokenFile, '');
    await clock.advance(60_000);
    await assert.rejects(async () => token?.current(), /read empty token from file/);
  });

  it('has contexts to choose from; one without a user sends no credentials', async () => {
    const path = await file('contexts', kubeconfig('server: "http://api"', 'token: t'));
    assert.equal((await load({ kubeconfig: path, context: 'bare' })).token, undefined);
    await assert.rejects(load({ kubeconfig: path, context: 'other' }), {
      message: `context was not found for specified context: other (in ${path})`,
    });
  });

  it('that uses what is not supported is refused by its name, if it is the one in use', async () => {
    const exec = await file('exec', kubeconfig('server: "https://api"', 'exec: {command: aws}, as: joe'));
    await assert.rejects(
      load({ kubeconfig: exec }),
      /user "u" in .*exec uses exec, as, which this program does not support/,
    );
    assert.ok(await load({ kubeconfig: exec, context: 'bare' }));
    const proxy = await file('proxy', kubeconfig('server: "https://api", proxy-url: "http://p"', 'token: t'));
    await assert.rejects(load({ kubeconfig: proxy }), /cluster "c" in .* uses proxy-url/);
  });

  it('that is wrong is refused with the place, never with a value', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['users: [{name: u, user: {token: "s3cret', /line 1, column \d+: /],
      ['users: [{name: u, user: {token: [s3cret]}}]', /kubeconfig\.users\[0\]\.user\.token should be a string/],
      [kubeconfig('server: ""', 'token: s3cret'), /no server found/],
      [kubeconfig('server: "https://["', 'token: s3cret'), /is no URL/],
      [kubeconfig('server: "https://a"', 'client-key-data: s3cret'), /only one of client-certificate and client-key/],
      [
        kubeconfig('server: "https://a"', 'token: s3cret').replace('cluster: c', 'cluster: x'),
        /cluster "x" does not exist/,
      ],
    ];
    for (const [index, [text, message]] of cases.entries()) {
      const path = await file(`wrong-${index}`, text);
      await assert.rejects(load({ kubeconfig: path }), (error) => {
        assert.ok(error instanceof KubeconfigError);
        assert.match(error.message, message);
        assert.ok(!inspect(error).includes('s3cret'), inspect(error));
        return true;
      });
    }
  });

  it('that does not exist is an error when it was asked for', async () => {
    const path = join(folder, 'missing');
    await assert.rejects(load({ kubeconfig: path }), { message: `stat ${path}: no such file or directory` });
  });
});

describe('the configuration', () => {
  it('is --master alone, without credentials, before any other place', async () => {
    const path = await file('default', kubeconfig('server: "https://other"', 'token: t'));
    const config = await load({ master: 'http://127.0.0.1:8080/', env: { KUBECONFIG: path } });
    assert.deepEqual([config.server, config.token, config.origin], ['http://127.0.0.1:8080', undefined, '--master']);
  });

  it('is the one of the pod when no flag is given', async () => {
    const account = join(folder, 'account');
    await mkdir(account);
    await Promise.all([
      writeFile(join(account, 'token'), 'pod-token'),
      writeFile(join(account, 'ca.crt'), 'POD CA'),
      writeFile(join(account, 'namespace'), 'kube-system\n'),
    ]);
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    const config = await load({ env, serviceAccountFolder: account });
    assert.equal(config.server, 'https://[fd00::1]:443');
    assert.equal(config.namespace, 'kube-system');
    assert.equal(config.origin, 'in-cluster');
    assert.equal((await config.token?.current())?.reveal(), 'pod-token');
    assert.ok(config.tls.ca);
    assert.equal((await readPem(config.tls.ca)).reveal(), 'POD CA');
  });

  it('comes from the files of KUBECONFIG next, the first one that has a name winning', async () => {
    const first = await file('first', kubeconfig('server: "https://first"', 'token: t'));
    const second = await file('second', `${kubeconfig('server: "https://second"', 'token: t')}preferences: {}\n`);
    const config = await load({ env: { KUBECONFIG: `${join(folder, 'missing')}:${first}:${second}` } });
    assert.equal(config.server, 'https://first');
  });

  it('comes from ~/.kube/config after that, then from KUBERNETES_MASTER', async () => {
    const home = join(folder, 'home');
    await mkdir(join(home, '.kube'), { recursive: true });
    await file('home/.kube/config', kubeconfig('server: "https://home"', 'token: t'));
    assert.equal((await load({ env: { HOME: home } })).server, 'https://home');
    const env = { HOME: join(folder, 'nobody'), KUBERNETES_MASTER: '127.0.0.1:8080' };
    assert.equal((await load({ env })).server, 'http://127.0.0.1:8080');
  });

  it('is missing: the log says where was looked, the error what to do', async () => {
    const lines: string[] = [];
    const log = createLogger({ sink: ({ message }) => lines.push(message), verbosity: { level: 0 }, now: () => 0 });
    await assert.rejects(load({ log }), {
      message:
        'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable',
    });
    assert.deepEqual(lines, [
      'Neither --kubeconfig nor --master was specified.  Using the inClusterConfig.  This might not work.',
      'error creating inClusterConfig, falling back to default config: unable to load in-cluster configuration, ' +
        'KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined',
    ]);
  });
});
