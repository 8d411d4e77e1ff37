import type { JsonValue } from '../../json.ts';

/** One request, and what it is called in later ones: `{{first.metadata.resourceVersion}}`. */
export interface Step {
  readonly name?: string;
  readonly method: string;
  readonly path: string;
  readonly body?: JsonValue;
  /** A body that is no JSON. */
  readonly text?: string;
  readonly contentType?: string;
  readonly accept?: string;
  /** Default `admin`. */
  readonly as?: 'admin' | 'viewer' | 'nobody' | 'stranger';
}

/** Requests that belong together; each scenario has a namespace and node names of its own. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Who the users are, to the real server by its `--token-auth-file`, to the simulator by its options. */
export const TOKENS = {
  admin: 'admin-token',
  viewer: 'viewer-token',
  nobody: 'nobody-token',
  stranger: 'stranger-token',
} as const;

export const TOKEN_AUTH_FILE = `${TOKENS.admin},admin,admin-uid,"system:masters"
${TOKENS.viewer},viewer,viewer-uid,"viewers"
${TOKENS.nobody},nobody,nobody-uid
`;

export const MERGE = 'application/merge-patch+json';
export const STRATEGIC = 'application/strategic-merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';
export const APPLY = 'application/apply-patch+yaml';
export const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';

export function get(path: string, more: Partial<Step> = {}): Step {
  return { method: 'GET', path, ...more };
}

export function post(path: string, body: JsonValue, more: Partial<Step> = {}): Step {
  return { method: 'POST', path, body, ...more };
}

export function put(path: string, body: JsonValue, more: Partial<Step> = {}): Step {
  return { method: 'PUT', path, body, ...more };
}

export function patch(path: string, contentType: string, body: JsonValue, more: Partial<Step> = {}): Step {
  return { method: 'PATCH', path, body, contentType, ...more };
}

export function remove(path: string, body?: JsonValue): Step {
  return { method: 'DELETE', path, ...(body !== undefined && { body }) };
}

/** A server-side apply. */
export function apply(path: string, manager: string, body: JsonValue, query = ''): Step {
  return patch(`${path}?fieldManager=${manager}${query}`, APPLY, body);
}
