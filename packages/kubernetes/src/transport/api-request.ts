/** One request to the API server, before authentication and user agent. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: object;
  /** Default `application/json`. */
  readonly contentType?: string;
  /** May it be sent again when it is unknown whether it arrived? Default: every method but POST. */
  readonly repeatable?: boolean;
  /** Covers waiting for the rate limit and for a connection, retries, and reading the body. Default: the client's. */
  readonly timeoutMs?: number;
}

/** How the request is called in errors and logs. */
export function describe({ method, path }: ApiRequest): string {
  return `${method} ${path}`;
}

export function pathWithQuery({ path, query = {} }: ApiRequest): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value));
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}
