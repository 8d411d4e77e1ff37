import type http from 'node:http';
import type { Scope } from '@cloudstack-ccm/base';

export interface HttpAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Why an exchange failed, and how far it came. */
export class ExchangeFailure extends Error {
  readonly thrown: unknown;
  /** True if the connection stood, so that the server may have seen the request. */
  readonly sent: boolean;
  /** True if the connection was kept from an earlier request and nothing of an answer came: it may have been stale. */
  readonly stale: boolean;

  constructor(thrown: unknown, how: { readonly sent: boolean; readonly stale: boolean }) {
    super('HTTP exchange failed');
    this.thrown = thrown;
    this.sent = how.sent;
    this.stale = how.stale;
  }
}

/** The answer is larger than allowed. */
export class Oversize extends Error {}

/**
 * Opens a request, sends it, and reads its answer.
 * @param open not called when the scope has ended: a request that nobody listens to would end the process with its error
 * @throws ExchangeFailure, the scope's reason
 */
export function exchange(
  scope: Scope,
  open: () => http.ClientRequest,
  body: string | undefined,
  largestAnswer: number,
): Promise<HttpAnswer> {
  return scope.race((resolve, reject) => {
    const outgoing = open();
    const connected = watchConnection(outgoing);
    let answered = false;
    const fail = (thrown: unknown): void =>
      reject(new ExchangeFailure(thrown, { sent: connected(), stale: outgoing.reusedSocket && !answered }));
    // Not `once`: a broken connection may report itself twice, and the second report must find a listener.
    outgoing.on('error', fail);
    outgoing.once('response', (incoming) => {
      answered = true;
      void read(incoming, largestAnswer).then(resolve, fail);
    });
    outgoing.end(body);
    return () => outgoing.destroy();
  });
}

/** Tells whether the connection, with TLS where that is used, has stood. */
function watchConnection(outgoing: http.ClientRequest): () => boolean {
  let connected = false;
  outgoing.once('socket', (socket) => {
    const securing = 'secureConnecting' in socket && socket.secureConnecting === true;
    if (!socket.connecting && !securing) connected = true;
    else socket.once('secureConnecting' in socket ? 'secureConnect' : 'connect', () => (connected = true));
  });
  return () => connected;
}

async function read(incoming: http.IncomingMessage, largest: number): Promise<HttpAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largest) throw new Oversize();
    chunks.push(chunk);
  }
  return {
    status: incoming.statusCode ?? 0,
    contentType: incoming.headers['content-type'] ?? '',
    body: Buffer.concat(chunks).toString('utf8'),
  };
}
