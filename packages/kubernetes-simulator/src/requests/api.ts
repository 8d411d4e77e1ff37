import type { Authenticator } from '../access/authenticator.ts';
import { type Authorizer, refusal } from '../access/authorizer.ts';
import type { User } from '../access/user.ts';
import { ApiError, forbidden, methodNotAllowed, noSuchResource } from '../errors.ts';
import { resourceList } from '../discovery/discovery.ts';
import type { WatchFault } from '../faults/fault.ts';
import type { Answer } from '../http/answer.ts';
import { type JsonObject, withValue } from '../json.ts';
import { findResource } from '../kinds/resources.ts';
import type { Resource } from '../kinds/resource.ts';
import { writeOwners } from '../managed-fields/owners.ts';
import { trackUpdate } from '../managed-fields/track-update.ts';
import { getStored, type Registry } from '../registry/registry.ts';
import type { Written } from '../registry/write-options.ts';
import { decodeObject, emptyObject } from '../schema/decode.ts';
import { structSchema, type StructSchema } from '../schema/schema.ts';
import { formatTime } from '../schema/timestamp.ts';
import { pinnedName } from '../selectors/field-selector.ts';
import { type ListOptions, readListOptions } from './list-options.ts';
import { negotiate } from './negotiation.ts';
import { type Body, parseBody } from './parse-body.ts';
import { represent } from './representation.ts';
import type { PathInfo, RequestInfo, ResourceInfo } from './request-info.ts';
import { readDeleteOptions, serveDelete, serveDeleteCollection } from './serve-delete.ts';
import { serveList } from './serve-list.ts';
import { servePatch } from './serve-patch.ts';
import { servePath } from './serve-path.ts';
import { reviewKinds } from './serve-review.ts';
import { serveToken } from './serve-token.ts';
import { serveWatch, type WatchContext } from './serve-watch.ts';
import { readWriteParameters } from './write-parameters.ts';
import { serveCreate, serveUpdate, type WriteRequest } from './serve-write.ts';

export interface ApiContext extends WatchContext {
  readonly registry: Registry;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
}

/** A request whose sender is known. */
export interface ApiRequest {
  readonly info: RequestInfo;
  readonly user: User;
  readonly query: URLSearchParams;
  readonly accept: string | undefined;
  readonly userAgent: string | undefined;
  readonly serverAddress: string;
  /** Reads the body; empty where there is none. */
  readonly body: () => Promise<Body>;
  readonly answer: Answer;
  readonly watchFault: WatchFault | undefined;
}

/** What a request did to the store. */
export interface Outcome {
  readonly changed: boolean;
  readonly body: Buffer | undefined;
}

const READ: Outcome = { changed: false, body: undefined };

/** Answers one request. @throws ApiError for the caller to send */
export async function serveApi(context: ApiContext, request: ApiRequest): Promise<Outcome> {
  const { info } = request;
  if (info.kind === 'path') return serveNonResource(context, request, info);
  const review = reviewKinds.find(({ group, name }) => group === info.group && name === info.resource);
  if (review && info.version === 'v1') return serveReview(context, request, info);
  const resource = findResource(info.group, info.version, info.resource);
  const options = resource && isMany(info) ? readListOptions(request.query, resource, info) : undefined;
  authorize(context, request, options ? { ...info, name: pinnedName(options.selection.fields) ?? info.name } : info);
  if (!resource && !resourceList(info.group, info.version)) return serveNothing(request);
  if (!resource || isMisplaced(info, resource)) throw noSuchResource();
  const target = { resource, info: placed(info, resource), request };
  if (info.subresource === 'token' && resource.name === 'serviceaccounts') return serveTokenRequest(context, target);
  if (info.subresource !== '' && !(info.subresource === 'status' && resource.hasStatus)) throw noSuchResource();
  return options ? serveMany(context, target, options) : serveOne(context, target);
}

interface Target {
  readonly resource: Resource;
  readonly info: ResourceInfo;
  readonly request: ApiRequest;
}

function isMany({ verb }: ResourceInfo): boolean {
  return verb === 'list' || verb === 'watch' || verb === 'deletecollection';
}

/** Objects of namespaces are named with their namespace, all others without. */
function isMisplaced({ namespace, name }: ResourceInfo, resource: Resource): boolean {
  if (resource.namespaced) return namespace === '' && name !== '';
  return namespace !== '' && resource.name !== 'namespaces';
}

/** What is cluster-wide has no namespace, though a path to a namespace seems to say so. */
function placed(info: ResourceInfo, resource: Resource): ResourceInfo {
  return resource.namespaced ? info : { ...info, namespace: '' };
}

function authorize({ authorizer }: ApiContext, { user }: ApiRequest, info: ResourceInfo): void {
  if (authorizer.allows(user, info)) return;
  throw forbidden({ group: info.group, resource: info.resource, name: info.name }, refusal(user, info));
}

