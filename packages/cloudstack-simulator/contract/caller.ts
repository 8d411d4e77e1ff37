import { createHmac } from 'node:crypto';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';

/** The keys a caller signs with. */
export interface Keys {
  readonly apiKey: string;
  readonly secretKey: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

/**
 * Adds the signature. Written for these tests from the published rules, and on purpose not the server's own code: a
 * mistake there must not cancel itself out.
 */
export function signed(parameters: Readonly<Record<string, string>>, secretKey: string): Record<string, string> {
  const text = Object.entries(parameters)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${urlEncoded(value)}`)
    .join('&')
    .toLowerCase();
  return { ...parameters, signature: createHmac('sha1', secretKey).update(text).digest('base64') };
}

/** Java's URLEncoder, with %20 for the blank. */
function urlEncoded(value: string): string {
  return new URLSearchParams({ '': value }).toString().slice(1).replaceAll('+', '%20');
}

/** Sends calls over connections that stay open; `close` ends them. */
export class Caller implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });
  readonly #port: number;

  /** @param port of the API on the loopback address. */
  constructor(port: number) {
    this.#port = port;
  }

  send({ method, path, parameters, cookies }: Call): Promise<Answer> {
    const form = new URLSearchParams(parameters).toString().replaceAll('+', '%20');
    const posted = method === 'POST';
    const headers = {
      ...(posted && { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(form) }),
      ...(cookies?.length && { cookie: cookies.join('; ') }),
    };
    const target = posted || form === '' ? path : `${path}?${form}`;
    return new Promise((resolve, reject) => {
      const outgoing = request(
        { host: '127.0.0.1', port: this.#port, method, path: target, headers, agent: this.#agent },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () =>
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      outgoing.on('error', reject);
      outgoing.end(posted ? form : undefined);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
