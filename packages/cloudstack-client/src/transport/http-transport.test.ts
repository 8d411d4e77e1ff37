import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { CancelledError, DeadlineExceededError, FakeClock, Scope, Secret } from '@cloudstack-ccm/base';
import { AnswerTooLargeError, TransportError } from '../errors.ts';
import { certificate } from '../testing/certificate.ts';
import { startWebServer, type Seen, type WebServer } from '../testing/web-server.ts';
import type { Connection } from './connection.ts';
import { HttpTransport } from './http-transport.ts';

const KEYS = { apiKey: new Secret('API-KEY'), secretKey: new Secret('SECRET-KEY') };
const LIST = {
  command: 'listZones',
  method: 'GET',
  form: 'command=listZones&apiKey=API-KEY&signature=SEALED',
} as const;
const WRITE = { command: 'createTags', method: 'POST', form: 'command=createTags&signature=SEALED' } as const;

function transportTo(url: string, options: Partial<Connection> = {}, largestAnswer?: number) {
  const transport = new HttpTransport({ url, ...KEYS, ...options }, largestAnswer);
  return Object.assign(transport, { [Symbol.dispose]: () => transport.destroy() });
}

async function failureOf(sent: Promise<unknown>): Promise<TransportError> {
  const error = await sent.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof TransportError)) throw error;
  assert.doesNotMatch(error.message + JSON.stringify(error) + String(error.stack), /API-KEY|SEALED|client\/api\?/);
  assert.equal(error.cause, undefined);
  return error;
}

/** The port of a server that is not there any more. */
async function deadUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/client/api`;
}

test('sends a GET with the form as its query, and a POST with the form as its body', async () => {
  await using server = await startWebServer((_seen, response) => response.end('ok'));
  using transport = transportTo(server.url);
  const answer = await transport.send(Scope.root(), LIST);
  await transport.send(Scope.root(), WRITE);
  assert.deepEqual(answer, { status: 200, contentType: '', body: 'ok' });
  assert.deepEqual(
    server.seen.map(({ method, path, body }) => ({ method, path, body })),
    [
      { method: 'GET', path: `/client/api?${LIST.form}`, body: '' },
      { method: 'POST', path: '/client/api', body: WRITE.form },
    ],
  );
});

test('keeps the connection of a GET for the next one', async () => {
  await using server = await startWebServer((_seen, response) => response.end('ok'));
  using transport = transportTo(server.url);
  for (let index = 0; index < 5; index++) await transport.send(Scope.root(), LIST);
  assert.equal(server.connections(), 1);
});

test('sends each POST over a connection of its own', async () => {
  await using server = await startWebServer((_seen, response) => response.end('ok'));
  using transport = transportTo(server.url);
  for (let index = 0; index < 3; index++) await transport.send(Scope.root(), WRITE);
  assert.equal(server.connections(), 3);
});

/** Answers the first request, and breaks the connection at the second one on it without a word. */
function forgetful(): Promise<WebServer> {
  const served = new WeakSet<object>();
  return startWebServer(({ socket }, response) => {
    if (served.has(socket)) socket.destroy();
    else response.end('ok');
    served.add(socket);
  });
}

test('sends a GET once more when the kept connection turns out to be stale', async () => {
  await using server = await forgetful();
  using transport = transportTo(server.url);
  await transport.send(Scope.root(), LIST);
  const answer = await transport.send(Scope.root(), LIST);
  assert.equal(answer.body, 'ok');
  assert.equal(server.connections(), 2);
});

test('never sends a POST twice when its answer is lost', async () => {
  await using server = await startWebServer(({ socket }) => socket.destroy());
  using transport = transportTo(server.url);
  const error = await failureOf(transport.send(Scope.root(), WRITE));
  assert.equal(error.sent, 'maybe');
  assert.equal(server.seen.length, 1);
});

test('an answer that is cut in its middle may have been carried out', async () => {
  await using server = await startWebServer(({ socket }, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"half":', () => socket.destroy());
  });
  using transport = transportTo(server.url);
  const error = await failureOf(transport.send(Scope.root(), WRITE));
  assert.equal(error.sent, 'maybe');
});

test('a refused connection certainly sent nothing', async () => {
  using transport = transportTo(await deadUrl());
  const error = await failureOf(transport.send(Scope.root(), WRITE));
  assert.equal(error.sent, 'no');
  assert.equal(error.reason, 'ECONNREFUSED');
  assert.match(error.message, /^createTags to 127\.0\.0\.1:\d+ failed: connect ECONNREFUSED/);
});

test('what answers in another language than HTTP is named without repeating what it said', async () => {
  const server = createServer((socket) => socket.end('SSH-2.0-OpenSSH SEALED\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  using transport = transportTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}/client/api`);
  const error = await failureOf(transport.send(Scope.root(), LIST));
  assert.match(error.message, /the answer is not HTTP/);
  server.close();
});

