import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { describe, test } from 'node:test';

import { createLogger, createMetrics, FakeClock, Scope, silentLogger } from '@cloudstack-ccm/base';
import { CertificateAuthority } from '@cloudstack-ccm/control-plane';

import { readCommandLine, type Options } from '../options/options.ts';
import { until } from '../testing/cluster.ts';
import { ask } from '../testing/https.ts';
import { AuthenticationConfig } from './authentication-config.ts';
import { Authenticator } from './authentication.ts';
import { Authorizer } from './authorization.ts';
import { CertificateStore } from './certificates.ts';
import { HealthChecks } from './health.ts';
import { HttpsEndpoint } from './https-endpoint.ts';
import { servedPaths } from './paths.ts';
import { selfSignedCertificate } from './self-signed-certificate.ts';

/** An endpoint on a free port, whose access reviews answer as the test says, and its temporary folder. */
class Scene implements AsyncDisposable {
  readonly clock = new FakeClock(Date.now());
  readonly scope = Scope.root(this.clock);
  readonly folder = mkdtempSync(join(tmpdir(), 'endpoint-'));
  readonly health = new HealthChecks();
  readonly metrics = createMetrics();
  readonly verbosity = { level: 0 };
  readonly lines: string[] = [];
  readonly log = createLogger({
    sink: ({ message }) => this.lines.push(message),
    verbosity: this.verbosity,
    now: () => 0,
  });
  access: () => boolean = () => false;
  endpoint: HttpsEndpoint | undefined;

  static async start(flags: readonly string[] = [], prepare: (scene: Scene) => readonly string[] = () => []) {
    const scene = new Scene();
    const { options } = readCommandLine(['--bind-address=127.0.0.1', ...flags, ...prepare(scene)]);
    await scene.#listen(options);
    return scene;
  }

  get port(): number {
    return this.endpoint?.port ?? 0;
  }

  file(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.scope.cancel();
    await this.endpoint?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #listen(options: Options): Promise<void> {
    const { secureServing, authentication, authorization, debugging } = options;
    const config = new AuthenticationConfig(authentication, silentLogger);
    await config.start(this.scope, undefined);
    const reviewAccess = async () => ({ allowed: this.access(), denied: false, reason: '', evaluationError: '' });
    this.endpoint = await HttpsEndpoint.start(this.scope, {
      flags: { ...secureServing, securePort: 0 },
      certificates: new CertificateStore(secureServing, Date.now()),
      authentication: config,
      authenticator: new Authenticator({ config, tokens: undefined, log: silentLogger }),
      authorizer: new Authorizer({
        client: { reviewAccess },
        alwaysAllowPaths: authorization.alwaysAllowPaths,
        allowedTtlMs: 0,
        deniedTtlMs: 0,
        clock: this.clock,
      }),
      paths: servedPaths({
        health: this.health,
        live: this.health,
        ready: this.health,
        metrics: this.metrics,
        configuration: { a: 1 },
        verbosity: this.verbosity,
        profiling: debugging.profiling,
      }),
      log: this.log,
    });
  }
}

