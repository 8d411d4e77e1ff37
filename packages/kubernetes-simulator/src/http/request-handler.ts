import type { IncomingMessage, ServerResponse } from 'node:http';
import { asError, type Logger } from '@cloudstack-ccm/base';
import { ApiError, internalError } from '../errors.ts';
import type { Fault } from '../faults/fault.ts';
import type { Faults } from '../faults/faults.ts';
import { type ApiContext, serveApi } from '../requests/api.ts';
import { type Body, mediaTypeOf } from '../requests/parse-body.ts';
import { readRequestInfo, type RequestInfo } from '../requests/request-info.ts';
import type { WriteLog } from '../write-log.ts';
import { Answer } from './answer.ts';
import { cutAfter, errorAmong, isMute, pauses, watchFaultAmong } from './fault-effects.ts';
import { Outlet } from './outlet.ts';
import { readBody } from './read-body.ts';

export interface HandlerContext extends ApiContext {
  readonly faults: Faults;
  readonly writeLog: WriteLog;
  readonly log: Logger;
}

const WRITES = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** Answers one HTTP request, whatever happens on the way. Never rejects. */
export async function handleRequest(
  context: HandlerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const exchange = new Exchange(context, request, response);
  try {
    await exchange.run();
  } catch (thrown) {
    exchange.fail(thrown);
  }
}

class Exchange {
  readonly #context: HandlerContext;
  readonly #request: IncomingMessage;
  readonly #url: URL;
  readonly #info: RequestInfo;
  readonly #user: string;
  readonly #faults: readonly Fault[];
  readonly #answer: Answer;
  #body: Body | undefined;

  constructor(context: HandlerContext, request: IncomingMessage, response: ServerResponse) {
    this.#context = context;
    this.#request = request;
    this.#url = new URL(request.url ?? '/', 'http://localhost');
    this.#info = readRequestInfo(request.method ?? 'GET', this.#url);
    this.#user = context.authenticator.identify(request)?.name ?? '';
    this.#faults = this.#takeFaults();
    this.#answer = new Answer(request, this.#url.searchParams, new Outlet(response, cutAfter(this.#faults)));
  }

  async run(): Promise<void> {
    await pauses(this.#context.clock, this.#faults);
    if (isMute(this.#faults)) return this.#mute();
    const { headers } = this.#request;
    const user = this.#context.authenticator.authenticate(this.#request);
    const planned = errorAmong(this.#faults);
    if (planned) throw planned;
    const { changed } = await serveApi(this.#context, {
      info: this.#info,
      user,
      query: this.#url.searchParams,
      accept: headers.accept,
      userAgent: headers['user-agent'],
      serverAddress: headers.host ?? '',
      body: () => this.#readBody(),
      answer: this.#answer,
      watchFault: watchFaultAmong(this.#faults),
    });
    this.#record(changed);
  }

  fail(thrown: unknown): void {
    if (!(thrown instanceof ApiError))
      this.#context.log.error('Request failed', asError(thrown), { path: this.#url.pathname });
    const error = thrown instanceof ApiError ? thrown : internalError(asError(thrown).message);
    if (this.#answer.status === 0) this.#answer.error(error);
    else this.#answer.outlet.destroy();
    this.#record(false);
  }

  #takeFaults(): readonly Fault[] {
    const { faults } = this.#context;
    const user = this.#user;
    const continued = this.#url.searchParams.has('continue');
    const nowhere = { resource: '', subresource: '', namespace: '', name: '' };
    return faults.take(
      this.#info.kind === 'resource'
        ? { ...this.#info, user, continued }
        : { ...nowhere, ...this.#info, user, continued },
    );
  }

  /** Says nothing: at once and for good, or until the client gives up. */
  #mute(): void {
    if (this.#faults.some(({ kind }) => kind === 'reset')) this.#answer.outlet.destroy();
    else this.#request.resume();
  }

  async #readBody(): Promise<Body> {
    this.#body ??= {
      contentType: mediaTypeOf(this.#request.headers['content-type']),
      bytes: await readBody(this.#request),
    };
    return this.#body;
  }

  #record(changed: boolean): void {
    if (this.#info.kind !== 'resource' || !WRITES.has(this.#info.verb)) return;
    const { verb, resource, subresource, namespace, name } = this.#info;
    this.#context.writeLog.add({
      at: this.#context.clock.now(),
      user: this.#user,
      userAgent: this.#request.headers['user-agent'] ?? '',
      verb,
      resource,
      subresource,
      namespace: resource === 'namespaces' ? '' : namespace,
      name,
      contentType: this.#body?.contentType ?? '',
      body: this.#body?.bytes.toString() ?? '',
      status: this.#answer.status,
      changed,
    });
  }
}
