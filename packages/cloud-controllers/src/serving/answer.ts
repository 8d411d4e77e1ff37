import type { Identity } from './identity.ts';

/** What a path answers. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a path may know of a request. */
export interface ServedRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly identity: Identity;
  /** It came through the loopback address, as with `kubectl port-forward`. */
  readonly local: boolean;
  /** @throws when it is longer than anything that is taken here. */
  readonly body: () => Promise<string>;
}

export type Path = (request: ServedRequest) => Promise<Answer>;

const PLAIN = 'text/plain; charset=utf-8';

/** Text, with the header that Go's http.Error sets. */
export function text(status: number, body: string): Answer {
  return { status, contentType: PLAIN, body, headers: { 'X-Content-Type-Options': 'nosniff' } };
}

export const NOT_FOUND = text(404, '404 page not found\n');

export function json(status: number, body: unknown): Answer {
  return { status, contentType: 'application/json', body: `${JSON.stringify(body)}\n` };
}

export function unauthorized(): Answer {
  return statusAnswer(401, 'Unauthorized', 'Unauthorized');
}

export function forbidden(user: string, verb: string, path: string, reason: string): Answer {
  const why = reason === '' ? '' : `: ${reason}`;
  const message = `forbidden: User ${JSON.stringify(user)} cannot ${verb} path ${JSON.stringify(path)}${why}`;
  return statusAnswer(403, 'Forbidden', message);
}

/** An error as the API server tells it. */
function statusAnswer(code: number, reason: string, message: string): Answer {
  return json(code, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code });
}
