import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { FakeClock, Scope } from '@cloudstack-ccm/base';
import { CertificateAuthority } from '@cloudstack-ccm/control-plane';
import type { ClusterConfig } from '../auth/cluster-config.ts';
import { KubeconfigError } from '../errors.ts';
import { KubernetesClient } from '../kubernetes-client.ts';

interface World {
  readonly clock: FakeClock;
  readonly scope: Scope;
  readonly client: KubernetesClient;
  readonly authority: CertificateAuthority;
  readonly folder: string;
  readonly server: Server;
  /** The names in the client certificates that the server was shown, one for each connection. */
  readonly shown: string[];
}

async function setUp(test: TestContext): Promise<World> {
  const authority = new CertificateAuthority('test');
  const folder = await mkdtemp(join(tmpdir(), 'tls-'));
  const pair = authority.server(['127.0.0.1']);
  const shown: string[] = [];
  const server = createServer(
    { cert: pair.certificate, key: pair.key, ca: authority.certificate, requestCert: true, rejectUnauthorized: true },
    (_request, response) => response.end('ok'),
  ).listen(0, '127.0.0.1');
  server.on('secureConnection', (socket: TLSSocket) => shown.push(socket.getPeerCertificate().subject.CN));
  await once(server, 'listening');
  const clock = new FakeClock();
  const config: ClusterConfig = {
    server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tls: {
      ca: { file: join(folder, 'ca.pem') },
      insecureSkipVerify: false,
      serverName: undefined,
      clientCertificate: { certificate: { file: join(folder, 'cert.pem') }, key: { file: join(folder, 'key.pem') } },
    },
    token: undefined,
    namespace: 'default',
    origin: 'test',
  };
  const client = new KubernetesClient({ config, userAgent: 'test', clock });
  test.after(async () => {
    client.close();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });
  return { clock, scope: Scope.root(clock), client, authority, folder, server, shown };
}

async function writeCertificate({ authority, folder }: World, name: string): Promise<void> {
  const { certificate, key } = authority.client(name, []);
  await writeFile(join(folder, 'ca.pem'), authority.certificate);
  await writeFile(join(folder, 'cert.pem'), certificate);
  await writeFile(join(folder, 'key.pem'), key);
}

describe('connections', () => {
  it('use certificates that were renewed on disk within a minute, and keep the old ones while a file is missing', async (test) => {
    const world = await setUp(test);
    await writeCertificate(world, 'old');
    await world.client.health(world.scope);
    await writeCertificate(world, 'new');
    await world.clock.advance(59_999);
    await world.client.health(world.scope);
    assert.deepEqual(world.shown, ['old']);
    await world.clock.advance(1);
    await world.client.health(world.scope);
    assert.deepEqual(world.shown, ['old', 'new']);
    await rm(join(world.folder, 'key.pem'));
    await world.clock.advance(60_000);
    await world.client.health(world.scope);
    assert.deepEqual(world.shown, ['old', 'new']);
  });

  it('name the file that cannot be read', async (test) => {
    const world = await setUp(test);
    await assert.rejects(world.client.health(world.scope), (error) => {
      assert.ok(error instanceof KubeconfigError);
      assert.match(error.message, /unable to read .*ca\.pem/);
      return true;
    });
    await writeCertificate(world, 'late');
    await world.client.health(world.scope);
    assert.deepEqual(world.shown, ['late']);
  });

  it('leave nothing open when they are closed', async (test) => {
    const world = await setUp(test);
    await writeCertificate(world, 'any');
    await world.client.health(world.scope);
    const closed = once(world.server, 'close');
    world.server.close();
    world.client.close();
    await closed;
  });
});
