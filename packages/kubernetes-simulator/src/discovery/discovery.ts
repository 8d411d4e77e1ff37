import { createHash } from 'node:crypto';
import type { JsonObject } from '../json.ts';
import { resources, storedResource } from '../kinds/resources.ts';
import type { Resource } from '../kinds/resource.ts';
import { reviewKinds } from '../requests/serve-review.ts';

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const STATUS_VERBS = ['get', 'patch', 'update'];

/** A resource as discovery tells of it. */
interface Entry {
  readonly group: string;
  readonly version: string;
  readonly name: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly Subresource[];
  readonly isStored: boolean;
}

interface Subresource {
  readonly name: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  /** Where the kind is not of the resource's group and version. */
  readonly foreign?: { readonly group: string; readonly version: string };
}

const entries: readonly Entry[] = [...resources.map(storedEntry), ...reviewEntries()];

/** `/api` */
export function coreVersions(serverAddress: string): JsonObject {
  const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress }];
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs };
}

/** `/apis` */
export function groupList(): JsonObject {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: namedGroups().map(groupBody) };
}

/** `/apis/<group>`; undefined for a group that is not served. */
export function groupOf(group: string): JsonObject | undefined {
  return namedGroups().includes(group) ? { kind: 'APIGroup', apiVersion: 'v1', ...groupBody(group) } : undefined;
}

/** `/api/v1` and `/apis/<group>/<version>`; undefined for what is not served. */
export function resourceList(group: string, version: string): JsonObject | undefined {
  const listed = entries.filter((entry) => entry.group === group && entry.version === version);
  if (listed.length === 0) return undefined;
  return {
    kind: 'APIResourceList',
    ...(group && { apiVersion: 'v1' }),
    groupVersion: group === '' ? version : `${group}/${version}`,
    resources: listed
      .toSorted(byName)
      .flatMap((entry) => [resourceBody(entry), ...entry.subresources.map((sub) => subresourceBody(entry, sub))]),
  };
}

/** The document that holds the resources of all groups below `/api` or `/apis` at once. */
export function aggregatedDiscovery(prefix: '/api' | '/apis'): JsonObject {
  const groups = prefix === '/api' ? [''] : namedGroups();
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((group) => ({
      metadata: group === '' ? {} : { name: group },
      versions: [
        {
          version: 'v1',
          resources: entries
            .filter((entry) => entry.group === group)
            .toSorted(byName)
            .map(aggregatedResource),
          freshness: 'Current',
        },
      ],
    })),
  };
}

function storedEntry(resource: Resource): Entry {
  const status = { name: 'status', kind: resource.kind, verbs: STATUS_VERBS };
  const token = {
    name: 'token',
    kind: 'TokenRequest',
    verbs: ['create'],
    foreign: { group: 'authentication.k8s.io', version: 'v1' },
  };
  return {
    ...resource,
    // Namespaces go one at a time.
    verbs: VERBS.filter((verb) => verb !== 'deletecollection' || resource.name !== 'namespaces'),
    isStored: true,
    subresources: [...(resource.hasStatus ? [status] : []), ...(resource.name === 'serviceaccounts' ? [token] : [])],
  };
}

function reviewEntries(): Entry[] {
  return reviewKinds.map((review) => ({
    ...review,
    version: 'v1',
    singular: review.kind.toLowerCase(),
    verbs: ['create'],
    shortNames: [],
    categories: [],
    subresources: [],
    isStored: false,
  }));
}

function namedGroups(): string[] {
  return [...new Set(entries.map(({ group }) => group))].filter((group) => group !== '').sort();
}

function groupBody(name: string): JsonObject {
  const version = { groupVersion: `${name}/v1`, version: 'v1' };
  return { name, versions: [version], preferredVersion: version };
}

function resourceBody({
  name,
  singular,
  namespaced,
  kind,
  verbs,
  shortNames,
  categories,
  isStored,
  group,
}: Entry): JsonObject {
  return {
    name,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(isStored && { storageVersionHash: storageVersionHash(storedResource(name)?.group ?? group, kind) }),
  };
}

function subresourceBody(
  { name, namespaced }: Entry,
  { name: subresource, kind, verbs, foreign }: Subresource,
): JsonObject {
  return { name: `${name}/${subresource}`, singularName: '', namespaced, ...foreign, kind, verbs };
}

function aggregatedResource(entry: Entry): JsonObject {
  const { name, kind, namespaced, singular, verbs, shortNames, categories, subresources } = entry;
  return {
    resource: name,
    responseKind: { group: '', version: '', kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources: subresources.map(aggregatedSubresource) }),
  };
}

function aggregatedSubresource({ name, kind, verbs, foreign }: Subresource): JsonObject {
  return { subresource: name, responseKind: { group: '', version: '', ...foreign, kind }, verbs };
}

/** As kube-apiserver derives it: the first 8 bytes of a digest of group, version and kind. */
function storageVersionHash(group: string, kind: string): string {
  const digest = createHash('sha256').update(`${group}/v1/${kind}`).digest();
  return digest.subarray(0, 8).toString('base64');
}

function byName(left: Entry, right: Entry): number {
  return left.name < right.name ? -1 : 1;
}