test('refuses a certificate that nobody vouches for, before anything is sent', async () => {
  await using server = await startWebServer((_seen, response) => response.end('ok'), { tls: true });
  using transport = transportTo(server.url);
  const error = await failureOf(transport.send(Scope.root(), WRITE));
  assert.equal(error.sent, 'no');
  assert.match(error.message, /failed: self-signed certificate: give the authority/);
  assert.equal(server.seen.length, 0);
});

test('trusts a given authority', async () => {
  await using server = await startWebServer((_seen, response) => response.end('ok'), { tls: true });
  using transport = transportTo(server.url, { certificateAuthorities: certificate });
  assert.equal((await transport.send(Scope.root(), LIST)).body, 'ok');
  assert.equal((await transport.send(Scope.root(), WRITE)).body, 'ok');
});

test('checks no certificate when told so', async () => {
  await using server = await startWebServer((_seen, response) => response.end('ok'), { tls: true });
  using transport = transportTo(server.url, { verifyCertificate: false });
  assert.equal((await transport.send(Scope.root(), LIST)).body, 'ok');
});

test('ends a call at its deadline while the body still trickles in', async () => {
  const clock = new FakeClock();
  const arrived = Promise.withResolvers<void>();
  await using server = await startWebServer((_seen, response) => {
    response.write('{');
    arrived.resolve();
  });
  using transport = transportTo(server.url);
  const scope = Scope.root(clock).withDeadline(60_000, 'listZones');
  const failure = transport.send(scope, LIST).catch((error: unknown) => error);
  await arrived.promise;
  await clock.advance(60_000);
  assert.ok((await failure) instanceof DeadlineExceededError);
});

test('breaks a call off when its scope ends, and lets go of its connection', async () => {
  const arrived = Promise.withResolvers<Seen>();
  await using server = await startWebServer((seen) => arrived.resolve(seen));
  using transport = transportTo(server.url);
  const scope = Scope.root();
  const failure = transport.send(scope, LIST).catch((error: unknown) => error);
  const { socket } = await arrived.promise;
  const closed = new Promise((resolve) => socket.once('close', resolve));
  scope.cancel();
  assert.ok((await failure) instanceof CancelledError);
  await closed;
});

test('opens no connection for a scope that has ended', async () => {
  await using server = await startWebServer((_seen, response) => response.end('ok'));
  using transport = transportTo(server.url);
  const scope = Scope.root();
  scope.cancel();
  await assert.rejects(transport.send(scope, LIST), CancelledError);
  await assert.rejects(transport.send(scope, WRITE), CancelledError);
  transport.destroy();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(server.connections(), 0);
});

test('drops an answer that is too large', async () => {
  await using server = await startWebServer((_seen, response) => response.end('x'.repeat(2000)));
  using transport = transportTo(server.url, {}, 1000);
  await assert.rejects(transport.send(Scope.root(), LIST), AnswerTooLargeError);
});

test('closing waits for the answer that is under way, and can be done twice', async () => {
  const arrived = Promise.withResolvers<() => void>();
  await using server = await startWebServer((_seen, response) => arrived.resolve(() => response.end('late')));
  using transport = transportTo(server.url);
  const answer = transport.send(Scope.root(), LIST);
  const finish = await arrived.promise;
  const closed = Promise.all([transport.close(), transport.close()]);
  finish();
  assert.equal((await answer).body, 'late');
  await closed;
});

test('destroying breaks the answer that is under way', async () => {
  const arrived = Promise.withResolvers<void>();
  await using server = await startWebServer(() => arrived.resolve());
  using transport = transportTo(server.url);
  const failure = failureOf(transport.send(Scope.root(), WRITE));
  await arrived.promise;
  transport.destroy();
  assert.equal((await failure).sent, 'maybe');
});

test('refuses a URL that is none, without repeating it', () => {
  for (const url of ['cloud.example.test', 'ftp://cloud.example.test/', 'http://user:hunter2@']) {
    assert.throws(
      () => new HttpTransport({ url, ...KEYS }),
      /^InvalidInputError: the API URL must be complete, for example/,
    );
  }
});
