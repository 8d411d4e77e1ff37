import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { createSecureContext, TLSSocket, type SecureContextOptions } from 'node:tls';

import { messageOf, Tasks, type KeyPair, type Logger, type Scope } from '@cloudstack-ccm/base';

import { ServingError } from '../errors.ts';
import type { Options } from '../options/options.ts';
import { NOT_FOUND, forbidden, text, unauthorized, type Answer, type Path } from './answer.ts';
import { REFUSED, type Authenticator } from './authentication.ts';
import type { AuthenticationConfig } from './authentication-config.ts';
import type { Authorizer } from './authorization.ts';
import { certificateFor, type CertificateStore, type Certificates } from './certificates.ts';

import { tlsSettings } from './tls-settings.ts';

export interface HttpsEndpointOptions {
  readonly flags: Options['secureServing'];
  readonly certificates: CertificateStore;
  readonly authentication: AuthenticationConfig;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly paths: ReadonlyMap<string, Path>;
  readonly log: Logger;
}

/** So often the certificate files are looked at. */
const RELOAD_MS = 10_000;

const MAX_BODY_BYTES = 4096;
const MAX_CONNECTIONS = 512;
const REQUEST_TIMEOUT_MS = 30_000;

/** Serves some paths over HTTPS to whom authentication and authorization let. */
export class HttpsEndpoint {
  readonly #options: HttpsEndpointOptions;
  readonly #tls: SecureContextOptions;
  readonly #server: Server;
  readonly #scope: Scope;
  #certificates: Certificates;
  #closed: Promise<void> | undefined;

  private constructor(scope: Scope, options: HttpsEndpointOptions, certificates: Certificates) {
    this.#scope = scope;
    this.#options = options;
    this.#certificates = certificates;
    this.#tls = tlsSettings(options.flags);
    this.#server = createServer(
      {
        ...this.#context(certificates.main),
        requestCert: true,
        // Whether a certificate is good is for the authenticator to say: probes have none.
        rejectUnauthorized: false,
        SNICallback: (name, done) => this.#choose(name, done),
      },
      (request, response) => void this.#serve(request, response),
    );
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.requestTimeout = REQUEST_TIMEOUT_MS;
    // A client that breaks off its handshake is no news.
    this.#server.on('tlsClientError', (error) => options.log.debug(4, 'TLS handshake failed', { err: error.message }));
    options.authentication.onChange(() => this.#renew());
  }

  /**
   * Binds the port and serves until the scope ends.
   * @throws ServingError when the port, a certificate or a TLS flag cannot be used.
   */
  static async start(scope: Scope, options: HttpsEndpointOptions): Promise<HttpsEndpoint> {
    const endpoint = new HttpsEndpoint(scope, options, await options.certificates.load());
    await endpoint.#listen();
    scope.onCancel(() => void endpoint.close());
    new Tasks(scope, options.log).spawn('serving-certificates', (own) => endpoint.#reload(own));
    return endpoint;
  }

  /** The port that is served: the flag's, or one that was free when that is asked for in a test. */
  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  /** Ends all connections. The scope's end does it too; may be called again. */
  close(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
    return this.#closed;
  }

  #listen(): Promise<void> {
    const { bindAddress: host, securePort: port, permitPortSharing: reusePort } = this.#options.flags;
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(host, port, error)));
      this.#server.listen({ host, port, reusePort }, () => {
        this.#server.removeAllListeners('error');
        this.#server.on('error', (fault) => this.#options.log.error('The HTTPS endpoint failed', fault));
        resolve();
      });
    });
  }

  #context({ certificate, key }: KeyPair): SecureContextOptions {
    const { clients, proxies } = this.#options.authentication.trust;
    const ca = [clients.pem, proxies.pem].filter((pem) => pem !== '');
    // An empty list means no authority; without one Node would believe all public ones.
    return { ...this.#tls, cert: certificate, key, ca };
  }

  #choose(name: string, done: (error: Error | null, context?: ReturnType<typeof createSecureContext>) => void): void {
    const pair = certificateFor(this.#certificates, name);
    if (!pair) return done(null);
    try {
      done(null, createSecureContext(this.#context(pair)));
    } catch (thrown) {
      this.#options.log.error('Cannot use the certificate for a server name', thrown, { name });
      done(null);
    }
  }

  /** Takes what has changed for new connections; what cannot be used leaves the old in place. */
  #renew(): void {
    try {
      this.#server.setSecureContext(this.#context(this.#certificates.main));
    } catch (thrown) {
      this.#options.log.error('Cannot use the new certificates, the old ones stay', thrown);
    }
  }

  async #reload(scope: Scope): Promise<void> {
    for (;;) {
      await scope.sleep(RELOAD_MS);
      await this.#reloadOnce();
    }
  }

  async #reloadOnce(): Promise<void> {
    const { certificates, log } = this.#options;
    try {
      const before = fingerprint(this.#certificates);
      const loaded = await certificates.load();
      if (fingerprint(loaded) === before) return;
      // A pair half-written to disk must not replace a good one.
      createSecureContext(this.#context(loaded.main));
      this.#certificates = loaded;
      this.#renew();
      log.info('Reloaded the serving certificates');
    } catch (thrown) {
      log.error('Cannot reload the serving certificates, the old ones stay', thrown);
    }
  }

  /** Never rejects: nothing a client sends may end the process. */
  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const uri = request.url ?? '/';
    try {
      const { pathname, searchParams } = new URL(uri, 'https://localhost');
      send(response, await this.#answer(request, pathname, searchParams));
    } catch (thrown) {
      this.#options.log.error('A request failed', thrown);
      const body = `Internal Server Error: ${JSON.stringify(uri)}: ${messageOf(thrown)}\n`;
      if (!response.headersSent) send(response, text(500, body));
    }
  }

  async #answer(request: IncomingMessage, path: string, query: URLSearchParams): Promise<Answer> {
    const { authenticator, authorizer, paths, log } = this.#options;
    const method = request.method ?? 'GET';
    log.debug(6, 'Request', { method, path });
    const { socket } = request;
    const tls = socket instanceof TLSSocket ? socket : undefined;
    const identity = await authenticator.identify(this.#scope, {
      headers: request.headersDistinct,
      certificate: tls?.getPeerX509Certificate(),
      certificateIsGood: tls?.authorized ?? false,
    });
    if (identity === REFUSED) return unauthorized();
    const verb = method.toLowerCase();
    const access = await authorizer.mayAsk(this.#scope, identity, path, verb);
    if (!access.allowed) return forbidden(identity.user, verb, path, access.reason);
    const local = isLoopback(socket.remoteAddress ?? '');
    const answer = await paths.get(path)?.({ method, query, identity, local, body: () => bodyOf(request) });
    return answer ?? NOT_FOUND;
  }
}

function listenError(host: string, port: number, error: NodeJS.ErrnoException): ServingError {
  const where = `${host}:${port}`;
  const reason = error.code === 'EADDRINUSE' ? 'address already in use' : error.message;
  return new ServingError(
    `failed to create listener: failed to listen on ${where}: listen tcp ${where}: bind: ${reason}`,
  );
}

function fingerprint({ main, byName }: Certificates): string {
  return JSON.stringify([main, [...byName]]);
}

function send(response: ServerResponse, { status, contentType, body, headers }: Answer): void {
  response.writeHead(status, {
    'Cache-Control': 'no-cache, private',
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new ServingError('the body of the request is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
