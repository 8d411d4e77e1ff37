import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** What an HTTPS server needs, all of it as PEM. */
export interface TlsMaterial {
  readonly key: string;
  /** The certificate for 127.0.0.1. */
  readonly certificate: string;
  /** What clients trust: the certificate itself, or that of the authority which signed it. */
  readonly authority: string;
  /** Clients may show certificates of this authority: CN is the user, O are the groups. */
  readonly clientAuthority?: string;
}

/** An HTTP or HTTPS server on loopback that can go away and come back on the same port. */
export class LoopbackServer {
  readonly #listener: RequestListener;
  readonly #tls: TlsMaterial | undefined;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port: number;

  /** @param port 0 for any that is free. */
  constructor(listener: RequestListener, port: number, tls: TlsMaterial | undefined) {
    this.#listener = listener;
    this.#port = port;
    this.#tls = tls;
  }

  get url(): string {
    return `${this.#tls ? 'https' : 'http'}://127.0.0.1:${this.#port}`;
  }

  /** Connections that are open. */
  get connections(): number {
    return this.#sockets.size;
  }

  async open(): Promise<void> {
    const server = this.#create();
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Breaks all connections and takes no more. */
  async close(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #create(): Server {
    const server = this.#tls
      ? createHttpsServer(httpsOptions(this.#tls), this.#listener)
      : createHttpServer(this.#listener);
    // Watches are quiet for as long as nothing happens.
    server.requestTimeout = 0;
    server.timeout = 0;
    server.on(this.#tls ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => this.#sockets.delete(socket));
    });
    return server;
  }
}

function httpsOptions({ key, certificate, clientAuthority }: TlsMaterial): ServerOptions {
  const clients = { ca: clientAuthority, requestCert: true, rejectUnauthorized: false };
  return { key, cert: certificate, ...(clientAuthority !== undefined && clients) };
}
