import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, type AgentOptions, request as httpsRequest } from 'node:https';
import type { Clock, Scope } from '@cloudstack-ccm/base';
import type { ClusterConfig } from '../auth/cluster-config.ts';
import { readPem } from '../auth/pem-source.ts';
import { ConnectionError } from '../errors.ts';

/** One request as it goes on the wire. */
export interface WireRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Watches last for minutes and would hold up calls: they have connections of their own. */
  readonly longRunning: boolean;
}

interface Agents {
  readonly calls: HttpAgent;
  readonly watches: HttpAgent;
}

interface TlsMaterial {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Certificate files are looked at again this often; rotation happens days before expiry. */
const REREAD_MS = 60_000;

/** Concurrent calls beyond this many wait for a connection, within their deadline. */
const MAX_CALLS = 64;

/** Notice a peer that is gone without a word, in milliseconds. */
const TCP_KEEP_ALIVE_MS = 30_000;

/** The connections to one API server: kept alive and shared by all clients of one configuration. */
export class Connections {
  /** `host:port`, for metrics. */
  readonly host: string;
  readonly #config: ClusterConfig;
  readonly #clock: Clock;
  readonly #base: URL;
  #agents: Agents | undefined;
  #material: TlsMaterial = {};
  #checkedAt = Number.NEGATIVE_INFINITY;
  #checking: Promise<Agents> | undefined;

  constructor(config: ClusterConfig, clock: Clock) {
    this.#config = config;
    this.#clock = clock;
    this.#base = new URL(config.server);
    const port = this.#base.port || (this.#secure ? '443' : '80');
    this.host = `${this.#base.hostname}:${port}`;
  }

  /**
   * Sends the request and resolves when the head of the answer is here. The caller reads or destroys the body.
   * @throws ConnectionError
   */
  async send(scope: Scope, wire: WireRequest): Promise<IncomingMessage> {
    const agents = await scope.wait(this.#current());
    const send = this.#secure ? httpsRequest : httpRequest;
    return scope.race((resolve, reject) => {
      const request = send(this.#options(agents, wire));
      request.once('response', (response) => {
        response.on('error', ignore);
        resolve(response);
      });
      request.on('error', (error) => reject(new ConnectionError(describe(wire), error, request.reusedSocket)));
      request.end(wire.body);
      return () => request.destroy();
    });
  }

  /** Closes all connections, also those in use. */
  close(): void {
    destroy(this.#agents);
    this.#agents = undefined;
    this.#checkedAt = Number.NEGATIVE_INFINITY;
  }

  get #secure(): boolean {
    return this.#base.protocol === 'https:';
  }

  #options(agents: Agents, { method, path, headers, longRunning }: WireRequest): RequestOptions {
    return {
      method,
      host: this.#base.hostname.replace(/^\[|\]$/g, ''),
      port: this.#base.port || (this.#secure ? 443 : 80),
      path: this.#base.pathname.replace(/\/$/, '') + path,
      headers,
      agent: longRunning ? agents.watches : agents.calls,
    };
  }

  /** The agents in force; new ones when the certificate files have changed. */
  #current(): Promise<Agents> {
    const now = this.#clock.monotonic();
    if (this.#agents && now - this.#checkedAt < REREAD_MS) return Promise.resolve(this.#agents);
    this.#checking ??= this.#refresh().finally(() => (this.#checking = undefined));
    return this.#checking;
  }

  async #refresh(): Promise<Agents> {
    const old = this.#agents;
    const material = await this.#read();
    this.#checkedAt = this.#clock.monotonic();
    if (old && same(material, this.#material)) return old;
    this.#material = material;
    this.#agents = this.#open(material);
    // Work in flight ends with the old certificates; idle connections go now, the others when they become idle.
    if (old) retire(old);
    return this.#agents;
  }

  /** What the files say now; while they cannot be read (a rotation half done), what they said last. */
  async #read(): Promise<TlsMaterial> {
    try {
      return await this.#readFiles();
    } catch (thrown) {
      if (this.#agents) return this.#material;
      throw thrown;
    }
  }

  async #readFiles(): Promise<TlsMaterial> {
    const { ca, clientCertificate } = this.#config.tls;
    return {
      ...(ca && { ca: (await readPem(ca)).reveal() }),
      ...(clientCertificate && {
        cert: (await readPem(clientCertificate.certificate)).reveal(),
        key: (await readPem(clientCertificate.key)).reveal(),
      }),
    };
  }

  #open(material: TlsMaterial): Agents {
    const { insecureSkipVerify, serverName } = this.#config.tls;
    const options: AgentOptions = {
      keepAlive: true,
      keepAliveMsecs: TCP_KEEP_ALIVE_MS,
      ...material,
      rejectUnauthorized: !insecureSkipVerify,
      ...(serverName !== undefined && { servername: serverName }),
    };
    const make = (more: AgentOptions): HttpAgent =>
      this.#secure ? new HttpsAgent({ ...options, ...more }) : new HttpAgent({ keepAlive: true, ...more });
    return { calls: make({ maxSockets: MAX_CALLS }), watches: make({}) };
  }
}

function same(left: TlsMaterial, right: TlsMaterial): boolean {
  return left.ca === right.ca && left.cert === right.cert && left.key === right.key;
}

function retire({ calls, watches }: Agents): void {
  for (const agent of [calls, watches]) {
    for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    agent.maxFreeSockets = 0;
  }
}

function destroy(agents: Agents | undefined): void {
  agents?.calls.destroy();
  agents?.watches.destroy();
}

/** Whoever reads the body sees its error; unheard by anyone, it would end the process. */
function ignore(): void {}

function describe({ method, path }: WireRequest): string {
  return `${method} ${path.split('?', 1)[0]}`;
}
