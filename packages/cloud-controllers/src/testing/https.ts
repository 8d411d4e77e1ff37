import type { IncomingHttpHeaders } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { X509Certificate } from 'node:crypto';

export interface HttpsAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The server's. */
  readonly certificate: X509Certificate | undefined;
}

/** One request to an endpoint on this machine, whose certificate is not checked unless the options say so. */
export function ask(
  port: number,
  path: string,
  { body, ...options }: RequestOptions & { readonly body?: string } = {},
): Promise<HttpsAnswer> {
  return new Promise((resolve, reject) => {
    const usual = { host: '127.0.0.1', rejectUnauthorized: false, agent: false };
    const sent = request({ ...usual, port, path, ...options }, (response) => {
      const socket = response.socket as TLSSocket;
      const certificate = socket.getPeerX509Certificate();
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text, certificate }),
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
