/** A request as far as the API cares. */
export interface ApiRequest {
  readonly method: string;
  /** As sent: names in the case the caller wrote. The query string wins over the body, the last of a name over the others. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly cookies: ReadonlyMap<string, string>;
  /** The caller's address. */
  readonly remote: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

export function parseParameters(query: string, body: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body)) parameters.set(name, value);
  for (const [name, value] of new URLSearchParams(query)) parameters.set(name, value);
  return parameters;
}

export function parseCookies(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const part of (header ?? '').split(';')) {
    const [name = '', ...value] = part.trim().split('=');
    if (name !== '') cookies.set(name, value.join('='));
  }
  return cookies;
}

/** Everything but `command` and `response` is known by its name in lower case. */
export function lowerNames(parameters: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...parameters].map(([name, value]) => [name.toLowerCase(), value]));
}
