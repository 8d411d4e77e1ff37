import http from 'node:http';
import https from 'node:https';
import type { Connection, Proxy } from './connection.ts';

/** Lists and questions at once to one management server. More would only queue there, in front of its database. */
const MOST_SOCKETS = 16;
const MOST_IDLE_SOCKETS = 4;
const TCP_PROBE_MS = 15_000;

/**
 * The two ways to connections: one keeps them for the next call, the other opens one for each call and never lets a
 * call queue, because what goes out late may go out after the right to write was lost.
 */
export interface Agents {
  readonly pooled: http.Agent;
  readonly fresh: http.Agent;
}

export function makeAgents(connection: Connection, secure: boolean): Agents {
  const common = {
    // Notices a peer that has vanished without a word while a call waits for its answer.
    keepAliveMsecs: TCP_PROBE_MS,
    ...(connection.proxy && { proxyEnv: proxyEnvironment(connection.proxy) }),
  };
  const tls = {
    rejectUnauthorized: connection.verifyCertificate ?? true,
    ...(connection.certificateAuthorities !== undefined && { ca: connection.certificateAuthorities }),
  };
  const pooled = { ...common, keepAlive: true, maxSockets: MOST_SOCKETS, maxFreeSockets: MOST_IDLE_SOCKETS };
  return secure
    ? { pooled: new https.Agent({ ...pooled, ...tls }), fresh: new https.Agent({ ...common, ...tls }) }
    : { pooled: new http.Agent(pooled), fresh: new http.Agent(common) };
}

function proxyEnvironment(proxy: Proxy): NodeJS.ProcessEnv {
  if ('environment' in proxy) return { ...proxy.environment };
  const url = proxy.url.reveal();
  return { HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: '' };
}
