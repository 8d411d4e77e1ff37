import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Clock, Secret } from '@cloudstack-ccm/base';
import type { ClusterConfig } from '../auth/cluster-config.ts';
import { fixedToken } from '../auth/token-source.ts';
import { KubernetesClient, type KubernetesClientOptions } from '../kubernetes-client.ts';
import { until } from './until.ts';

/** One request that has arrived and waits for the test to answer it. */
export class Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly socket: Socket;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse, body: string) {
    const url = new URL(request.url ?? '/', 'http://server');
    this.method = request.method ?? '';
    this.path = url.pathname;
    this.query = Object.fromEntries(url.searchParams);
    this.headers = request.headers;
    this.body = body;
    this.socket = request.socket;
    this.#response = response;
  }

  json(body: object, status = 200, headers: Readonly<Record<string, string>> = {}): void {
    this.#response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  }

  /** Answers with a Status object. */
  refuse(code: number, reason: string, headers: Readonly<Record<string, string>> = {}, details: object = {}): void {
    this.json(status(code, reason, details), code, headers);
  }

  text(body: string, status: number): void {
    this.#response.writeHead(status, { 'content-type': 'text/html' }).end(body);
  }

  /** Sends the head of a good answer, whose body `write` and `end` make. */
  begin(headers: Readonly<Record<string, string>> = {}): void {
    this.#response.writeHead(200, { 'content-type': 'application/json', ...headers }).flushHeaders();
  }

  write(text: string): void {
    this.#response.write(text);
  }

  /** Sends one event of a watch. */
  event(type: string, object: object): void {
    this.write(`${JSON.stringify({ type, object })}\n`);
  }

  /** Sends the bookmark that completes a streamed list. */
  initialEnd(resourceVersion: string): void {
    this.event('BOOKMARK', { metadata: { resourceVersion, annotations: { 'k8s.io/initial-events-end': 'true' } } });
  }

  bookmark(resourceVersion: string): void {
    this.event('BOOKMARK', { metadata: { resourceVersion } });
  }

  end(): void {
    this.#response.end();
  }

  /** Breaks the connection without a word. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  /** Resolves when the client has dropped the connection or the answer is complete. */
  async closed(): Promise<void> {
    if (!this.#response.closed) await once(this.#response, 'close');
  }
}

/** An HTTP server whose every answer the test gives itself. */
export class ScriptedServer implements AsyncDisposable {
  readonly url: string;
  /** Connections accepted so far. */
  connections = 0;
  readonly #server: Server;
  readonly #arrived: Exchange[] = [];
  readonly #clients: KubernetesClient[] = [];

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('connection', () => this.connections++);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#receive(request, response));
  }

  static async start(): Promise<ScriptedServer> {
    // The client must cope with a server that never closes idle connections by itself.
    const server = createServer({ keepAliveTimeout: 0 }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ScriptedServer(server);
  }

  /** The next request. @throws when none comes within 10 s. */
  async next(): Promise<Exchange> {
    await until(() => this.#arrived.length > 0, 'a request arrives');
    const exchange = this.#arrived.shift();
    assert.ok(exchange);
    return exchange;
  }

  /** Requests that arrived and that the test has not asked for yet. */
  get unanswered(): number {
    return this.#arrived.length;
  }

  get config(): ClusterConfig {
    const tls = { ca: undefined, insecureSkipVerify: false, serverName: undefined, clientCertificate: undefined };
    return { server: this.url, tls, token: fixedToken(new Secret('t0ken')), namespace: 'default', origin: 'test' };
  }

  client(clock: Clock, options: Partial<KubernetesClientOptions> = {}): KubernetesClient {
    const client = new KubernetesClient({ config: this.config, userAgent: 'test/v1', qps: -1, clock, ...options });
    this.#clients.push(client);
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) client.close();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.on('end', () => this.#arrived.push(new Exchange(request, response, body)));
  }
}

/** A Status object as the API server sends it. */
export function status(code: number, reason: string, details: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Status',
    status: 'Failure',
    message: `${reason} says the server`,
    reason,
    code,
    details,
  };
}
