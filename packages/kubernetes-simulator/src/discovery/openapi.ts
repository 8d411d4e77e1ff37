import { createHash } from 'node:crypto';
import type { JsonObject } from '../json.ts';
import { resources } from '../kinds/resources.ts';
import type { Resource } from '../kinds/resource.ts';
import { openApiName, openApiSchemas, servedBy } from './openapi-schemas.ts';
import { gitVersion } from './version.ts';

/** How a person or kubectl learns the shapes of objects. Descriptions are left to Kubernetes' own documentation. */

const INFO = { title: 'Kubernetes', version: gitVersion };
const BODY = { 'application/json': {} };
/** kubectl looks for this parameter to learn that the server checks fields, so that it need not. */
const WRITE_PARAMETERS = ['dryRun', 'fieldManager', 'fieldValidation'].map((name) => ({
  name,
  in: 'query',
  schema: { type: 'string', uniqueItems: true },
}));

/** `/openapi/v3`: where the documents are. */
export function openApiIndex(): JsonObject {
  const places = [...new Set(resources.map(({ group, version }) => pathOf(group, version)))].sort();
  const paths = places.map((place): [string, JsonObject] => {
    const hash = createHash('sha512').update(`${gitVersion} ${place}`).digest('hex').toUpperCase();
    return [place, { serverRelativeURL: `/openapi/v3/${place}?hash=${hash}` }];
  });
  return { paths: Object.fromEntries(paths) };
}

/** `/openapi/v3/api/v1` and the like; undefined for what is not served. */
export function openApiDocument(place: string): JsonObject | undefined {
  const [prefix, ...rest] = place.split('/');
  const [group = '', version = ''] = prefix === 'api' ? ['', ...rest] : rest;
  const served = servedBy(group, version);
  if (served.length === 0) return undefined;
  return {
    openapi: '3.0.0',
    info: INFO,
    paths: Object.fromEntries(served.flatMap(pathItems)),
    components: { schemas: openApiSchemas(served, '#/components/schemas/') },
  };
}

/** `/openapi/v2`: all types in one document, in JSON only. */
export function swaggerDocument(): JsonObject {
  return { swagger: '2.0', info: INFO, paths: {}, definitions: openApiSchemas(resources, '#/definitions/') };
}

function pathOf(group: string, version: string): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

function pathItems(resource: Resource): [path: string, item: JsonObject][] {
  const { group, version, namespaced, name, hasStatus } = resource;
  const root = `/${pathOf(group, version)}`;
  const collection = `${root}/${namespaced ? `namespaces/{namespace}/${name}` : name}`;
  const one: JsonObject = {
    get: operation(resource, 'get'),
    put: operation(resource, 'put'),
    patch: operation(resource, 'patch'),
    delete: operation(resource, 'delete'),
  };
  return [
    ...(namespaced ? [[`${root}/${name}`, { get: operation(resource, 'list') }] satisfies [string, JsonObject]] : []),
    [collection, { get: operation(resource, 'list'), post: operation(resource, 'post') }],
    [`${collection}/{name}`, one],
    ...(hasStatus ? [[`${collection}/{name}/status`, one] satisfies [string, JsonObject]] : []),
  ];
}

function operation({ group, version, kind, schema }: Resource, action: string): JsonObject {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${openApiName(schema.type)}` } } };
  const writes = action === 'post' || action === 'put' || action === 'patch';
  return {
    ...(writes && { parameters: WRITE_PARAMETERS, requestBody: { content: BODY } }),
    responses: { '200': { description: 'OK', content } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind },
  };
}
