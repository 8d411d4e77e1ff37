import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { certificate, key } from './certificate.ts';

/** What the server saw of a request. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly socket: Socket;
}

type Handler = (seen: Seen, response: http.ServerResponse) => void;

export interface WebServer extends AsyncDisposable {
  readonly url: string;
  readonly host: string;
  readonly seen: readonly Seen[];
  /** Connections that were opened so far. */
  readonly connections: () => number;
}

/** A real HTTP or HTTPS server on loopback that does what the test tells it. */
export async function startWebServer(handler: Handler, { tls = false } = {}): Promise<WebServer> {
  const seen: Seen[] = [];
  let connections = 0;
  const listener: http.RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const entry = { method: request.method ?? '', path: request.url ?? '', body, socket: request.socket };
      seen.push(entry);
      handler(entry, response);
    });
  };
  const server = tls ? https.createServer({ key, cert: certificate }, listener) : http.createServer(listener);
  server.on(tls ? 'secureConnection' : 'connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/client/api`,
    host: `127.0.0.1:${port}`,
    seen,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
