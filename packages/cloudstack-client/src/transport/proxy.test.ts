import assert from 'node:assert/strict';
import http from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { test } from 'node:test';
import { Scope, Secret } from '@cloudstack-ccm/base';
import { TransportError } from '../errors.ts';
import { startWebServer } from '../testing/web-server.ts';
import type { Proxy } from './connection.ts';
import { HttpTransport } from './http-transport.ts';

interface ForwardProxy extends AsyncDisposable {
  readonly host: string;
  /** What it was asked for: `CONNECT host:port`, or `GET http://…` without the query. */
  readonly asked: readonly string[];
}

/** A real forward proxy. It wants the password `hunter2`. */
async function startProxy(): Promise<ForwardProxy> {
  const asked: string[] = [];
  const tunnels = new Set<Duplex>();
  const welcome = `Basic ${Buffer.from('ccm:hunter2').toString('base64')}`;
  const server = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url?.split('?')[0]}`);
    if (request.headers['proxy-authorization'] !== welcome) return void response.writeHead(407).end();
    const { authorization: _, ...headers } = request.headers;
    const onward = http.request(request.url ?? '', { method: request.method ?? 'GET', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    if (request.headers['proxy-authorization'] !== welcome) return void socket.end('HTTP/1.1 407 No\r\n\r\n');
    tunnels.add(socket);
    const [host = '', port = ''] = (request.url ?? '').split(':');
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket);
      socket.pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      for (const tunnel of tunnels) tunnel.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const LIST = { command: 'listZones', method: 'GET', form: 'command=listZones' } as const;
const WRITE = { command: 'createTags', method: 'POST', form: 'command=createTags' } as const;

function transportTo(url: string, proxy: Proxy): HttpTransport {
  const keys = { apiKey: new Secret('k'), secretKey: new Secret('s') };
  return new HttpTransport({ url, ...keys, proxy, verifyCertificate: false });
}

for (const tls of [false, true]) {
  test(`goes through a proxy to ${tls ? 'https' : 'http'}, with the proxy's password`, async () => {
    await using proxy = await startProxy();
    await using server = await startWebServer((_seen, response) => response.end('ok'), { tls });
    const transport = transportTo(server.url, { url: new Secret(`http://ccm:hunter2@${proxy.host}`) });
    assert.equal((await transport.send(Scope.root(), LIST)).body, 'ok');
    assert.equal((await transport.send(Scope.root(), WRITE)).body, 'ok');
    assert.equal(proxy.asked[0], tls ? `CONNECT ${server.host}` : `GET ${server.url}`);
    assert.equal(proxy.asked.length, 2);
    assert.deepEqual(
      server.seen.map(({ body }) => body),
      ['', WRITE.form],
    );
    transport.destroy();
  });
}

test('a proxy that refuses is an error that sent nothing and does not repeat the password', async () => {
  await using proxy = await startProxy();
  await using server = await startWebServer((_seen, response) => response.end('ok'), { tls: true });
  const transport = transportTo(server.url, { url: new Secret(`http://ccm:wrong-one@${proxy.host}`) });
  const error = await transport.send(Scope.root(), WRITE).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof TransportError);
  assert.equal(error.sent, 'no');
  assert.match(error.message, /the proxy did not let the connection through/);
  assert.doesNotMatch(JSON.stringify(error) + error.message + String(error.stack), /wrong-one/);
  transport.destroy();
});

test('follows the proxy of the environment, and its exceptions', async () => {
  await using proxy = await startProxy();
  await using server = await startWebServer((_seen, response) => response.end('ok'));
  const url = `http://ccm:hunter2@${proxy.host}`;
  const through = transportTo(server.url, { environment: { http_proxy: url } });
  await through.send(Scope.root(), LIST);
  assert.equal(proxy.asked.length, 1);
  const around = transportTo(server.url, { environment: { http_proxy: url, no_proxy: '127.0.0.1' } });
  await around.send(Scope.root(), LIST);
  assert.equal(proxy.asked.length, 1);
  through.destroy();
  around.destroy();
});
