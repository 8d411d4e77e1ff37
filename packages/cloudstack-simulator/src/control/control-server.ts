import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { InvalidInputError, messageOf } from '@cloudstack-ccm/base';
import { BODY_LIMIT, close, listen, readBody } from '../http-server.ts';
import type { Simulator } from '../simulator-handle.ts';
import { liveView } from './live-view.ts';
import { renderPage, renderTables } from './page.ts';
import { findRoute, type Reply } from './routes.ts';

/** Serves the page that shows the state, and the API that makes things go wrong. It has no authentication. */
export class ControlServer {
  readonly #server: Server;

  constructor(simulator: () => Simulator) {
    this.#server = createServer((request, response) => {
      handle(simulator(), request).then(
        (reply) => send(response, reply),
        (error: unknown) => send(response, refusal(error)),
      );
    });
  }

  listen(port: number, host: string): Promise<number> {
    return listen(this.#server, port, host);
  }

  close(): Promise<void> {
    return close(this.#server);
  }
}

async function handle(simulator: Simulator, request: IncomingMessage): Promise<Reply> {
  const pathname = pathOf(request.url ?? '/');
  const method = request.method ?? 'GET';
  if (method === 'GET' && pathname === '/') return html(renderPage(liveView(simulator)));
  if (method === 'GET' && pathname === '/tables') return html(renderTables(liveView(simulator)));
  const found = findRoute(method, pathname);
  if (!found) return { status: 404, body: { error: `There is no ${method} ${pathname}` } };
  const body = await readJson(request);
  return found.route(simulator, body, found.parameters);
}

function pathOf(target: string): string {
  if (!URL.canParse(target, 'http://localhost')) throw new InvalidInputError(`${target} is no path`);
  return new URL(target, 'http://localhost').pathname;
}

function html(text: string): Reply {
  return { status: 200, contentType: 'text/html; charset=utf-8', body: text };
}

function refusal(error: unknown): Reply {
  const status = error instanceof InvalidInputError || error instanceof SyntaxError ? 400 : 500;
  return { status, body: { error: messageOf(error) } };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const text = await readBody(request);
  if (text === undefined) throw new InvalidInputError(`The body has more than ${BODY_LIMIT} bytes`);
  return text === '' ? undefined : JSON.parse(text);
}

function send(response: ServerResponse, { status, contentType = 'application/json', body }: Reply): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' });
  response.end(typeof body === 'string' ? body : `${JSON.stringify(body ?? {}, null, 1)}\n`);
}
