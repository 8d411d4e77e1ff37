import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { Scope, type Secret } from '@cloudstack-ccm/base';
import { ApiRequestError } from './errors.ts';

export interface Connection {
  readonly url: string;
  /** PEM; undefined for plain HTTP or a certificate that the machine trusts. */
  readonly ca?: string;
  readonly token?: Secret;
}

export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
}

export interface ApiRequest {
  readonly body?: unknown;
  /** Default `application/json`. */
  readonly contentType?: string;
  /** Default 10 s, for the whole call. */
  readonly timeoutMs?: number;
}

export type PatchKind = 'merge' | 'strategic-merge' | 'json';

const PATCH_TYPE: Record<PatchKind, string> = {
  merge: 'application/merge-patch+json',
  'strategic-merge': 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
};

/**
 * A plain client for tests to set the scene with and to look at it. On purpose it shares nothing with the client of
 * the controller, so that a mistake there cannot hide in both.
 */
export class ApiClient implements Disposable {
  readonly #connection: Connection;
  readonly #agent: HttpAgent;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#agent = connection.url.startsWith('https:')
      ? new HttpsAgent({ keepAlive: true })
      : new HttpAgent({ keepAlive: true });
  }

  /** One request; whatever status comes back is returned. */
  async request(method: string, path: string, options: ApiRequest = {}): Promise<ApiAnswer> {
    using scope = Scope.root().withDeadline(options.timeoutMs ?? 10_000, `${method} ${path}`);
    return await scope.wait(this.#exchange(method, path, options, scope));
  }

  /** @throws ApiRequestError unless the answer is a success. */
  async send(method: string, path: string, options: ApiRequest = {}): Promise<unknown> {
    const answer = await this.request(method, path, options);
    if (answer.status >= 300) throw new ApiRequestError(`${method} ${path}`, answer.status, answer.text);
    return JSON.parse(answer.text);
  }

  /** @returns undefined when there is none. */
  async get(path: string): Promise<unknown> {
    const answer = await this.request('GET', path);
    if (answer.status === 404) return undefined;
    if (answer.status >= 300) throw new ApiRequestError(`GET ${path}`, answer.status, answer.text);
    return JSON.parse(answer.text);
  }

  create(path: string, body: unknown): Promise<unknown> {
    return this.send('POST', path, { body });
  }

  patch(path: string, body: unknown, kind: PatchKind = 'merge'): Promise<unknown> {
    return this.send('PATCH', path, { body, contentType: PATCH_TYPE[kind] });
  }

  /** Deletes what is there; nothing there is fine too. */
  async delete(path: string): Promise<void> {
    const answer = await this.request('DELETE', path);
    if (answer.status >= 300 && answer.status !== 404) {
      throw new ApiRequestError(`DELETE ${path}`, answer.status, answer.text);
    }
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  #exchange(method: string, path: string, options: ApiRequest, scope: Scope): Promise<ApiAnswer> {
    const body = options.body === undefined ? undefined : Buffer.from(JSON.stringify(options.body));
    const url = new URL(path, this.#connection.url);
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const sent = send(url, {
        method,
        agent: this.#agent,
        headers: this.#headers(body, options.contentType),
        ...(this.#connection.ca === undefined ? {} : { ca: this.#connection.ca }),
      });
      scope.onCancel((reason) => sent.destroy(reason));
      sent.once('response', (response) => void text(response).then(resolve, reject));
      sent.once('error', reject);
      sent.end(body);
    });
  }

  #headers(body: Buffer | undefined, contentType = 'application/json'): Record<string, string> {
    const { token } = this.#connection;
    return {
      accept: 'application/json',
      ...(token ? { authorization: `Bearer ${token.reveal()}` } : {}),
      ...(body ? { 'content-type': contentType, 'content-length': String(body.length) } : {}),
    };
  }
}

async function text(response: IncomingMessage): Promise<ApiAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(Buffer.from(chunk));
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
}
