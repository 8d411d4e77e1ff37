import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { messageOf, type Clock, type Timer } from '@cloudstack-ccm/base';
import { ApiError, MASKED_TEXT } from './api-error.ts';
import type { Api } from './api.ts';
import type { Faults } from './faults.ts';
import type { Random } from './random.ts';
import { lowerNames, parseCookies, parseParameters, type ApiRequest, type ApiResponse } from './request.ts';
import { pick, type Timing } from './timing.ts';

interface HttpOptions {
  readonly api: Api;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly random: Random;
  readonly timing: () => Timing;
}

/** Largest body that is read. */
export const BODY_LIMIT = 1024 * 1024;

/** Serves the API under `/client/api`, with whatever the fault rules do to it on the way. */
export class HttpServer {
  readonly #server: Server;
  readonly #pauses = new Set<Timer>();

  constructor(options: HttpOptions) {
    this.#server = createServer((request, response) => {
      const pause = (ms: number): Promise<void> => this.#pause(options.clock, ms);
      serve({ ...options, pause }, request, response).catch((error: unknown) => {
        if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
        response.end(messageOf(error));
      });
    });
    this.#server.keepAliveTimeout = 30_000;
    this.#server.on('clientError', refuseMalformed);
  }

  listen(port: number, host: string): Promise<number> {
    return listen(this.#server, port, host);
  }

  /** Ends every connection at once; answers that were to come later never do. */
  async close(): Promise<void> {
    for (const pause of this.#pauses) pause.cancel();
    this.#pauses.clear();
    await close(this.#server);
  }

  #pause(clock: Clock, ms: number): Promise<void> {
    if (ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = clock.setTimer(ms, () => {
        this.#pauses.delete(timer);
        resolve();
      });
      this.#pauses.add(timer);
    });
  }
}

/** Listens, and tells the port. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Ends every connection at once. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

interface ServeOptions extends HttpOptions {
  readonly pause: (ms: number) => Promise<void>;
}

async function serve(options: ServeOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path, query] = splitOnce(request.url ?? '', '?');
  const body = await readBody(request);
  if (!/^\/client\/api\/?$/.test(path)) return send(response, page(404, 'Not Found'));
  const method = request.method ?? 'GET';
  if (body === undefined) return send(response, page(400, 'Bad Request', 'Unable to parse form content'));
  if (!['GET', 'POST', 'HEAD'].includes(method)) return send(response, { status: 405, headers: {}, body: '' });
  const form = method === 'POST' ? body : '';
  const call: ApiRequest = {
    method,
    parameters: parseParameters(query, form),
    cookies: parseCookies(request.headers.cookie),
    remote: request.socket.remoteAddress ?? '',
  };
  await answer(options, call, response);
}

async function answer(options: ServeOptions, request: ApiRequest, response: ServerResponse): Promise<void> {
  const { api, faults, timing, random } = options;
  const command = request.parameters.get('command') ?? '';
  const account = api.accountOf(request);
  await options.pause(pick(timing().answer(command), random) + faults.latency(command, account));
  const between = laterPage(request) ? faults.betweenPages(command, account) : undefined;
  await options.pause(between?.ms ?? 0);
  const fault = faults.forRequest(command, account);
  switch (fault?.kind) {
    case undefined:
      return send(response, api.handle(request, between?.change));
    case 'hang':
      return;
    case 'reset':
      return reset(response);
    case 'http':
      return send(response, foreign(fault.status, fault.body, fault.contentType));
    case 'api-error':
      return send(response, api.refuse(request, apiError(fault.code, fault.text, fault.reason)));
    case 'read-only':
      return send(
        response,
        api.changes(command) ? api.refuse(request, apiError(530, MASKED_TEXT, 4250)) : api.handle(request),
      );
    case 'rate-limit':
      return send(response, api.throttle(request, fault.retryMs));
    case 'lost-answer':
      api.handle(request);
      return reset(response);
    case 'cut-body':
      return cut(response, api.handle(request));
    case 'invalid-body':
      return send(response, { ...api.handle(request), body: '{"response":{"count":1,' });
    case 'empty-body':
      return send(response, { ...api.handle(request), body: '' });
  }
}

/** True for the second page of a list, and those behind it. */
function laterPage({ parameters }: ApiRequest): boolean {
  return Number(lowerNames(parameters).get('page') ?? 0) > 1;
}

function apiError(status: number, text: string, reason = 9999): ApiError {
  return new ApiError(text, { status, reason });
}

const PROXY_PAGE =
  '<html>\n<head><title>Error</title></head>\n<body>\n<center><h1>The service is unavailable</h1></center>\n<hr><center>nginx</center>\n</body>\n</html>\n';

function foreign(status: number, body = PROXY_PAGE, contentType = 'text/html'): ApiResponse {
  return { status, headers: { 'content-type': contentType }, body };
}

/** What is no HTTP. Node would say 431 for a line that is too long, which in CloudStack means something else. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '414 URI Too Long' : '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** An error page of the servlet container. */
function page(status: number, title: string, message = `HTTP ERROR ${status}`): ApiResponse {
  const head = `<head><title>Error ${status} ${title}</title></head>`;
  return foreign(status, `<html>${head}<body><h2>${message}</h2></body></html>`);
}

function send(response: ServerResponse, { status, headers, body }: ApiResponse): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...mutable(headers), 'content-length': bytes.length });
  response.end(bytes);
}

/** Half of the body, then the connection ends. */
function cut(response: ServerResponse, { status, headers, body }: ApiResponse): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...mutable(headers), 'content-length': bytes.length });
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}

function reset(response: ServerResponse): void {
  const socket = response.socket;
  if (socket && 'resetAndDestroy' in socket) socket.resetAndDestroy();
  else response.destroy();
}

function mutable(headers: ApiResponse['headers']): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );
}

/** @returns undefined for a body over the limit; the rest of it is read and thrown away. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size <= BODY_LIMIT) chunks.push(bytes);
  }
  return size <= BODY_LIMIT ? Buffer.concat(chunks).toString('utf8') : undefined;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
