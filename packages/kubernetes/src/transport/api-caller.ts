import type { IncomingMessage } from 'node:http';
import type { Clock, Logger, Scope, TokenBucket } from '@cloudstack-ccm/base';
import type { TokenSource } from '../auth/token-source.ts';
import { parseJson } from '../decode.ts';
import { StatusError } from '../errors.ts';
import { type ApiRequest, describe, pathWithQuery } from './api-request.ts';
import { chunksOf, readText } from './body.ts';
import type { ClientMetrics } from './client-metrics.ts';
import type { Connections } from './connections.ts';
import { type Failure, retryDelayMs } from './retry.ts';
import { answeredError, retryAfterMs } from './status.ts';

export interface ApiCallerOptions {
  readonly connections: Connections;
  readonly token: TokenSource | undefined;
  readonly userAgent: string;
  readonly bucket: TokenBucket;
  readonly timeoutMs: number;
  readonly metrics: ClientMetrics;
  readonly log: Logger;
  readonly clock: Clock;
}

type Outcome = { readonly response: IncomingMessage } | Failure;

/** Larger answers to single calls are refused; etcd's own limit for an object is 1.5 MiB. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

const MAX_ERROR_BYTES = 1024 * 1024;

/** Sends requests as one user and one user agent: rate limit, deadline, retries, measurements, typed errors. */
export class ApiCaller {
  readonly #options: ApiCallerOptions;

  constructor(options: ApiCallerOptions) {
    this.#options = options;
  }

  /** @throws StatusError, ConnectionError, DecodeError, DeadlineExceededError, or the scope's reason. */
  json(scope: Scope, request: ApiRequest): Promise<unknown> {
    return this.read(scope, request, async (chunks) => parseJson(await this.#text(chunks, request), describe(request)));
  }

  /** The answer's body as it is. @throws as `json` does. */
  text(scope: Scope, request: ApiRequest): Promise<string> {
    return this.read(scope, request, (chunks) => this.#text(chunks, request));
  }

  /** Sends the request and reads the answer with `consume`, all within the request's one deadline. */
  async read<T>(scope: Scope, request: ApiRequest, consume: (chunks: AsyncIterable<Buffer>) => Promise<T>): Promise<T> {
    using own = scope.withDeadline(this.#timeout(request), describe(request));
    const response = await this.#send(own, request, false);
    return await consume(this.#measured(chunksOf(own, response, describe(request)), request));
  }

  /** Opens a stream that lasts until the scope ends; the deadline covers only the head of the answer. */
  async *stream(scope: Scope, request: ApiRequest): AsyncGenerator<Buffer, void, void> {
    const response = await this.#open(scope, request);
    yield* chunksOf(scope, response, describe(request));
  }

  async #open(scope: Scope, request: ApiRequest): Promise<IncomingMessage> {
    using own = scope.withDeadline(this.#timeout(request), describe(request));
    return await this.#send(own, request, true);
  }

  #timeout({ timeoutMs = this.#options.timeoutMs }: ApiRequest): number {
    return timeoutMs;
  }

  #text(chunks: AsyncIterable<Buffer>, request: ApiRequest): Promise<string> {
    return readText(chunks, `the answer to ${describe(request)}`, MAX_BODY_BYTES);
  }

  async *#measured(chunks: AsyncIterable<Buffer>, { method }: ApiRequest): AsyncGenerator<Buffer, void, void> {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
    this.#options.metrics.received(method, bytes);
  }

  /** @returns an answer of status 2xx. */
  async #send(scope: Scope, request: ApiRequest, longRunning: boolean): Promise<IncomingMessage> {
    const { clock, metrics } = this.#options;
    const endsAt = clock.monotonic() + this.#timeout(request);
    for (let retries = 0; ; retries++) {
      const outcome = await this.#attempt(scope, request, longRunning);
      if ('response' in outcome) return outcome.response;
      const delay = retryDelayMs(request, outcome, retries);
      // Waiting beyond the deadline would only hide the server's own words behind "did not finish".
      if (delay === undefined || clock.monotonic() + delay >= endsAt) throw outcome.error;
      metrics.retried(request.method, codeOf(outcome.error));
      if (delay > 0) await scope.sleep(delay);
    }
  }

  async #attempt(scope: Scope, request: ApiRequest, longRunning: boolean): Promise<Outcome> {
    await this.#throttle(scope, request);
    const wire = await scope.wait(this.#wire(request, longRunning));
    const startedAt = this.#options.clock.monotonic();
    let response: IncomingMessage;
    try {
      response = await this.#options.connections.send(scope, wire);
    } catch (error) {
      this.#record(request, '<error>', startedAt);
      return { error };
    }
    this.#record(request, String(response.statusCode), startedAt);
    return isSuccess(response) ? { response } : this.#refusal(scope, request, response);
  }

  async #throttle(scope: Scope, { method }: ApiRequest): Promise<void> {
    const { bucket, clock, metrics } = this.#options;
    const startedAt = clock.monotonic();
    await bucket.take(scope);
    metrics.throttled(method, (clock.monotonic() - startedAt) / 1000);
  }

  async #wire(request: ApiRequest, longRunning: boolean): Promise<Parameters<Connections['send']>[1]> {
    const body = request.body && JSON.stringify(request.body);
    this.#options.metrics.sent(request.method, body === undefined ? 0 : Buffer.byteLength(body));
    return {
      method: request.method,
      path: pathWithQuery(request),
      headers: await this.#headers(request, body),
      body,
      longRunning,
    };
  }

  async #headers({ contentType }: ApiRequest, body: string | undefined): Promise<Record<string, string>> {
    const token = await this.#options.token?.current();
    return {
      accept: 'application/json',
      'user-agent': this.#options.userAgent,
      ...(token && { authorization: `Bearer ${token.reveal()}` }),
      ...(body !== undefined && {
        'content-type': contentType ?? 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      }),
    };
  }

  async #refusal(scope: Scope, request: ApiRequest, response: IncomingMessage): Promise<Failure> {
    const text = await readText(chunksOf(scope, response, describe(request)), 'an error', MAX_ERROR_BYTES);
    const error = answeredError(describe(request), response.statusCode ?? 0, text);
    return {
      error,
      retryAfterMs: retryAfterMs(response.headers),
      newTokenLikely: error.isUnauthorized && (this.#options.token?.refused() ?? false),
    };
  }

  #record(request: ApiRequest, code: string, startedAt: number): void {
    const { clock, log, metrics } = this.#options;
    const elapsedMs = clock.monotonic() - startedAt;
    metrics.requested(request.method, code, elapsedMs / 1000);
    log.debug(6, 'Response', {
      verb: request.method,
      url: pathWithQuery(request),
      status: code,
      milliseconds: Math.round(elapsedMs),
    });
  }
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

function codeOf(error: unknown): string {
  return error instanceof StatusError ? String(error.httpStatus) : '<error>';
}