function serveNonResource({ authorizer }: ApiContext, request: ApiRequest, info: PathInfo): Outcome {
  if (!authorizer.allows(request.user, info)) {
    throw new ApiError(403, 'Forbidden', `forbidden: ${refusal(request.user, info)}`, {});
  }
  servePath({ ...request, path: info.path }, request.answer);
  return READ;
}

/** A group that is not served is no part of the API. */
function serveNothing({ answer }: ApiRequest): Outcome {
  answer.text(404, '404 page not found\n');
  return READ;
}

async function serveReview(context: ApiContext, request: ApiRequest, info: ResourceInfo): Promise<Outcome> {
  const review = reviewKinds.find(({ group, name }) => group === info.group && name === info.resource);
  authorize(context, request, info);
  if (!review || info.verb !== 'create') throw methodNotAllowed();
  const schema = structSchema(`${info.group.split('.')[0] ?? ''}/v1.${review.kind}`);
  const value = await parseBody(await request.body(), { kind: review.kind, schema });
  const question = decodeObject(schema, value).value;
  const typed = {
    kind: review.kind,
    apiVersion: `${info.group}/v1`,
    ...asked(context, request, { question, schema, info }),
  };
  const reviewed = review.answer(typed, { ...context, user: request.user, now: context.clock.now() });
  request.answer.json(201, reviewed);
  return READ;
}

interface Question {
  readonly question: JsonObject;
  readonly schema: StructSchema;
  readonly info: ResourceInfo;
}

/** A question belongs to the one who asks it, as any object would. */
function asked(
  { clock }: ApiContext,
  { query, userAgent }: ApiRequest,
  { question, schema, info }: Question,
): JsonObject {
  const { fieldManager } = readWriteParameters({ query, userAgent, kind: 'CreateOptions' });
  const apiVersion = `${info.group}/v1`;
  const owners = trackUpdate({
    before: emptyObject(schema),
    after: question,
    schema,
    resetFields: [],
    owners: [],
    writer: { manager: fieldManager, operation: 'Update', apiVersion, subresource: '' },
    time: formatTime(clock.now()),
  });
  return withValue(question, ['metadata', 'managedFields'], writeOwners(owners));
}

async function serveTokenRequest(context: ApiContext, { info, request, resource }: Target): Promise<Outcome> {
  if (info.verb !== 'create') throw methodNotAllowed();
  request.answer.json(201, await serveToken(context, { ...info, resource }, await request.body()));
  return READ;
}

async function serveMany(
  context: ApiContext,
  { resource, info, request }: Target,
  options: ListOptions,
): Promise<Outcome> {
  const { answer, watchFault: fault } = request;
  const { registry } = context;
  if (info.verb === 'deletecollection') {
    const body = await request.body();
    const deleted = serveDeleteCollection(
      registry,
      { resource },
      options,
      await readDeleteOptions(request.query, body),
    );
    answer.json(200, deleted.body);
    return { changed: deleted.changed, body: body.bytes };
  }
  const representation = negotiate(request.accept, request.query);
  if (info.verb === 'watch') await serveWatch(context, { resource, options, answer, representation, fault });
  else await serveList(registry, resource, options, { answer, representation });
  return READ;
}

async function serveOne(context: ApiContext, target: Target): Promise<Outcome> {
  const { resource, info, request } = target;
  if (info.verb === 'get') return serveGet(context, target);
  const body = await request.body();
  if (info.verb === 'delete') {
    const options = await readDeleteOptions(request.query, body);
    const { body: answer, changed } = serveDelete(context.registry, { ...info, resource }, options);
    request.answer.json(200, answer);
    return { changed, body: body.bytes };
  }
  const warn = (text: string): void => request.answer.warn(text);
  const written = await write(context.registry, info, { ...request, ...info, resource, body, warn });
  if (info.subresource === '') for (const text of resource.strategy.warnings?.(written.object) ?? []) warn(text);
  request.answer.json(written.created ? 201 : 200, written.object);
  return { changed: written.changed, body: body.bytes };
}

function write(
  registry: Registry,
  { verb, name, namespace }: ResourceInfo,
  request: WriteRequest,
): Promise<Written<JsonObject>> {
  const isPlaced = !request.resource.namespaced || namespace !== '';
  if (verb === 'create' && name === '' && isPlaced) return serveCreate(registry, request);
  if (verb === 'update' && name !== '') return serveUpdate(registry, request);
  if (verb === 'patch' && name !== '') return servePatch(registry, request);
  throw methodNotAllowed();
}

function serveGet({ registry, clock }: ApiContext, { resource, info, request }: Target): Outcome {
  const stored = getStored(registry, { ...info, resource });
  const representation = negotiate(request.accept, request.query);
  request.answer.json(200, represent(resource, stored, representation, clock.now()));
  return READ;
}
