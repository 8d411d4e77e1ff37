export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** What a request is about, read from its method and path alone. */
export type RequestInfo = ResourceInfo | PathInfo;

export interface ResourceInfo {
  readonly kind: 'resource';
  readonly verb: Verb;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
}

export interface PathInfo {
  readonly kind: 'path';
  readonly verb: string;
  readonly path: string;
}

/** Subresources of a namespace; any other second part is a resource in it. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);
const VERBS: Readonly<Record<string, Verb>> = { POST: 'create', PUT: 'update', PATCH: 'patch' };

/** Understands `/api/v1/…` and `/apis/<group>/<version>/…` as the API server does. */
export function readRequestInfo(method: string, url: URL): RequestInfo {
  const parts = url.pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  const [prefix, ...rest] = parts;
  const [group, version, ...below] = prefix === 'api' ? ['', ...rest] : rest;
  const isResource = (prefix === 'api' || prefix === 'apis') && version !== undefined && below.length > 0;
  if (!isResource) return { kind: 'path', verb: method.toLowerCase(), path: url.pathname };
  const isWatch = below[0] === 'watch' && below.length > 1;
  const place = readPlace(isWatch ? below.slice(1) : below);
  const verb = isWatch ? 'watch' : verbOf(method, place.name, url.searchParams);
  return { kind: 'resource', verb, group: group ?? '', version, ...place };
}

interface Place {
  readonly namespace: string;
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
}

function readPlace(parts: readonly string[]): Place {
  const [first = '', second = '', third = ''] = parts;
  const inNamespace = first === 'namespaces' && parts.length > 2 && !NAMESPACE_SUBRESOURCES.has(third);
  const [resource = '', name = '', ...subresource] = inNamespace ? parts.slice(2) : parts;
  // A namespace is in itself, as far as access is concerned.
  const namespace = inNamespace || first === 'namespaces' ? second : '';
  return { namespace, resource, name, subresource: subresource.join('/') };
}

function verbOf(method: string, name: string, query: URLSearchParams): Verb {
  if (method === 'DELETE') return name === '' ? 'deletecollection' : 'delete';
  const write = VERBS[method];
  if (write) return write;
  const isWatch = query.has('watch') && !['false', '0'].includes(query.get('watch') ?? '');
  if (isWatch) return 'watch';
  return name === '' ? 'list' : 'get';
}
