import { randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../errors.ts';
import type { JsonValue } from '../json.ts';
import type { Outlet } from './outlet.ts';

/** One answer to one request. */
export class Answer {
  readonly outlet: Outlet;
  /** People get indented JSON, as from a real API server. */
  readonly pretty: boolean;
  readonly #warnings: string[] = [];
  /** What was answered; 0 while nothing was. */
  status = 0;

  constructor(request: IncomingMessage, query: URLSearchParams, outlet: Outlet) {
    this.outlet = outlet;
    const isBrowserOrCurl = /^(curl|Wget|Mozilla\/5\.0)/.test(request.headers['user-agent'] ?? '');
    this.pretty = query.has('pretty')
      ? query.get('pretty') !== 'false' && query.get('pretty') !== '0'
      : isBrowserOrCurl;
  }

  /** Tells the user something without refusing the request: kubectl shows it. */
  warn(text: string): void {
    this.#warnings.push(text);
  }

  json(status: number, body: JsonValue, contentType = 'application/json'): void {
    this.body(status, `${JSON.stringify(body, null, this.pretty ? 2 : 0)}\n`, contentType);
  }

  body(status: number, body: Buffer | string, contentType: string): void {
    this.open(status, contentType, { 'content-length': Buffer.byteLength(body) });
    this.outlet.end(body);
  }

  text(status: number, body: string): void {
    this.open(status, 'text/plain; charset=utf-8', {
      'content-length': Buffer.byteLength(body),
      'x-content-type-options': 'nosniff',
    });
    this.outlet.end(body);
  }

  error(error: ApiError): void {
    const seconds = error.details?.retryAfterSeconds;
    const body = `${JSON.stringify(error.body, null, this.pretty ? 2 : 0)}\n`;
    this.open(error.httpStatus, 'application/json', {
      'content-length': Buffer.byteLength(body),
      ...(seconds !== undefined && { 'retry-after': String(seconds) }),
    });
    this.outlet.end(body);
  }

  /** Sends the head of an answer whose body follows in pieces. */
  open(status: number, contentType: string, headers: OutgoingHttpHeaders = {}): void {
    this.status = status;
    if (this.#warnings.length > 0) {
      this.outlet.header(
        'warning',
        this.#warnings.map((text) => `299 - ${JSON.stringify(text)}`),
      );
    }
    this.outlet.head(status, {
      'audit-id': randomUUID(),
      'cache-control': 'no-cache, private',
      'content-type': contentType,
      ...headers,
    });
  }
}
