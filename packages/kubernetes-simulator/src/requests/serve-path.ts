import { aggregatedDiscovery, coreVersions, groupList, groupOf, resourceList } from '../discovery/discovery.ts';
import { openApiDocument, openApiIndex, swaggerDocument } from '../discovery/openapi.ts';
import { versionInfo } from '../discovery/version.ts';
import type { Answer } from '../http/answer.ts';
import type { JsonObject } from '../json.ts';
import { mediaRanges, wantsAggregatedDiscovery } from './negotiation.ts';
import { notAcceptable } from '../errors.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

export interface PathRequest {
  readonly path: string;
  readonly accept: string | undefined;
  /** `127.0.0.1:6443`: what `/api` tells clients. */
  readonly serverAddress: string;
}

/** Answers what is no resource: discovery, schemas, version, health. */
export function servePath({ path, accept, serverAddress }: PathRequest, answer: Answer): void {
  const trimmed = path.replace(/\/+$/, '');
  if (/^\/(healthz|livez|readyz)(\/ping|\/etcd|\/log)?$/.test(trimmed)) return answer.text(200, 'ok');
  if ((trimmed === '/api' || trimmed === '/apis') && wantsAggregatedDiscovery(accept)) {
    return answer.json(200, aggregatedDiscovery(trimmed), AGGREGATED);
  }
  // client-go asks for the old document as protobuf first; refused, it goes on without.
  if (trimmed === '/openapi/v2' && !acceptsJson(accept)) throw notAcceptable(['application/json']);
  const document = documentAt(trimmed, serverAddress);
  if (document) answer.json(200, document);
  else answer.text(404, '404 page not found\n');
}

function documentAt(path: string, serverAddress: string): JsonObject | undefined {
  const [, prefix, group = '', version = ''] = path.split('/');
  if (path === '/version') return versionInfo();
  if (path === '/api') return coreVersions(serverAddress);
  if (path === '/apis') return groupList();
  if (path === '/openapi/v2') return swaggerDocument();
  if (path === '/openapi/v3') return openApiIndex();
  if (path.startsWith('/openapi/v3/')) return openApiDocument(path.slice('/openapi/v3/'.length));
  if (prefix === 'api') return version === '' ? resourceList('', group) : undefined;
  if (prefix === 'apis') return version === '' ? groupOf(group) : resourceList(group, version);
  return undefined;
}

function acceptsJson(accept: string | undefined): boolean {
  return mediaRanges(accept).some(({ type }) => ['application/json', 'application/*', '*/*'].includes(type));
}