describe('The endpoint', () => {
  test('answers probes of anybody, and says that nothing may be kept', async () => {
    await using scene = await Scene.start();
    const { status, headers, body } = await ask(scene.port, '/healthz');
    assert.equal(status, 200);
    assert.equal(body, 'ok');
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['cache-control'], 'no-cache, private');
    assert.equal((await ask(scene.port, '/livez')).body, 'ok');
    assert.equal((await ask(scene.port, '/readyz?verbose')).body, '[+]ping ok\nreadyz check passed\n');
  });

  test('answers 500 with all checks when something is not well', async () => {
    await using scene = await Scene.start();
    scene.health.add({
      name: 'bad',
      check: () => {
        throw new Error('the cause');
      },
    });
    const { status, body } = await ask(scene.port, '/healthz');
    assert.equal(status, 500);
    assert.equal(body, '[-]bad failed: the cause\nhealthz check failed\n');
    assert.equal((await ask(scene.port, '/healthz?exclude=bad')).status, 200);
  });

  test('refuses the rest as the API server does, also what does not exist', async () => {
    await using scene = await Scene.start();
    for (const path of ['/metrics', '/nothing', '/healthz/ping']) {
      const { status, headers, body } = await ask(scene.port, path);
      assert.equal(status, 403);
      assert.equal(headers['content-type'], 'application/json');
      assert.deepEqual(JSON.parse(body), {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `forbidden: User "system:anonymous" cannot get path "${path}"`,
        reason: 'Forbidden',
        code: 403,
      });
    }
    scene.access = () => true;
    const { status, body } = await ask(scene.port, '/nothing');
    assert.equal(status, 404);
    assert.equal(body, '404 page not found\n');
  });

  test('says when nobody can tell who may ask', async () => {
    await using scene = await Scene.start();
    scene.access = () => {
      throw new Error('HTTP 503');
    };
    const { status, body } = await ask(scene.port, '/metrics?a=b');
    assert.equal(status, 500);
    assert.equal(body, 'Internal Server Error: "/metrics?a=b": HTTP 503\n');
  });

  test('serves metrics, the configuration and the metrics of health to whom it may', async () => {
    await using scene = await Scene.start();
    scene.access = () => true;
    scene.metrics.counter({ name: 'things_total', help: 'Things' }).inc();
    const metrics = await ask(scene.port, '/metrics');
    assert.match(metrics.headers['content-type'] ?? '', /^text\/plain; version=0\.0\.4/);
    assert.match(metrics.body, /^things_total 1$/m);
    const configuration = await ask(scene.port, '/configz');
    assert.equal(configuration.body, '{"a":1}\n');
    assert.equal(configuration.headers['x-content-type-options'], 'nosniff');
    await ask(scene.port, '/healthz');
    const slis = '/metrics/slis';
    assert.match((await ask(scene.port, slis)).body, /kubernetes_healthcheck\{name="ping",type="healthz"\} 1/);
    assert.match(
      (await ask(scene.port, slis)).body,
      /kubernetes_healthchecks_total\{name="ping",type="healthz",status="success"\} 1/,
    );
    assert.equal((await ask(scene.port, slis, { method: 'DELETE' })).status, 200);
    assert.doesNotMatch((await ask(scene.port, slis)).body, /name="ping"/);
  });

  test('lets the verbosity be changed, and nothing else', async () => {
    await using scene = await Scene.start();
    scene.access = () => true;
    const put = (body: string) => ask(scene.port, '/debug/flags/v', { method: 'PUT', body });
    assert.equal((await put('4')).body, 'successfully set klog.logging.verbosity to 4\n');
    assert.equal(scene.verbosity.level, 4);
    assert.equal((await put('lots')).status, 400);
    assert.equal((await put('1'.repeat(5000))).status, 500);
    assert.equal((await ask(scene.port, '/debug/flags/v')).status, 406);
    assert.equal(scene.verbosity.level, 4);
  });

  test('has no debug paths when profiling is off', async () => {
    await using scene = await Scene.start(['--profiling=false']);
    scene.access = () => true;
    assert.equal((await ask(scene.port, '/debug/flags/v', { method: 'PUT', body: '4' })).status, 404);
  });

  test('outlives requests that are none', async () => {
    await using scene = await Scene.start();
    for (const line of [
      'GET http://[ HTTP/1.1\r\nHost: a\r\n\r\n',
      'nonsense\r\n\r\n',
      'GET //a//b HTTP/1.1\r\nHost: a\r\n\r\n',
    ]) {
      const socket = connectTls({ host: '127.0.0.1', port: scene.port, rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      socket.write(line);
      socket.on('error', () => undefined);
      await once(socket, 'data');
      socket.destroy();
    }
    assert.equal((await ask(scene.port, '/healthz')).body, 'ok');
  });

  test('speaks no TLS older than it is told', async () => {
    await using scene = await Scene.start(['--tls-min-version=VersionTLS13']);
    await assert.rejects(ask(scene.port, '/healthz', { maxVersion: 'TLSv1.2' }));
    assert.equal((await ask(scene.port, '/healthz')).status, 200);
  });

  test('ends with its scope', async () => {
    await using scene = await Scene.start();
    const { port } = scene;
    scene.scope.cancel();
    await scene.endpoint?.close();
    await assert.rejects(ask(port, '/healthz'), { code: 'ECONNREFUSED' });
  });
});

describe('A client certificate', () => {
  const authority = new CertificateAuthority('clients');
  const start = () => Scene.start([], (scene) => [`--client-ca-file=${scene.file('ca.pem', authority.certificate)}`]);
  const as = (by: CertificateAuthority, user: string, groups: string[] = []) => {
    const { certificate: cert, key } = by.client(user, groups);
    return { cert, key };
  };

  test('opens the endpoint to administrators', async () => {
    await using scene = await start();
    assert.equal((await ask(scene.port, '/metrics', as(authority, 'root', ['system:masters']))).status, 200);
    const { body } = await ask(scene.port, '/metrics', as(authority, 'jane'));
    assert.match(body, /User \\"jane\\" cannot get path/);
  });

  test('of a stranger is refused, also where everybody may ask', async () => {
    await using scene = await start();
    const { status, body } = await ask(scene.port, '/healthz', as(new CertificateAuthority('clients'), 'root'));
    assert.equal(status, 401);
    assert.deepEqual(JSON.parse(body), {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Unauthorized',
      reason: 'Unauthorized',
      code: 401,
    });
  });
});

describe('The server’s certificate', () => {
  test('is taken anew when its files change, and kept when the new one is broken', async () => {
    await using scene = await Scene.start([], (made) => {
      const { certificate, key } = selfSignedCertificate(Date.now());
      return [
        `--tls-cert-file=${made.file('a.crt', certificate)}`,
        `--tls-private-key-file=${made.file('a.key', key)}`,
      ];
    });
    const served = async () => (await ask(scene.port, '/healthz')).certificate?.fingerprint256;
    const reload = async (told: RegExp): Promise<void> => {
      scene.lines.length = 0;
      await scene.clock.advance(10_000);
      await until(() => scene.lines.some((line) => told.test(line)), `the log says ${told.source}`);
    };
    const first = await served();
    const next = selfSignedCertificate(Date.now());
    scene.file('a.crt', next.certificate);
    await reload(/Cannot reload/);
    assert.equal(await served(), first, 'a certificate without its key was taken');
    scene.file('a.key', next.key);
    await reload(/^Reloaded/);
    const second = await served();
    assert.notEqual(second, first);
    scene.file('a.crt', 'nonsense');
    await reload(/Cannot reload/);
    assert.equal(await served(), second);
  });

  test('follows the name that the client asks for', async () => {
    await using scene = await Scene.start([], (made) => {
      const { certificate, key } = selfSignedCertificate(Date.now(), ['named.example']);
      return [`--tls-sni-cert-key=${made.file('n.crt', certificate)},${made.file('n.key', key)}:named.example`];
    });
    const names = async (servername: string) =>
      (await ask(scene.port, '/healthz', { servername })).certificate?.subjectAltName ?? '';
    assert.match(await names('named.example'), /named\.example/);
    assert.doesNotMatch(await names('other.example'), /named\.example/);
  });
});
