import http from 'node:http';
import https from 'node:https';
import type { Scope } from '@cloudstack-ccm/base';
import { AnswerTooLargeError } from '../errors.ts';
import { makeAgents, type Agents } from './agents.ts';
import { endpointOf, type Connection } from './connection.ts';
import { exchange, ExchangeFailure, Oversize, type HttpAnswer } from './exchange.ts';
import { transportError } from './failure.ts';

/** One exchange with the server. */
export interface HttpRequest {
  /** For messages. */
  readonly command: string;
  readonly method: 'GET' | 'POST';
  /** The signed form: the query of a GET, the body of a POST. It never goes into a message. */
  readonly form: string;
}

/** The largest list page seen in the field is a few megabytes. */
const LARGEST_ANSWER = 64 * 1024 * 1024;

/** Sends signed forms to one endpoint. Knows HTTP, and nothing of CloudStack. */
export class HttpTransport {
  readonly host: string;
  readonly #url: URL;
  readonly #secure: boolean;
  readonly #agents: Agents;
  readonly #largestAnswer: number;
  readonly #whenIdle: (() => void)[] = [];
  #running = 0;

  /** @throws InvalidInputError when the connection's URL is none */
  constructor(connection: Connection, largestAnswer = LARGEST_ANSWER) {
    this.#url = endpointOf(connection);
    this.host = this.#url.host;
    this.#secure = this.#url.protocol === 'https:';
    this.#agents = makeAgents(connection, this.#secure);
    this.#largestAnswer = largestAnswer;
  }

  /**
   * A GET goes over a kept connection, and once more over one of its own if that turns out to be stale. A POST always
   * has a connection of its own: when that fails before it stands, nothing was sent for certain, whereas on a kept one
   * nobody could tell a stale connection from a server that worked and died.
   * @throws TransportError, AnswerTooLargeError, the scope's reason
   */
  async send(scope: Scope, request: HttpRequest): Promise<HttpAnswer> {
    this.#running++;
    try {
      return request.method === 'POST'
        ? await this.#exchange(scope, request, this.#agents.fresh)
        : await this.#get(scope, request);
    } catch (failure) {
      throw this.#explain(failure, request.command);
    } finally {
      this.#running--;
      if (this.#running === 0) for (const idle of this.#whenIdle.splice(0)) idle();
    }
  }

  /** Waits for what runs, and lets go of all connections. */
  async close(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
    this.destroy();
  }

  /** Breaks all connections now. */
  destroy(): void {
    this.#agents.pooled.destroy();
    this.#agents.fresh.destroy();
  }

  async #get(scope: Scope, request: HttpRequest): Promise<HttpAnswer> {
    try {
      return await this.#exchange(scope, request, this.#agents.pooled);
    } catch (failure) {
      if (!(failure instanceof ExchangeFailure && failure.stale)) throw failure;
      return this.#exchange(scope, request, this.#agents.fresh);
    }
  }

  #exchange(scope: Scope, request: HttpRequest, agent: http.Agent): Promise<HttpAnswer> {
    const body = request.method === 'POST' ? request.form : undefined;
    return exchange(scope, () => this.#open(request, agent), body, this.#largestAnswer);
  }

  #open({ method, form }: HttpRequest, agent: http.Agent): http.ClientRequest {
    const { hostname, port, pathname } = this.#url;
    const options = {
      agent,
      method,
      // Brackets belong to the URL, not to the IPv6 address in it.
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      path: method === 'GET' ? `${pathname}?${form}` : pathname,
      headers: {
        accept: 'application/json',
        host: this.host,
        ...(method === 'POST' && {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': Buffer.byteLength(form),
        }),
      },
    };
    return this.#secure ? https.request(options) : http.request(options);
  }

  #explain(failure: unknown, command: string): unknown {
    if (!(failure instanceof ExchangeFailure)) return failure;
    if (failure.thrown instanceof Oversize) return new AnswerTooLargeError(command, this.host, this.#largestAnswer);
    return transportError(failure.thrown, { command, host: this.host, sent: failure.sent });
  }
}
